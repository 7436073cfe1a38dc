# SPDX-License-Identifier: GPL-3.0-or-later
#
# A client of the Debug Adapter Protocol, for tests; it needs nothing but Perl.
#
#   my $c = Dap->start('FILE');                 gpudbg --dap FILE, over pipes
#   my $c = Dap->connect($port);
#   my $body = $c->ask('threads');              the body of a response that must be a success
#   my $response = $c->request('next', {threadId => 1});
#   my $stopped = $c->event('stopped');         the next event of that name, come already or to come
#
# Every message that comes is kept in $c->{all}, in order; every request that was answered, of all clients, in
# @Dap::answered: its command, its arguments, the response.
package Dap;
use v5.36;
use IO::Select ();
use IO::Socket::INET ();
use IPC::Open3 qw(open3);
use JSON::PP ();
use Symbol qw(gensym);

our $patience = 60; # seconds for one message: a slow machine is no failure
our @answered;

sub new ($class, %with) {
    return bless { seq => 0, bytes => '', events => [], responses => {}, all => [], %with }, $class;
}

sub start ($class, @arguments) {
    my ($in, $out);
    my $pid = open3($in, $out, '>&STDERR', $ENV{GPUDBG} // 'build/gpudbg', '--dap', @arguments);
    binmode $_ for $in, $out;
    return $class->new(in => $in, out => $out, pid => $pid);
}

sub connect ($class, $port) {
    my $s = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) // return undef;
    binmode $s;
    return $class->new(in => $s, out => $s);
}

sub raw ($c, $bytes) {
    local $SIG{PIPE} = 'IGNORE';
    my $at = 0;
    while ($at < length $bytes) {
        my $n = syswrite $c->{in}, $bytes, length($bytes) - $at, $at;
        return 0 if !defined $n;
        $at += $n;
    }
    return 1;
}

sub send ($c, $message) {
    my $text = JSON::PP->new->utf8->encode($message);
    return $c->raw('Content-Length: ' . length($text) . "\r\n\r\n$text");
}

# Sends a request and returns its seq.
sub post ($c, $command, $arguments = undef) {
    my $seq = ++$c->{seq};
    $c->{asked}{$seq} = [$command, $arguments // {}];
    my @arguments = defined $arguments ? (arguments => $arguments) : ();
    $c->send({ seq => $seq, type => 'request', command => $command, @arguments });
    return $seq;
}

# Takes what comes within so many seconds; false: nothing, or the end.
sub take ($c, $seconds = $patience) {
    my $begin = time;
    my ($head, $length);
    while (1) {
        ($head, $length) = ($+[0], $1) if $c->{bytes} =~ /\AContent-Length: (\d+)\r\n\r\n/;
        last if defined $head && length($c->{bytes}) >= $head + $length;
        return 0 unless IO::Select->new($c->{out})->can_read($seconds);
        my $n = sysread $c->{out}, $c->{bytes}, 65536, length $c->{bytes};
        return 0 if !$n;
        return 0 if time - $begin > $seconds;
    }
    my $message = JSON::PP->new->utf8->decode(substr $c->{bytes}, $head, $length);
    substr $c->{bytes}, 0, $head + $length, '';
    push @{ $c->{all} }, $message;
    if ($ENV{DAP_RECORD}) { # t/oracle/dap.t reads it
        open my $record, '>>', $ENV{DAP_RECORD} or die "$ENV{DAP_RECORD}: $!";
        print $record JSON::PP->new->ascii->encode($message), "\n";
    }
    push @{ $c->{events} }, $message if $message->{type} eq 'event';
    return 1 if $message->{type} ne 'response';
    $c->{responses}{ $message->{request_seq} } = $message;
    my $asked = delete $c->{asked}{ $message->{request_seq} };
    push @answered, [@$asked, $message] if $asked;
    return 1;
}

sub response ($c, $seq) {
    while (!$c->{responses}{$seq}) { $c->take or die "no response to request $seq\n" }
    return delete $c->{responses}{$seq};
}

sub request ($c, @request) { return $c->response($c->post(@request)) }

sub ask ($c, @request) {
    my $response = $c->request(@request);
    die "$request[0]: $response->{message}\n" if !$response->{success};
    return $response->{body} // {};
}

# The body of the next event of that name.
sub event ($c, $name) {
    while (1) {
        for my $i (0 .. $#{ $c->{events} }) {
            next if $c->{events}[$i]{event} ne $name;
            return (splice @{ $c->{events} }, $i, 1)[0]{body} // {};
        }
        $c->take or die "no event $name\n";
    }
}

# The outputs so far, which are taken.
sub outputs ($c, $category) {
    my @text = map { $_->{body}{output} } grep { $_->{event} eq 'output' && $_->{body}{category} eq $category }
        @{ $c->{events} };
    $c->{events} = [grep { $_->{event} ne 'output' || $_->{body}{category} ne $category } @{ $c->{events} }];
    return join '', @text;
}

# initialize, launch, and configurationDone after what `configure` does; stands at the entry then.
sub launch ($c, $arguments, $configure = sub { }) {
    my $abilities = $c->ask('initialize', { adapterID => 'gpudbg', linesStartAt1 => JSON::PP::true(),
        supportsInvalidatedEvent => JSON::PP::true() });
    $c->{abilities} = $abilities;
    $c->ask('launch', $arguments);
    $c->event('initialized');
    $configure->($c);
    $c->ask('configurationDone');
    return $abilities;
}

# Ends the conversation; the exit status of a program that was started.
sub quit ($c) {
    my $seq = $c->post('disconnect');
    eval { $c->response($seq) };
    return $c->finish;
}

sub finish ($c) {
    close $c->{in};
    close $c->{out} if $c->{out} ne $c->{in};
    return undef if !$c->{pid};
    waitpid $c->{pid}, 0;
    return $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
}

1;
