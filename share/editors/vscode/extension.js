// SPDX-License-Identifier: GPL-3.0-or-later
// What gpudbg knows beyond the protocol, as commands of VS Code: each sends a line to the debug console's side of the
// adapter and shows the answer as a text of its own.
'use strict';
const vscode = require('vscode');

// The place of a variable, as gpudbg's commands take it: "$v0" of "$v0[3]", "sum".
function place(item) {
    const variable = (item && item.variable) || {};
    return variable.evaluateName || variable.name || '';
}

function about(command, item) {
    return place(item) && `${command} ${place(item)}`;
}

const commands = {
    'gpudbg.origin': { title: 'origin', line: item => about('origin', item) },
    'gpudbg.lastWrite': { title: 'last write', line: item => about('last-write', item) },
    'gpudbg.whyOff': { title: 'why off', line: () => 'why off' },
    'gpudbg.lanes': { title: 'lanes', line: () => 'info lanes' },
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
    const session = vscode.debug.activeDebugSession;
    if (!session || session.type !== 'gpudbg') {
        vscode.window.showErrorMessage('gpudbg: no session of gpudbg is being debugged');
        return;
    }
    let line = command.line(item);
    if (!line) {
        const word = await vscode.window.showInputBox({ prompt: `${command.title}: a register or a variable` });
        if (!word) return;
        line = command.line({ variable: { name: word } });
    }
    try {
        const answer = await session.customRequest('evaluate', { expression: line, context: 'repl' });
        await show(command.title, answer.result);
    } catch (error) {
        vscode.window.showErrorMessage(`gpudbg: ${error.message}`);
    }
}

function activate(context) {
    context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider('gpudbg',
        { onDidChange: changed.event, provideTextDocumentContent: uri => answers.get(uri.path) || '' }));
    for (const [name, command] of Object.entries(commands))
        context.subscriptions.push(vscode.commands.registerCommand(name, item => run(command, item)));
}

module.exports = { activate, deactivate() {} };
