#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What versions 1.x keep (share/doc/manual/promise.rst), held against what was frozen in t/data/promise: options,
# commands, settings, kinds of errors, records and their members, scripts, saved sessions, and plug-ins built with the
# header of that time.  What is new is allowed, what has gone is not.
# `perl -It/lib t/core/promise.t --freeze [FOLDER]` freezes what is there: until 1.0, and then for 2.0.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd 'getcwd';
use File::Temp 'tempdir';
use Files qw(slurp spill);
use Gpudbg;
use JSON::PP ();
use Test::More;

my $top = getcwd;
my $data = "$top/t/data/promise";
$ENV{GPUDBG} = "$top/" . ($ENV{GPUDBG} // 'build/gpudbg') if ($ENV{GPUDBG} // '') !~ m{^/};

# ---- What the program says of itself ----

# The kind of a value by its schema: "hex", "word" (one of a list), "integer", ...
sub kind ($schema) {
    return join '|', sort map { kind($_) } @$schema if ref $schema eq 'ARRAY';
    return 'any' if ref $schema ne 'HASH';
    return 'word' if exists $schema->{enum} && !grep { ref || !/^[A-Za-z]/ } @{ $schema->{enum} };
    return 'hex' if ($schema->{pattern} // '') =~ /^\^0x/;
    return kind($schema->{oneOf} // $schema->{anyOf}) if $schema->{oneOf} || $schema->{anyOf};
    my $type = $schema->{type} // (exists $schema->{const} ? 'string' : 'any');
    return ref $type ? join '|', sort @$type : $type;
}

sub schemas () {
    my %record;
    for my $file (glob "$top/share/schema/*.json") {
        my $schema = JSON::PP::decode_json(slurp($file));
        my ($name) = $file =~ m{([^/]+)\.json$};
        my %required = map { $_ => 1 } @{ $schema->{required} // [] };
        my $properties = $schema->{properties} // {};
        $record{$name} = { map { $_ => kind($properties->{$_}) . ($required{$_} ? '!' : '') } keys %$properties };
        $record{"$name.$_"} = { map { $_ => 'word' } @{ $properties->{$_}{enum} } }
            for grep { kind($properties->{$_}) eq 'word' } keys %$properties;
    }
    return \%record;
}

# Lines of one word of a kind and its names: every name has to stay.
sub words () {
    my @lines;
    my ($help) = Gpudbg::run('--help');
    push @lines, map { "option $_" } $help =~ /^  (--?[\w-]+)/mg;
    # `help`, and the pages of `info` that are listings; `help wave` has the names of `wave apply` and others behind it.
    my (%listed, %also);
    my @commands = grep { !$listed{$_}++ } map { $_->{name} } grep { $_->{type} eq 'help' }
        records(commands('help', 'help info'));
    $also{ $_->{name} } //= $_->{aliases}
        for grep { $_->{type} eq 'help' } records(commands(map { "help $_" } @commands));
    push @lines, map { join '|', "command $_", split ' ', $also{$_} // '' } @commands;
    push @lines, map { "listing $_" } output('-e', 'help info') =~ /^  info ([a-z]+)/mg;
    push @lines, map { "setting $_->{name}" } grep { $_->{type} eq 'setting' } records('-e', 'info settings');
    push @lines, map { "error $_" } output('-e', 'help errors') =~ /^  ([a-z-]+) {2,}/mg;
    push @lines, map { "launch $_" } map { split ' ' } output('-e', 'help dap') =~
        /^Members of a `launch` request\..*?\n\n(.*?)\n\n/ms ? $1 =~ /^  ([a-zA-Z ]+?)  /mg : ();
    my %seen;
    return grep { !$seen{$_}++ } @lines;
}

# A script in an empty folder, of a user who has nothing set: exit status, and the records that it prints.
sub script ($text) {
    my $folder = tempdir(CLEANUP => 1);
    local %ENV = (map({ exists $ENV{$_} ? ($_ => $ENV{$_}) : () } qw(PATH GPUDBG ASAN_OPTIONS)), HOME => $folder);
    my $lines = spill("$folder/lines", $text);
    local $Gpudbg::input = $lines;
    chdir $folder;
    my ($out, undef, $status) = gpudbg('--json', '--screen', '100x40', '-e', '-');
    chdir $top;
    return ($status, map { JSON::PP::decode_json($_) } grep { /^\{/ } split /\n/, $out);
}

my @sources = map { glob "$top/$_" } 'core/include/*.h', 'core/include/gpudbg/*.h', 'plugins/*/*.[ch]',
    'plugins/*/*.def';

if (@ARGV && $ARGV[0] eq '--freeze') {
    $data = $ARGV[1] // $data;
    my $record = schemas();
    my $text = "# SPDX-License-Identifier: GPL-3.0-or-later\n# What 1.x keeps; made by t/core/promise.t --freeze.\n";
    $text .= "$_\n" for words();
    for my $name (sort keys %$record) {
        my $members = $record->{$name};
        $text .= join("\t", "record $name", map { "$_=$members->{$_}" } sort keys %$members) . "\n";
    }
    my (%done, @scripts);
    for my $command (grep { $_->{type} eq 'help' } records('-e', 'help')) {
        my ($page) = records('-e', "help $command->{name}");
        next if !$page->{example} || $page->{example} =~ /^(?:shell|make|pipe|!)/m || $done{ $page->{example} }++;
        my ($status, @records) = script("$page->{example}\n");
        my %type = map { $_->{type} => 1 } @records;
        $text .= join(' ', 'script', $status, sort keys %type) . ": $command->{name}\n";
        $text .= "    $_\n" for split /\n/, $page->{example};
    }
    spill("$data/frozen", $text);
    my $source = "# SPDX-License-Identifier: GPL-3.0-or-later\n";
    for my $file (@sources) {
        $source .= "==> " . $file =~ s{^\Q$top\E/(?:core/)?}{}r . "\n" . slurp($file);
    }
    spill("$data/plugins", $source);
    unlink "$data/launch.session", "$data/hang.session";
    output('--demo=matmul', commands('break 14', 'break 16 if $lane == 3', 'continue', 'continue', 'watch $s4',
        'display $s4', 'bookmark here', 'note a value to keep', "save session $data/launch.session"));
    my $log = spill(tempdir(CLEANUP => 1) . '/hang.log', <<'L');
[    1.158000] amdgpu 0000:00:01.0: amdgpu: initializing kernel modesetting (BONAIRE 0x1002:0x6649)
[  100.000000] [drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx timeout, signaled seq=5, emitted seq=7
L
    output($log, commands('note a hang to keep', "save session $data/hang.session"));
    exit;
}

# ---- What was frozen ----

my (%word, %record, @script);
for (split /\n/, slurp("$data/frozen")) {
    next if /^#/;
    if (/^    (.*)/) { $script[-1]{text} .= "$1\n" }
    elsif (/^script (\S+) ?(.*): (.*)/) {
        push @script, { name => $3, status => $1, types => [split ' ', $2], text => '' };
    }
    elsif (/^record (\S+)\s?(.*)/) { $record{$1} = { map { /^(.*)=(.*?)$/ ? ($1 => $2) : () } split /\t/, $2 } }
    elsif (/^(\w+) (.*)/) { push @{ $word{$1} }, [split /\|/, $2] }
}
cmp_ok scalar @{ $word{command} }, '>', 150, 'commands are frozen';
cmp_ok scalar keys %record, '>', 120, '... and records';
cmp_ok scalar @script, '>', 100, '... and scripts';

# ---- Words ----

my @words = words();
my %now;
for (@words) { $now{$1}{$_} = 1 for /^(\w+) (.*)/ ? split /\|/, $2 : () }
for my $kind (sort keys %word) {
    my @gone = grep { !$now{$kind}{$_} } map { @$_ } @{ $word{$kind} };
    is_deeply \@gone, [], "$kind: none has gone";
}

# Names, their commands first, that do not lead to the command's page.
sub astray (@rows) {
    my (@asked, @lead);
    for my $names (grep { $_->[0] ne 'keys' } @rows) { # `help keys` lists the keys themselves
        my @some = ($names->[0], sampled_from(length $names->[0], @$names));
        push @asked, map { "help $_" } @some;
        push @lead, ($names->[0]) x @some;
    }
    # `help wave` has the pages of `wave apply` and others behind it.
    for (records(commands(@asked))) { shift @lead if @lead && ($_->{name} // '') eq $lead[0] }
    return \@lead;
}
is_deeply astray(@{ $word{command} }), [], 'commands and their other names lead where they led';
my @freezes = map { [split /\|/] } map { /^command (.*)/ } @words;
is_deeply astray(@freezes), [], '... and so do those that --freeze would write';
ok exists $now{command}{"info $_"}, "... info $_ is a command" for sort keys %{ $now{listing} };

# ---- Records ----

my $schemas = schemas();
my @changed;
for my $name (sort keys %record) {
    my ($was, $is) = ($record{$name}, $schemas->{$name});
    if (!$is) { push @changed, "$name: gone"; next }
    for my $member (sort keys %$was) {
        my ($old, $new) = ($was->{$member}, $is->{$member} // 'gone');
        # A member may become one that is always there, and a text may become one of a list.
        next if $new eq $old || $new eq "$old!" || $new =~ s/^word/string/r eq $old;
        push @changed, "$name: $member was $old, is $new";
    }
}
is_deeply \@changed, [], 'records have the members that they had, of the same kinds';

# ---- Scripts ----

for my $case (sampled(@script)) {
    my ($status, @records) = script($case->{text});
    is $status, $case->{status}, "$case->{name}: the exit status is the same" or diag $case->{text};
    my %type = map { $_->{type} => 1 } @records;
    is_deeply [grep { !$type{$_} } @{ $case->{types} }], [], '... and the records';
    my @lacks = map {
        my $r = $_;
        map { "$r->{type}: $_" } grep { ($record{ $r->{type} }{$_} // '') =~ /!$/ && !exists $r->{$_} }
            keys %{ $record{ $r->{type} } // {} }
    } @records;
    is_deeply \@lacks, [], '... with their members';
}
for (['no failure', 0, 'print 1'], ['a command fails', 1, 'print nowhere'], ['an unknown command', 1, 'nonsense']) {
    my ($what, $want, @lines) = @$_;
    my (undef, $errors, $status) = gpudbg(commands(@lines));
    is $status, $want, "exit status: $what";
    $want ? like $errors, qr/^gpudbg: -e: [^\n]+\n\z/, '... said in one line' : is $errors, '', '... in silence';
}
is +(Gpudbg::run('--no-such-option'))[2], 2, 'exit status: a wrong command line';
is +(gpudbg('/no/such/file'))[2], 3, 'exit status: a file that cannot be loaded';

# ---- Freezing ----

SKIP: {
    skip 'fewer cases', 1 if !every_case();
    my @made = map { tempdir(CLEANUP => 1) } 1, 2;
    system $^X, "-I$top/t/lib", $0, "--freeze", $_ for @made;
    my %text = map { my $name = $_; $name => [map { slurp("$_/$name") } @made] }
        qw(frozen plugins launch.session hang.session);
    is_deeply [grep { $text{$_}[0] ne $text{$_}[1] } sort keys %text], [], 'to freeze what is frozen changes nothing';
}

# ---- Sessions ----

{
    my @records = records("$data/launch.session", commands('info history', 'info breakpoints', 'info notes',
        'info displays', 'continue'));
    my ($history) = grep { $_->{type} eq 'history' } @records;
    is $history->{position}, 24, 'a saved session is at its position';
    is_deeply [map { "$_->{number} $_->{what}" } grep { $_->{type} eq 'breakpoint' } @records],
        ['1 14', '2 matmul+0x68', '3 $s4'], '... with its breakpoints';
    is_deeply [grep { /keep/ } map { $_->{text} // () } @records], ['a value to keep'], '... and notes';
    ok scalar(grep { $_->{type} eq 'stop' } @records), '... and goes on';
    my ($said) = gpudbg("$data/hang.session", commands('explain', 'info notes'));
    like $said, qr/^verdict: .*ring gfx/m, 'a saved case explains its log';
    like $said, qr/a hang to keep/, '... and has its note';
}

# ---- Plug-ins ----

SKIP: {
    my $cc = $ENV{CC} // 'cc';
    skip 'no compiler', 1 if system("command -v $cc >/dev/null 2>&1") != 0;
    skip 'a plug-in would need the same sanitizers', 1 if $ENV{GPUDBG} =~ /-asan|-fuzz/;
    my $folder = tempdir(CLEANUP => 1);
    my (undef, @files) = split /^==> /m, slurp("$data/plugins");
    for (@files) {
        my ($name, $text) = /^(\S+)\n(.*)/s or die;
        my $path = "$folder/" . $name =~ s{/[^/]+$}{}r;
        system 'mkdir', '-p', $path;
        spill("$folder/$name", $text);
    }
    my %abi = map { $_ => scalar `$^X $top/t/core/abi.t --print $_` } "$folder/include", "$top/core/include";
    my %is = map { /^((?:struct|enum) \w+)/ ? ($1 => $_) : () } split /\n\n/, $abi{"$top/core/include"};
    my @other;
    for (split /\n\n/, $abi{"$folder/include"}) {
        my ($name) = /^((?:struct|enum) \w+)/ or next;
        # An enumeration may get values at its end.
        my ($was, $is) = (s/\s+\z//r, ($is{$name} // '') =~ s/\s+\z//r);
        push @other, $name if $is ne $was && ($name !~ /^enum/ || index($is, "$was\n") != 0);
    }
    skip "before 1.0 the header may change (@other); --freeze takes what there is", 1
        if @other && slurp("$top/GNUmakefile") =~ /^VERSION = 0\./m;
    is_deeply \@other, [], 'what plug-ins and the program share has the layout of the frozen header';
    for my $plugin (qw(hello toy)) {
        my $built = system("$cc -std=c11 -O1 -fPIC -shared -I'$folder/include' -o '$folder/$plugin.so' " .
            "'$folder/plugins/$plugin/'*.c 2>'$folder/said'");
        is $built, 0, "$plugin is built with the frozen header" or diag slurp("$folder/said");
    }
    is output('--plugin', "$folder/hello.so", '-e', 'hello world'), "hello, world: nothing is loaded\n",
        '... and answers';
    my ($text, $errors, $status) = gpudbg('--plugin', "$folder/hello.so", "$top/share/demo/matmul.co",
        commands('info mnemonics', 'check twice'));
    like $text, qr/^s_barrier +2$/m, '... with its listing';
    # set v1, 5; item v2; set v3, 4; mul v2, v2, v3; L: add v0, v0, v1; loop v1, L; store buf0[v2], v0; end
    my $sum = spill("$folder/sum.bin", pack 'V*', 0x11000005, 0x22000000, 0x13000004, 0x42230000, 0x30010000,
        0x7100fffe,
        0x60200000, 0);
    my @toy = ('--plugin', "$folder/toy.so", '--isa', 'toy', '--raw', $sum);
    my @insns = grep { $_->{type} eq 'insn' } records(@toy, commands('disassemble'));
    is scalar @insns, 8, 'an instruction set of a plug-in decodes';
    is_deeply [grep { !@{ $_->{fields} } } @insns], [], '... with fields';
    # 5 + 4 + 3 + 2 + 1 in every lane.
    like output(@toy, commands('launch -g 8 buf0=zero:32', 'continue', 'output $v0[3]')), qr/15\s*$/, '... and runs';
}
done_testing;
