#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The extension for VS Code: it is packed offline, and its commands send lines that gpudbg answers.
use strict;
use warnings;
use Test::More;
use File::Temp qw(tempdir);
use JSON;

my $folder = tempdir(CLEANUP => 1);
my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
sub slurp { my ($name) = @_; open my $f, '<:raw', $name or die "$name: $!"; local $/; return <$f> }
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
const seen = module.exports.seen = { commands: {}, sent: [], shown: [], errors: [] };
let texts;
module.exports = Object.assign(module.exports, {
    EventEmitter: class { constructor() { this.event = () => {}; } fire() {} },
    Uri: { parse: text => ({ path: text.replace(/^gpudbg:/, '') }) },
    ViewColumn: { Beside: -2 },
    commands: { registerCommand: (name, run) => (seen.commands[name] = run, {}) },
    workspace: {
        registerTextDocumentContentProvider: (scheme, provider) => (texts = provider, {}),
        openTextDocument: async uri => texts.provideTextDocumentContent(uri) },
    window: { showTextDocument: async text => seen.shown.push(text), showErrorMessage: text => seen.errors.push(text),
        showInputBox: async () => '$v1' },
    debug: { activeDebugSession: null },
});
J
    close $f;
    open $f, '>', "$folder/run.js" or die;
    print $f <<'J';
const vscode = require('vscode'), extension = require(process.argv[2]);
(async () => {
    extension.activate({ subscriptions: [] });
    const { commands, sent, shown, errors } = vscode.seen;
    await commands['gpudbg.lanes']();
    vscode.debug.activeDebugSession = { type: 'gpudbg', customRequest: async (name, args) => {
        sent.push([name, args.expression, args.context]);
        if (args.expression === 'explain') throw new Error('no dump is open');
        return { result: 'answer ' + sent.length };
    } };
    for (const name of Object.keys(commands)) await commands[name]({ variable: { name: 'x', evaluateName: '$v0' } });
    await commands['gpudbg.origin']();
    console.log(JSON.stringify({ names: Object.keys(commands), sent, shown, errors }));
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
    my %line = map { $_->[1] => $_ } @{ $said->{sent} };
    ok($line{'origin $v0'}, 'origin of a variable in the menu');
    ok($line{'origin $v1'}, 'without a variable, it asks for one');
    is(scalar @{ $said->{errors} }, 2, 'what fails is told: without a session, and what gpudbg refuses');
    is($said->{errors}[1], 'gpudbg: no dump is open', '... in its words');
    like($said->{shown}[0], qr/^answer 1$/, 'the answer is shown');
    for my $line (grep { $_ ne 'explain' } sort keys %line) {
        my $errors = `$gpudbg --batch --demo=collatz -e 'advance 16' -e '$line' 2>&1 >/dev/null`;
        is($errors, '', "$line: gpudbg answers");
    }
}
done_testing;
