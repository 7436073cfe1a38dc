// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON schema for every request, response and event of @vscode/debugprotocol, from its types.  A message may have no
// members that the protocol does not have, but for the arguments of a launch, which are the adapter's own.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const Ajv = require('ajv').default;
const generator = require('ts-json-schema-generator');

const types = require.resolve('@vscode/debugprotocol/lib/debugProtocol.d.ts');

// Each as a type of its own: those that nothing else refers to would be left out.
function all() {
    const interfaces = /^\s*(?:export )?interface (\w+(?:Request|Response|Event)) /gm;
    const names = [...fs.readFileSync(types, 'utf8').matchAll(interfaces)].map(m => m[1]);
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'dap-schema-'));
    const file = path.join(dir, 'messages.ts');
    fs.writeFileSync(file, `import { DebugProtocol as P } from ${JSON.stringify(types.replace(/\.d\.ts$/, ''))};\n` +
        names.map(n => `export type ${n} = P.${n};\n`).join(''));
    try {
        return generator.createGenerator({ path: file, type: '*', skipTypeCheck: true, expose: 'all', topRef: false })
            .createSchema('*').definitions;
    } finally {
        fs.rmSync(dir, { recursive: true });
    }
}

const capital = text => text[0].toUpperCase() + text.slice(1);

// Returns check(message): null, or what is wrong with it.
exports.checker = function () {
    const definitions = all();
    const ajv = new Ajv({ strict: false, allErrors: true });
    ajv.addSchema({ $id: 'dap', definitions });
    const compiled = new Map();
    const validator = name => {
        if (!definitions[name]) return null;
        const $ref = `dap#/definitions/${encodeURIComponent(name)}`;
        if (!compiled.has(name)) compiled.set(name, ajv.compile({ $ref }));
        return compiled.get(name);
    };
    const check = message => {
        const name = message.type === 'event' ? `DebugProtocol.${capital(message.event)}Event`
            : message.type === 'request' ? `DebugProtocol.${capital(message.command)}Request`
            : message.success ? `DebugProtocol.${capital(message.command)}Response` : 'DebugProtocol.ErrorResponse';
        const valid = validator(name);
        if (!valid) return `the protocol has no ${name}`;
        return valid(message) ? null : `${name}: ` + valid.errors.map(e =>
            `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`).join('; ');
    };
    check.count = Object.keys(definitions).filter(n => /^DebugProtocol\.\w+(Request|Response|Event)$/.test(n)).length;
    return check;
};
