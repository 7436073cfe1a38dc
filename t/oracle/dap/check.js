// SPDX-License-Identifier: GPL-3.0-or-later
// check.js FILE: holds messages, one a line, against the protocol's own types; TAP.
'use strict';
const fs = require('fs');
const check = require('./schema.js').checker();
const lines = fs.readFileSync(process.argv[2], 'utf8').split('\n').filter(l => l);
const seen = new Map();
let number = 0;
const test = (good, name, why) => {
    console.log(`${good ? '' : 'not '}ok ${++number} - ${name}`);
    if (!good && why) console.log(`# ${why}`);
};
test(check.count > 100, `the protocol has ${check.count} messages`);
for (const line of lines) {
    const message = JSON.parse(line);
    const name = message.event || `${message.command}${message.success ? '' : ' (refused)'}`;
    const wrong = message.type === 'response' && message.command === '' ? null : check(message); // to what named none
    if (!seen.has(name)) seen.set(name, { count: 0, wrong: [] });
    const row = seen.get(name);
    row.count++;
    if (wrong && row.wrong.length < 3) row.wrong.push(`${wrong}\n#   in ${line.slice(0, 600)}`);
}
for (const [name, row] of [...seen].sort())
    test(!row.wrong.length, `${name}: ${row.count} messages are as the protocol has them`, row.wrong.join('\n# '));
// Every request that gpudbg answers was answered with success in some of them.
for (const [, name] of fs.readFileSync('dap/requests.def', 'utf8').matchAll(/^REQUEST\("(\w+)"/gm))
    if (name !== 'attach') test(seen.has(name), `${name} was answered`);
console.log(`1..${number}`);
