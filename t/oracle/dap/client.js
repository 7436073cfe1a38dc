// SPDX-License-Identifier: GPL-3.0-or-later
// client.js GPUDBG: the client with which VS Code tests debug adapters; TAP.
'use strict';
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const demo = path.resolve('share/demo');
const source = path.join(demo, 'matmul.cl');
const text = fs.readFileSync(source, 'utf8').split('\n');
const line = what => 1 + text.findIndex(l => l.includes(what));
const stores = line('c[row * n');
const launch = { program: path.join(demo, 'matmul.co'), kernel: 'matmul', global: [64, 64], local: [16, 16], cwd: demo,
    args: ['zero:16384', '@matmul_a.bin', '@matmul_b.bin', 64] };
let number = 0;

async function test(name, body) {
    const client = new DebugClient(process.argv[2], '--dap', 'gpudbg');
    client.defaultTimeout = 60000;
    let good = true;
    try {
        await client.start();
        await body(client);
        await client.stop();
    } catch (e) {
        good = false;
        console.log(`# ${String(e.stack).replace(/\n/g, '\n# ')}`);
    }
    console.log(`${good ? '' : 'not '}ok ${++number} - ${name}`);
}

(async () => {
    await test('a breakpoint is hit', c =>
        c.hitBreakpoint({ ...launch, stopOnEntry: false }, { path: source, line: stores }));
    await test('stop on entry', c => Promise.all([
        c.configurationSequence(), c.launch(launch), c.assertStoppedLocation('entry', { path: source }),
    ]));
    await test('the program ends', c => Promise.all([
        c.configurationSequence(), c.launch({ ...launch, stopOnEntry: false, stopAtEnd: false }),
        c.waitForEvent('terminated'),
    ]));
    await test('backwards', async c => {
        await c.hitBreakpoint({ ...launch, stopOnEntry: false }, { path: source, line: stores });
        const [stopped] = await Promise.all([c.waitForEvent('stopped'), c.stepBackRequest({ threadId: 1 })]);
        assert.strictEqual(stopped.body.reason, 'step');
        const before = await c.stackTraceRequest({ threadId: 1 });
        assert.notStrictEqual(before.body.stackFrames[0].line, stores);
        await Promise.all([c.assertStoppedLocation('breakpoint', { path: source, line: stores }),
            c.nextRequest({ threadId: 1 })]);
        await Promise.all([c.assertStoppedLocation('entry', { path: source }),
            c.reverseContinueRequest({ threadId: 1 })]);
    });
    await test('requests without waiting for answers', async c => {
        await Promise.all([c.configurationSequence(), c.launch(launch), c.waitForEvent('stopped')]);
        const ask = i => i % 3 ? c.stackTraceRequest({ threadId: 1 + i % 64 }) : c.threadsRequest();
        const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => ask(i)));
        assert.ok(answers.every(a => a.success));
    });
    await test('a refusal is an answer', async c => {
        await c.initializeRequest();
        await assert.rejects(c.continueRequest({ threadId: 1 }));
        await assert.rejects(c.customRequest('noSuchRequest'));
    });
    console.log(`1..${number}`);
})();
