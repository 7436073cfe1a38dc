#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The debug adapter and the makers of its protocol: @vscode/debugadapter-testsupport, with which VS Code tests adapters,
# is the client; and every message that t/ui/dap.t receives is held against a JSON schema that is made of the types of
# @vscode/debugprotocol.  `make deps-oracle` installs both, in the versions of t/oracle/dap/package.json.
use v5.36;
use File::Temp qw(tempdir);
use Test::More;

my $build = $ENV{BUILD} // 'build';
my $modules = "$build/npm/node_modules";
my @missing = grep { !-d "$modules/$_" }
    qw(@vscode/debugadapter-testsupport @vscode/debugprotocol ajv ts-json-schema-generator);
push @missing, 'node' if system('command -v node >/dev/null 2>&1') != 0;
if (@missing) {
    plan skip_all => "npm could not install @missing" if -e "$build/npm/unreachable";
    die "required and missing: @missing\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => "@missing: make deps-oracle installs what is missing";
}
my $dir = tempdir(CLEANUP => 1);
my $program = $ENV{GPUDBG} // 'build/gpudbg';
local $ENV{NODE_PATH} = $modules =~ m{^/} ? $modules : "$ENV{PWD}/$modules";

# What a script in JavaScript says in TAP is ours.
sub tap ($name, @command) {
    subtest $name => sub {
        open my $out, '-|', @command or die "$command[0]: $!";
        my @line = <$out>;
        close $out;
        is $?, 0, 'it ran to its end';
        my $plan = 0;
        for my $i (0 .. $#line) {
            $plan = 1 if $line[$i] =~ /^1\.\.\d/;
            next unless $line[$i] =~ /^(not )?ok \d+ - (.*)/;
            ok !$1, $2 or diag grep { /^#/ } @line[$i + 1 .. ($i + 8 < $#line ? $i + 8 : $#line)];
        }
        diag grep { /^#/ } @line if !$plan;
        ok $plan, 'it has a plan';
    };
}

{
    local $ENV{DAP_RECORD} = "$dir/messages";
    my $said = qx($^X -It/lib t/ui/dap.t 2>&1);
    is $?, 0, 't/ui/dap.t passes' or diag $said;
}
cmp_ok -s "$dir/messages", '>', 100_000, 'its messages are here';
tap('messages are as the protocol has them', 'node', 't/oracle/dap/check.js', "$dir/messages");
tap("VS Code's client", 'node', 't/oracle/dap/client.js', $program);
done_testing;
