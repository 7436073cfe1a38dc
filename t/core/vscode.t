#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The extension for VS Code: it is packed offline, and its commands send lines that gpudbg answers.
use strict;
use warnings;
use Files qw(slurp);
use Test::More;
use File::Temp qw(tempdir);
use JSON;

my $folder = tempdir(CLEANUP => 1);
my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $package = decode_json(slurp('share/editors/vscode/package.json'));

SKIP: {
    skip 'no python3', 3 if system('python3 -c 0 2>/dev/null');
    my $pack = 'python3 share/editors/vscode/vsix.py';
    is(system("$pack $folder/a.vsix && $pack $folder/b.vsix"), 0, 'the extension is packed');
    is(slurp("$folder/a.vsix"), slurp("$folder/b.vsix"), 'twice the same bytes');
    my $names = `python3 -m zipfile -l $folder/a.vsix`;
    like($names, qr/^\Q$_\E\s/m, "it has $_")
        for '[Content_Types].xml', 'extension.vsixmanifest', 'extension/package.json', 'extension/extension.js';
}

SKIP: {
    skip 'no node', 1 if system('node -e 0 2>/dev/null');
    # VS Code's side: what the extension registers, the lines that it sends, the texts that it shows.
    mkdir "$folder/node_modules";
    mkdir "$folder/node_modules/vscode";
    open my $f, '>', "$folder/node_modules/vscode/index.js" or die;
    print $f <<'J';
const seen = module.exports.seen = { commands: {}, sent: [], shown: [], errors: [], problems: {}, panels: [] };
let texts, factory;
module.exports = Object.assign(module.exports, {
    EventEmitter: class { constructor() { this.event = () => {}; } fire() {} },
    Uri: { parse: text => ({ path: text.replace(/^gpudbg:/, '') }), file: path => ({ path }) },
    ViewColumn: { Beside: -2 },
    Range: class { constructor(...at) { this.at = at; } },
    Diagnostic: class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2 },
    languages: { createDiagnosticCollection: () => ({
        clear: () => seen.problems = {}, set: (uri, list) => seen.problems[uri.path] = list }) },
    commands: { registerCommand: (name, run) => (seen.commands[name] = run, {}) },
    workspace: {
        getConfiguration: () => ({ get: name => name === 'program' ? '/opt/gpudbg' : undefined }),
        registerTextDocumentContentProvider: (scheme, provider) => (texts = provider, {}),
        openTextDocument: async uri => texts.provideTextDocumentContent(uri) },
    window: { showTextDocument: async text => seen.shown.push(text), showErrorMessage: text => seen.errors.push(text),
        showInputBox: async options => options.value || '$v1',
        createWebviewPanel: () => {
            seen.panels.push({ webview: { html: '' }, onDidDispose() {} });
            return seen.panels.at(-1);
        } },
    DebugAdapterExecutable: class { constructor(...command) { seen.command = command; } },
    debug: { activeDebugSession: null,
        registerDebugAdapterDescriptorFactory: (type, made) => (made.createDebugAdapterDescriptor(), {}),
        onDidChangeActiveStackItem: call => (seen.frame = call, {}),
        registerDebugAdapterTrackerFactory: (type, made) => (factory = made, {}) },
    tracker: session => factory.createDebugAdapterTracker(session),
});
J
    close $f;
    open $f, '>', "$folder/run.js" or die;
    print $f <<'J';
const vscode = require('vscode'), extension = require(process.argv[2]);
(async () => {
    extension.activate({ subscriptions: [] });
    const { commands, sent, shown, errors, panels } = vscode.seen;
    await commands['gpudbg.origin']();
    vscode.debug.activeDebugSession = { type: 'gpudbg', customRequest: async (name, args) => {
        sent.push([name, args.expression, args.context]);
        if (args.expression === 'explain') throw new Error('no dump is open');
        return { result: 'answer ' + sent.length };
    } };
    for (const name of Object.keys(commands)) await commands[name]({ variable: { name: 'x', evaluateName: '$v0[7]' } });
    await commands['gpudbg.origin']();
    console.log(JSON.stringify({ names: Object.keys(commands), command: vscode.seen.command, sent, shown, errors }));
})();
J
    close $f;
    my $copy = "$folder/extension.js";
    open $f, '>', $copy or die;
    print $f slurp('share/editors/vscode/extension.js');
    close $f;
    my $said = decode_json(`node $folder/run.js $copy`);
    is_deeply([sort @{ $said->{names} }], [sort map { $_->{command} } @{ $package->{contributes}{commands} }],
        'every command of the package is registered, and no other');
    is_deeply($said->{command}, ['/opt/gpudbg', ['--dap']], 'the program is the one that the settings name');
    my %line = map { $_->[1] => $_ } @{ $said->{sent} };
    ok($line{'origin $v0[7]'}, 'origin of a variable in the menu');
    ok($line{'why off 7'}, 'why the lane of the variable is off');
    ok($line{'origin $v1'}, 'without a variable, it asks for one');
    is(scalar @{ $said->{errors} }, 2, 'what fails is told: without a session, and what gpudbg refuses');
    is($said->{errors}[1], 'gpudbg: no dump is open', '... in its words');
    like($said->{shown}[0], qr/^answer \d+$/, 'the answer is shown');
    for my $line (grep { $_ ne 'explain' && $line{$_}[2] eq 'repl' } sort keys %line) {
        my $errors = `$gpudbg --batch --demo=collatz -e 'advance 16' -e '$line' 2>&1 >/dev/null`;
        is($errors, '', "$line: gpudbg answers");
    }

    # The same code with a real adapter: what it sends passes the tracker, and what is asked is answered by it.
    open $f, '>', "$folder/real.js" or die;
    print $f <<'J';
