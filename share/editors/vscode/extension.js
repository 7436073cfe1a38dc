// SPDX-License-Identifier: GPL-3.0-or-later
// What gpudbg knows beyond the protocol: commands of VS Code that send a line to the debug console's side of the
// adapter and show the answer, a grid of lanes, and the checkers' reports as problems of their source lines.
'use strict';
const vscode = require('vscode');

// ---- The session ----

function current() {
    const session = vscode.debug.activeDebugSession;
    if (session && session.type === 'gpudbg') return session;
    vscode.window.showErrorMessage('gpudbg: no session of gpudbg is being debugged');
    return null;
}

// The frame that the editor shows, where VS Code tells which (1.90).
function shownFrame(session) {
    const item = vscode.debug.activeStackItem;
    return item && item.session === session && item.frameId ? { frameId: item.frameId } : {};
}

// Runs a line, or evaluates an expression, in that frame.
async function ask(session, expression, context) {
    return (await session.customRequest('evaluate', { expression, context, ...shownFrame(session) })).result;
}

// ---- Answers as texts ----

// The place of a variable, as gpudbg's commands take it: "$v0[3]", "sum".
function place(item) {
    const variable = (item && item.variable) || {};
    return variable.evaluateName || variable.name || '';
}

function about(command, item) {
    return place(item) && `${command} ${place(item)}`;
}

// The lane of "$v0[3]".
function lane(item) {
    const [, number] = place(item).match(/^\$.*\[(\d+)\]$/) || [];
    return number === undefined ? '' : ` ${number}`;
}

const commands = {
    'gpudbg.origin': { title: 'origin', line: item => about('origin', item) },
    'gpudbg.lastWrite': { title: 'last write', line: item => about('last-write', item) },
    'gpudbg.whyOff': { title: 'why off', line: item => `why off${lane(item)}` },
    'gpudbg.timeline': { title: 'timeline', line: () => 'info timeline' },
    'gpudbg.explain': { title: 'explain', line: () => 'explain' },
    'gpudbg.checks': { title: 'checks', line: () => 'info checks' },
};

const answers = new Map(); // the texts that are shown, by their names
const changed = new vscode.EventEmitter();

async function show(title, text) {
    const uri = vscode.Uri.parse(`gpudbg:${title}.txt`);
    answers.set(uri.path, text);
    changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document,
        { preview: true, preserveFocus: true, viewColumn: vscode.ViewColumn.Beside });
}

async function run(command, item) {
    const session = current();
    if (!session) return;
    let line = command.line(item);
    if (!line) {
        const word = await vscode.window.showInputBox({ prompt: `${command.title}: a register or a variable` });
        if (!word) return;
        line = command.line({ variable: { name: word } });
    }
    try {
        await show(command.title, await ask(session, line, 'repl'));
    } catch (error) {
        vscode.window.showErrorMessage(`gpudbg: ${error.message}`);
    }
}

// ---- The grid of lanes ----

const grid = { panel: null, registers: '' };

function escaped(text) {
    return String(text).replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
}

// "{1, 2, 3}" to its elements.
function elements(text) {
    const [, inside] = text.match(/^\{(.*)\}$/s) || [];
    return inside === undefined ? null : inside.split(', ');
}

// Rows of `info lanes`: lane, state, local id, global id.
function lanes(text) {
    return [...text.matchAll(/^(>?) *(\d+) {2,}(.*?) {2,}(\S+) +(\S+)$/gm)].map(
        ([, selected, number, state, local, global]) => ({ selected: !!selected, number, state, local, global }));
}

function table(rows, registers) {
    const style = row => (row.state === 'executes' ? 'on' : 'off') + (row.selected ? ' selected' : '');
    const cell = (row, text) =>
        `<td class="${style(row)}" title="${escaped(`lane ${row.number}: ${row.state}`)}">${escaped(text)}</td>`;
    const line = (name, texts) =>
        `<tr><th>${escaped(name)}</th>${rows.map((row, i) => cell(row, texts[i])).join('')}</tr>`;
    const body = [line('lane', rows.map(r => r.number)), line('local', rows.map(r => r.local)),
        line('global', rows.map(r => r.global))];
    for (const { name, values, why } of registers)
        body.push(values ? line(name, values)
            : `<tr><th>${escaped(name)}</th><td class="why" colspan="${rows.length}">${escaped(why)}</td></tr>`);
    return `<!DOCTYPE html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
table { border-collapse: collapse; }
td { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
td, th { padding: 1px 5px; text-align: right; white-space: nowrap; border: 1px solid var(--vscode-panel-border); }
th { position: sticky; left: 0; background: var(--vscode-editor-background); }
.why { text-align: left; }
.off { color: var(--vscode-disabledForeground); background: var(--vscode-editorWidget-background); }
.selected { outline: 2px solid var(--vscode-focusBorder); }
</style></head><body><table>${body.join('\n')}</table></body></html>`;
}

