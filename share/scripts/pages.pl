#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   pages.pl PROGRAM DATE FOLDER
#
# Makes the man pages, the completion of three shells and the manual's reference (generated/) in FOLDER.  The program
# itself lists its options, commands, settings, keys and kinds of errors, as records; the prose is share/man/*.in, where
# a line @NAME@ stands for a list.
use strict;
use warnings;
use File::Basename qw(basename dirname);
use JSON::PP qw(decode_json);

@ARGV == 3 or die "usage: pages.pl PROGRAM DATE FOLDER\n";
my ($program, $date, $folder) = @ARGV;
my $share = dirname(__FILE__) . '/..';

sub slurp { my ($name) = @_; open my $f, '<:utf8', $name or die "$name: $!\n"; local $/; return <$f> }
sub spill {
    my ($name, $text) = @_;
    open my $f, '>:utf8', "$folder/$name" or die "$folder/$name: $!\n";
    print $f $text;
    close $f or die "$name: $!\n";
}

# What the program says to these commands.
sub records {
    local $ENV{GPUDBG_DATA} = $share;
    open my $f, '-|', $program, '--batch', '--json', map { ('-e', $_) } @_ or die "$program: $!\n";
    my @records = map { decode_json($_) } <$f>;
    close $f or die "$program failed\n";
    return @records;
}

# ---- As mdoc(7) ----

