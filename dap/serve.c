/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where conversations come from: standard input and output, or a port of the loopback address; see dap.h. */
#include "dap/dap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/alloc.h"
#include "dap/client.h"

/* Programs that a command starts must not read or write the conversation: they have /dev/null and standard error. */
int dap_standard(const struct dap_sessions *sessions)
{
    fflush(stdout);
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    struct wire wire = {.in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), .out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)};
    const int in = wire.in, out = wire.out;
    bool good = in >= 0 && out >= 0 && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
    if (!good) fprintf(stderr, "gpudbg: --dap: standard input and output: %s\n", strerror(errno));
    if (good) d_converse(sessions, &wire, false);
    if (nothing >= 0) close(nothing);
    if (in >= 0) close(in);
    if (out >= 0) close(out);
    return good ? 0 : 1;
}

void dap_given(const struct dap_sessions *sessions, const char *bytes, size_t n)
{
    struct wire wire = {.in = -1, .out = -1, .bytes = xalloc(n + 1), .n = n, .room = n + 1};
    memcpy(wire.bytes, bytes, n);
    d_converse(sessions, &wire, true);
}

/* Whose the other end of a connection is: every user of this machine can reach the port, and whoever speaks to us acts
 * as the user that we run as.  Linux lists both ends (proc(5), /proc/net/tcp). */
static bool is_ours(int connection)
{
    struct sockaddr_in here, there;
    socklen_t n = sizeof here, m = sizeof there;
    char line[512];
    bool ours = false;
    if (getsockname(connection, (struct sockaddr *)&here, &n) != 0 ||
        getpeername(connection, (struct sockaddr *)&there, &m) != 0)
        return false;
    FILE *list = fopen("/proc/net/tcp", "r");
    while (list && fgets(line, sizeof line, list)) {
        unsigned from, from_port, to, to_port, uid;
        if (sscanf(line, " %*d: %x:%x %x:%x %*x %*x:%*x %*x:%*x %*x %u", &from, &from_port, &to, &to_port, &uid) == 5 &&
            from == there.sin_addr.s_addr && from_port == ntohs(there.sin_port) && to == here.sin_addr.s_addr &&
            to_port == ntohs(here.sin_port))
            ours = uid == geteuid() || uid == 0;
    }
    if (list) fclose(list);
    return ours;
}

static int listening(unsigned port, struct sockaddr_in *at)
{
    const int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t n = sizeof *at;
    *at = (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
        bind(fd, (struct sockaddr *)at, sizeof *at) == 0 && listen(fd, 1) == 0 &&
        getsockname(fd, (struct sockaddr *)at, &n) == 0)
        return fd;
    const int why = errno;
    if (fd >= 0) close(fd);
    errno = why;
    return -1;
}

int dap_listen(const struct dap_sessions *sessions, unsigned port)
{
    struct sockaddr_in at;
    const int fd = listening(port, &at), one = 1;
    if (fd < 0) {
        fprintf(stderr, "gpudbg: --dap=%u: 127.0.0.1:%u: %s\n", port, port, strerror(errno));
        return 1;
    }
    fprintf(stderr, "gpudbg: --dap: listening on 127.0.0.1:%u\n", ntohs(at.sin_port));
    for (;;) {
        const int connection = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
        if (connection < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
        if (connection < 0) {
            fprintf(stderr, "gpudbg: --dap: 127.0.0.1:%u: %s\n", ntohs(at.sin_port), strerror(errno));
            close(fd);
            return 1;
        }
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct wire wire = {.in = connection, .out = connection};
        if (is_ours(connection))
            d_converse(sessions, &wire, false);
        else
            fprintf(stderr, "gpudbg: --dap: a connection was refused: it is not of the user that gpudbg runs as\n");
        close(connection);
    }
}