async function drawLanes(session) {
    const rows = lanes(await ask(session, 'info lanes', 'repl'));
    const registers = [];
    for (const name of grid.registers.split(/[\s,]+/).filter(word => word)) {
        try {
            const text = await ask(session, `${name.startsWith('$') ? '' : '$'}${name}[:]`, 'watch');
            registers.push({ name, values: elements(text), why: text });
        } catch (error) {
            registers.push({ name, values: null, why: error.message });
        }
    }
    if (grid.panel) grid.panel.webview.html = table(rows, registers);
}

async function showLanes() {
    const session = current();
    if (!session) return;
    const words = await vscode.window.showInputBox(
        { prompt: 'Registers to show in every lane', value: grid.registers || 'v0 v1 v2 v3' });
    if (words === undefined) return;
    grid.registers = words;
    if (!grid.panel) {
        grid.panel = vscode.window.createWebviewPanel('gpudbg.lanes', 'Lanes',
            { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, {});
        grid.panel.onDidDispose(() => { grid.panel = null; });
    }
    try {
        await drawLanes(session);
    } catch (error) {
        vscode.window.showErrorMessage(`gpudbg: ${error.message}`);
    }
}

// ---- Reports of the checkers, at their lines ----

let problems;
const found = new Map(); // lists of them, by path

function clearProblems() {
    found.clear();
    problems.clear();
}

function addProblem(body) {
    if (!body.source || !body.source.path || !body.line) return;
    const line = body.line - 1, path = body.source.path;
    const problem = new vscode.Diagnostic(new vscode.Range(line, 0, line, 1000),
        body.data.origin ? `${body.data.message}\n${body.data.origin}` : body.data.message,
        body.data.note ? vscode.DiagnosticSeverity.Information : vscode.DiagnosticSeverity.Error);
    problem.source = 'gpudbg';
    problem.code = body.data.check;
    if (!found.has(path)) found.set(path, []);
    found.get(path).push(problem);
    problems.set(vscode.Uri.file(path), found.get(path));
}

// What the adapter sends and receives passes here.
function tracker(session) {
    return {
        onWillStartSession: clearProblems,
        onWillReceiveMessage: message => {
            if (message.type === 'request' && message.command === 'restart') clearProblems();
        },
        onDidSendMessage: message => {
            if (message.type !== 'event') return;
            if (message.event === 'output' && message.body.data && message.body.data.check) addProblem(message.body);
            // After a stop VS Code still shows the frame before it; where it tells when that changes, the grid waits.
            const waits = vscode.debug.onDidChangeActiveStackItem;
            if (((message.event === 'stopped' && !waits) || message.event === 'invalidated') && grid.panel)
                drawLanes(session).catch(() => {});
        },
    };
}

function activate(context) {
    problems = vscode.languages.createDiagnosticCollection('gpudbg');
    const keep = thing => context.subscriptions.push(thing);
    keep(problems);
    keep(vscode.debug.registerDebugAdapterTrackerFactory('gpudbg', { createDebugAdapterTracker: tracker }));
    keep(vscode.debug.registerDebugAdapterDescriptorFactory('gpudbg', { createDebugAdapterDescriptor: () =>
        new vscode.DebugAdapterExecutable(vscode.workspace.getConfiguration('gpudbg').get('program') || 'gpudbg',
            ['--dap']) }));
    if (vscode.debug.onDidChangeActiveStackItem)
        keep(vscode.debug.onDidChangeActiveStackItem(item => {
            if (item && item.frameId && item.session.type === 'gpudbg' && grid.panel)
                drawLanes(item.session).catch(() => {});
        }));
    keep(vscode.workspace.registerTextDocumentContentProvider('gpudbg',
        { onDidChange: changed.event, provideTextDocumentContent: uri => answers.get(uri.path) || '' }));
    keep(vscode.commands.registerCommand('gpudbg.lanes', showLanes));
    for (const [name, command] of Object.entries(commands))
        keep(vscode.commands.registerCommand(name, item => run(command, item)));
}

module.exports = { activate, deactivate() {} };