const vscode = require('vscode'), extension = require(process.argv[2]), { spawn } = require('child_process');
const [launch, filters] = JSON.parse(process.argv[4]);
const adapter = spawn(process.argv[3], ['--dap'], { stdio: ['pipe', 'pipe', 'inherit'] });
let seq = 0, bytes = Buffer.alloc(0), tracker, heard = [];
const waiting = new Map();
const session = { type: 'gpudbg', customRequest: (command, args) => new Promise((resolve, reject) => {
    const message = { seq: ++seq, type: 'request', command, arguments: args }, text = JSON.stringify(message);
    waiting.set(message.seq, m => m.success ? resolve(m.body || {}) : reject(new Error(m.message)));
    if (tracker) tracker.onWillReceiveMessage(message);
    adapter.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}) };
adapter.stdout.on('data', more => {
    bytes = Buffer.concat([bytes, more]);
    for (let head; (head = /^Content-Length: (\d+)\r\n\r\n/.exec(bytes.toString('latin1'))) &&
        bytes.length >= head[0].length + +head[1];) {
        const message = JSON.parse(bytes.subarray(head[0].length, head[0].length + +head[1]));
        bytes = bytes.subarray(head[0].length + +head[1]);
        tracker.onDidSendMessage(message);
        if (message.type === 'response') waiting.get(message.request_seq)(message);
        else if (message.event === 'stopped') (heard.shift() || (() => {}))(message.body);
    }
});
const stopped = () => new Promise(resolve => heard.push(resolve));
(async () => {
    extension.activate({ subscriptions: [] });
    vscode.debug.activeDebugSession = session;
    tracker = vscode.tracker(session);
    tracker.onWillStartSession();
    await session.customRequest('initialize', { adapterID: 'gpudbg', supportsInvalidatedEvent: true });
    await session.customRequest('launch', launch);
    await session.customRequest('setExceptionBreakpoints', { filters });
    let stop = stopped();
    await session.customRequest('configurationDone', {});
    await stop;
    await vscode.seen.commands['gpudbg.lanes']();
    const before = vscode.seen.panels[0].webview.html;
    stop = stopped();
    await session.customRequest('continue', { threadId: 1 });
    await stop;
    // What VS Code shows changes later than the program stops: until then it has a frame of the past.
    await session.customRequest('threads', {});
    const same = vscode.seen.panels[0].webview.html === before;
    const frames = (await session.customRequest('stackTrace', { threadId: 1 })).stackFrames;
    vscode.debug.activeStackItem = { session, threadId: 1, frameId: frames[0].id };
    vscode.seen.frame(vscode.debug.activeStackItem);
    await new Promise(resolve => setTimeout(resolve, 300)); // the grid draws itself again
    const problems = vscode.seen.problems, html = vscode.seen.panels[0].webview.html;
    await session.customRequest('restart', {});
    console.log(JSON.stringify(
        { problems, same, before, html, after: vscode.seen.problems, errors: vscode.seen.errors }));
    adapter.stdin.end();
})();
J
    close $f;
    my $top = do { require Cwd; Cwd::getcwd() };
    my $bugs = "$top/t/data/kernels/bugs.cl";
    my $launch = encode_json([{ program => "$top/t/data/kernels/gfx7/bugs-O0-g.co", kernel => 'race_waves',
        global => 128, local => 128, args => ['zero:2048', 1], sourcePath => "$top/t/data/kernels" }, ['race']]);
    my $real = decode_json(`node $folder/real.js $copy $gpudbg '$launch'`);
    my @line = split /\n/, slurp($bugs);
    my ($guilty) = grep { $line[$_] =~ /out\[i\] = i \+ 1/ } 0 .. $#line;
    my ($problem) = @{ $real->{problems}{$bugs} };
    is_deeply([@{ $problem->{range}{at} }[0, 1]], [$guilty, 0], 'a report of a checker is a problem at its line');
    is($problem->{code}, 'race', '... of the checker');
    like($problem->{message}, qr/wave/, '... in its words');
    is_deeply($real->{after}, {}, '... and gone with a restart');
    like($real->{before}, qr{<th>lane</th><td class="on selected" title="lane 0: executes">0</td>.*>63</td></tr>},
        'the grid has all lanes');
    like($real->{before}, qr{<th>v0</th>(<td class="on[^>]*>\d+</td>){64}</tr>}, '... and their registers');
    ok($real->{same}, '... a stop alone changes nothing: the editor shows the frame before it');
    isnt($real->{html}, $real->{before}, '... and follows what the editor shows');
    is_deeply($real->{errors}, [], 'without an error');
}
done_testing;