# One line of prose; `code` becomes literal.
sub prose {
    my ($text) = @_;
    $text =~ s/\\/\\e/g;
    $text =~ s/-/\\-/g;
    $text =~ s/`([^`]+)`/\\(lq$1\\(rq/g;
    return $text =~ s/^(?=[.'])/\\&/mr;
}
# Lines of prose, none over 78 columns; displays stay as they are.
sub wrapped {
    my ($text) = @_;
    my ($literal, @lines);
    for my $line (split /\n/, $text) {
        $literal = 1 if $line =~ /^\.Bd -literal/;
        $literal = 0 if $line =~ /^\.Ed/;
        while (!$literal && $line !~ /^\./ && length $line > 78 && $line =~ /^(.{1,78}) (.*)/s) {
            push @lines, $1;
            $line = $2 =~ s/^(?=[.'])/\\&/r;
        }
        push @lines, $line;
    }
    return join("\n", @lines) . "\n";
}
sub sentences { return join "\n", map { prose($_) } split /(?<=\.)\s\s+/, $_[0] }
# A word of mdoc: blanks and quotes are protected.
sub word {
    my ($w) = @_;
    $w = prose($w);
    $w =~ s/"/\\(dq/g;
    $w = "\\&$w" if $w =~ /^[[:punct:]]$/;
    return $w =~ /[ |]/ ? qq("$w") : $w eq '' ? '""' : $w;
}
sub items {
    my ($width, @rows) = @_;
    return join "\n", ".Bl -tag -width $width", (map { (".It $_->[0]", $_->[1]) } @rows), '.El';
}

my @options = records('info options');
my @commands = do {
    my @names = map { $_->{name} } grep { $_->{type} eq 'help' } records('help');
    my %seen; # `help wave` is also of `wave apply`
    grep { $_->{type} eq 'help' && $_->{family} && !$seen{ $_->{name} }++ } records(map { "help $_" } @names);
};
my @topics = map {
    my ($first) = slurp($_) =~ /\A(?:[^:\n]*: )?(.*)/;
    [basename($_), $first]
} sort glob "$share/help/*";

sub limit_text { return sentences(ucfirst "$_[0]{doc}.  At first it is `$_[0]{value}`.  Beyond it $_[0]{reached}.") }

sub option_item {
    my ($o) = @_;
    my $item = 'Fl ' . prose($o->{word} =~ s/^-//r);
    my $argument = $o->{argument};
    $item .= $argument =~ /^\[=(.*)\]$/ ? " Ns Op = Ns Ar \L$1" : " Ar " . word(lc $argument) if $argument ne '';
    return [$item, sentences(ucfirst($o->{summary}) . '.' . ($o->{more} eq '' ? '' : "  $o->{more}"))];
}

sub command_list {
    my (%seen, @text);
    for my $family (grep { !$seen{$_}++ } map { $_->{family} } @commands) {
        push @text, ".Ss $family", items('Ds', map {
            my @usage = $_->{usage} ? 'Ar ' . word($_->{usage}) : ();
            [join(' ', 'Ic', word($_->{name}), @usage), sentences(ucfirst "$_->{summary}.")]
        } grep { $_->{family} eq $family } @commands);
    }
    return join "\n", @text;
}

sub key_list {
    my @text;
    for my $line (split /\n/, slurp("$share/keys/default")) {
        next if $line =~ /^#|^\s*$/;
        if ($line =~ /^\[(\w+)\]/) {
            push @text, '.El' if @text;
            push @text, ".Ss Under $1", '.Bl -tag -width "C-x,C-cXX" -compact';
            next;
        }
        my ($key, $command, $label) = $line =~ /^(\S+)\s+(.*?)\s*(?:#(.*))?$/ or die "keys/default: $line\n";
        push @text, '.It Ic ' . word($key),
            $command =~ /^-?$/ ? prose(ucfirst($label // 'the line editor has it'))
            : prose($command) . ($label ? ' (' . prose($label) . ')' : '');
    }
    return join "\n", @text, '.El';
}

sub style_list {
    return items('mnemonic', map {
        my ($name, $colours, $plain) = /^(\w+)\s+(.*?)\s*\|\s*(.*)/;
        $name ? ["Li $name", prose("$colours, and " . ($plain eq '' ? 'nothing' : $plain) . ' without colours')] : ()
    } split /\n/, slurp("$share/themes/default"));
}

my $top = "$share/..";
my %list = (
    options => sub { items('Ds', map { option_item($_) } @options) },
    commands => \&command_list,
    topics => sub { items('launch-arguments', map { ["Ic $_->[0]", sentences(ucfirst $_->[1])] } @topics) },
    errors => sub {
        items('unknown-command', map { ["Li $_->{name}", sentences(ucfirst "$_->{summary}.")] } records('help errors'))
    },
    isas => sub {
        items('gen7.5-batch', map {
            ["Cm $_->{name}", sentences($_->{title} . ($_->{aliases} ? "; also $_->{aliases}" : '') . '.')]
        } records('info isa'))
    },
    settings => sub {
        items('history-budget', map {
            ["Ic " . word($_->{name}), sentences(ucfirst "$_->{doc}.  At first it is `$_->{value}`.")]
        } grep { $_->{type} eq 'setting' } records('show'))
    },
    limits => sub {
        items('history-budget', map { ["Ic " . word($_->{name}), limit_text($_)] } records('help limits'))
    },
    keys => \&key_list,
    styles => \&style_list,
    headers => sub {
        items('machine.h', map {
            my ($what) = slurp("$top/core/include/gpudbg/$_") =~ m{/\*\s*(?:\* )?\Q$_\E: (.*?[.:])(?:\s|\*)}s
                or die "$_: no first sentence\n";
            ["In gpudbg/$_", prose(ucfirst $what =~ s/\s*\n\s*\*?\s*/ /gr =~ s/:\z/./r)]
        } slurp("$top/core/include/gpudbg.h") =~ m{^#include "gpudbg/(.*)"}mg)
    },
);

for my $source (glob "$share/man/*.in") {
    my $text = slurp($source) =~ s/\@date\@/$date/gr;
    $text =~ s/^\@(\w+)\@$/($list{$1} || die "$source: there is no list $1\n")->()/gem;
    spill(basename($source) =~ s/\.in$//r, wrapped($text));
}

# ---- As reStructuredText, for the manual ----

sub rst { my ($text) = @_; $text =~ s/([\\*|_])/\\$1/g; $text =~ s/`([^`]+)`/``$1``/g; return $text }
sub term { return "``$_[0]``\n   " . join("\n   ", map { rst($_) } split /(?<=\.)\s\s+/, $_[1]) . "\n\n" }
# Help is laid out by hand: it stays as it is.
sub help_block {
    my ($help) = @_;
    return $help ? "   ::\n\n" . join('', map { $_ eq '' ? "\n" : "      $_\n" } split /\n/, $help) . "\n" : '';
}

sub rst_commands {
    my (%seen, $text);
    for my $family (grep { !$seen{$_}++ } map { $_->{family} } @commands) {
        $text .= "$family\n" . '~' x length($family) . "\n\n";
        for my $c (grep { $_->{family} eq $family } @commands) {
            $text .= term(join(' ', $c->{name}, $c->{usage} || ()), ucfirst "$c->{summary}.") . help_block($c->{help});
        }
    }
    return $text;
}

sub rst_topic {
    my ($name) = @_;
    my $title = "help $name";
    my @lines = map { "   $_\n" =~ s/^ +\n/\n/r } split /\n/, slurp("$share/help/$name");
    return join '', "$title\n", '~' x length($title), "\n\n::\n\n", @lines, "\n";
}

mkdir "$folder/generated";
spill('generated/options.inc', join '', map {
    term($_->{option}, ucfirst("$_->{summary}.") . ($_->{more} eq '' ? '' : "  $_->{more}"))
} @options);
spill('generated/commands.inc', rst_commands());
spill('generated/topics.inc', join '', map { rst_topic($_->[0]) } @topics);
spill('generated/limits.inc', join '', map {
    term("$_->{name} $_->{value}", ucfirst "$_->{doc}.  Beyond it $_->{reached}.")
} records('help limits'));
spill('generated/errors.inc', join '', map { term($_->{name}, ucfirst "$_->{summary}.") } records('help errors'));

# ---- Completion ----

# What a shell asks the program for.
my %ask = (
    isa => q(gpudbg --batch -e 'info isa' 2>/dev/null | awk 'NR > 1 { print $1 }'),
    format => q{gpudbg --format list 2>/dev/null | cut -d' ' -f1},
    demo => q{gpudbg --demo=list 2>/dev/null},
);
my $head = "# SPDX-License-Identifier: GPL-3.0-or-later\n# Made by share/scripts/pages.pl from ui/options.def.\n";
sub optional { return $_[0]{argument} =~ /^\[/ }

sub bash {
    my (@cases, @glued);
    for my $o (@options) {
        my $what = $o->{completes};
        next if $what eq '' || $what eq 'file';
        my $words = $what eq 'nothing' ? '' : $ask{$what} ? "\$($ask{$what})" : $what;
        my $line = $o->{word} eq '-e' ? '_gpudbg_command "$word"' : $words eq '' ? ':'
            : qq(mapfile -t COMPREPLY < <(compgen -W "$words" -- "\$word"));
        push @{ optional($o) ? \@glued : \@cases }, [$o->{word}, $line];
    }
    my $words = join ' ', map { $_->{word} . (optional($_) ? " $_->{word}=" : '') } @options;
    my $cases = join '', map { "        $_->[0]) $_->[1]; return ;;\n" } @cases;
    $cases =~ s/^        -e\)/        -e|-ex)/m;
    return "$head" . <<'A' . "$cases    esac\n" . join('', map { <<"B" } @glued) . <<"C";
# The last word of a command, in quotes or not: the program itself completes it, for the FILEs that are named.
_gpudbg_command() {
    local quote= line=$1 file reply files=()
    [[ $line == [\'\"]* ]] && quote=${line:0:1} line=${line:1}
    [[ -z $quote ]] && line=${line//\\/}
    for file in "${COMP_WORDS[@]:1}"; do [[ -f $file ]] && files+=("$file"); done
    local before=${line% *}
    [[ $line == *' '* ]] && before+=' ' || before=
    COMPREPLY=()
    while IFS= read -r reply; do
        reply=$before$reply
        [[ -z $quote ]] && printf -v reply %q "$reply"
        COMPREPLY+=("$reply")
    done < <(gpudbg --batch -n "${files[@]}" -e "complete $line" 2>/dev/null)
    compopt -o nospace +o filenames 2>/dev/null
}
_gpudbg() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} option=
    [[ $before == '=' ]] && option=${COMP_WORDS[COMP_CWORD - 2]}
    [[ $word == '=' ]] && option=$before word=
    case $before in
A
    if [[ \$option == $_->[0] ]]; then
        $_->[1]
        return
    fi
B
    if [[ \$word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '$words' -- "\$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "\$word")
    fi
}
complete -o filenames -F _gpudbg gpudbg
C
}

sub quoted { my ($text) = @_; return "'" . $text =~ s/'/'\\''/gr . "'" }

sub zsh {
    my @rows = map {
        my $says = $_->{summary} =~ s/([\[\]:\\])/\\$1/gr;
        my $name = lc($_->{argument} =~ s/^\[=|\]$//gr) || 'value';
        my $what = $_->{completes};
        my $how = $what eq 'file' ? '_files' : $what eq 'nothing' ? ' ' : $ask{$what} ? "($what)" : "($what)";
        $how = '_gpudbg_command' if $_->{word} eq '-e';
        $how = qq({compadd -- \$($ask{$what})}) if $ask{$what};
        my $many = "$_->{summary} $_->{more}" =~ /may be repeated/i ? '*' : '';
        my ($equals, $argument) = $_->{argument} eq '' ? ('', '')
            : optional($_) ? ('=-', "::$name:$how") : ('', ":$name:$how");
        quoted("$many$_->{word}$equals\[$says]$argument");
    } @options;
    my $rows = join '', map { "    $_ \\\n" } @rows;
    return "#compdef gpudbg\n$head" . <<'Z' . "_arguments -s \\\n$rows    '*:file:_files'\n";
# The last word of a command: the program itself completes it, for the FILEs that are named.
_gpudbg_command() {
    local line=${(Q)PREFIX} file
    local -a files found
    for file in ${(Q)words[2,-1]}; do [[ -f $file ]] && files+=$file; done
    found=(${(f)"$(gpudbg --batch -n $files -e "complete $line" 2>/dev/null)"})
    [[ $line == *' '* ]] && found=("${line% *} "${^found})
    compadd -S '' -a found
}
Z
}

# The last word of a command: the program itself completes it, for the FILEs that are named.
sub fish {
    return $head . <<'F' . join '', map {
function __gpudbg_command
    set -l line (string replace -r '^[\'"]' '' -- (commandline -ct) | string replace -a '\\' '')
    set -l files
    for file in (commandline -opc)[2..]
        test -f $file; and set -a files $file
    end
    set -l before ''
    string match -q '* *' -- $line; and set before (string replace -r '[^ ]*$' '' -- $line)
    for word in (gpudbg --batch -n $files -e "complete $line" 2>/dev/null)
        echo $before$word
    end
end
F
        my $o = $_;
        my $word = $o->{word} =~ /^--(.*)/ ? "-l $1" : $o->{word} =~ /^-(\w)$/ ? "-s $1" : die;
        my $line = "complete -c gpudbg $word -d " . quoted($o->{summary});
        my $what = $o->{completes};
        $line .= $word eq '-s e' ? " -x -a '(__gpudbg_command)'" : $what eq '' ? '' : $what eq 'file' ? ' -r -F'
            : $what eq 'nothing' ? ' -x'
            : (optional($o) ? ' -f -a ' : ' -x -a ') . quoted($ask{$what} ? "($ask{$what})" : $what);
        "$line\n";
    } @options;
}

spill('gpudbg.bash', bash());
spill('_gpudbg', zsh());
spill('gpudbg.fish', fish());
