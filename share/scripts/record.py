#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""record.py GPUDBG CAST: a session on a real terminal as an asciicast (version 2), for `asciinema play` and web pages.

The keys and pauses are those of STEPS.  What the program sends after a key is recorded at the time that STEPS gives, so
two recordings of one program differ only where the screen does.
"""
import json
import os
import pty
import select
import struct
import sys
import fcntl
import termios

COLUMNS, ROWS = 100, 30
QUIET = 0.4  # seconds without output: the screen is drawn

# Keys, and how many seconds the viewer looks at what they did.
STEPS = [
    ("", 2.0),
    *[("i", 0.35)] * 8,
    *[("I", 0.35)] * 4,
    (":", 0.8),
    *[(c, 0.06) for c in "break *0x17fc if $v13[37] > 1"],
    ("\r", 1.5),
    *[(c, 0.06) for c in "continue"],
    ("\r", 2.5),
    ("\x1b", 0.8),
    ("i", 1.5),
    ("S", 1.5),
    (":", 0.8),
    *[(c, 0.06) for c in "delete"],
    ("\r", 0.8),
    ("y", 0.4),
    ("\r", 0.8),
    *[(c, 0.06) for c in "continue"],
    ("\r", 1.5),
    *[(c, 0.06) for c in "watch c[17]"],
    ("\r", 1.0),
    *[(c, 0.06) for c in "reverse-continue"],
    ("\r", 4.0),
]


def drawn(terminal, quiet):
    """Everything that arrives until nothing has for `quiet` seconds."""
    chunks = []
    while select.select([terminal], [], [], quiet)[0]:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:
            break
        if not chunk:
            break
        chunks.append(chunk)
    return b"".join(chunks).decode("utf-8", "replace")


def main(program, path):
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
        os.environ.pop("NO_COLOR", None)
        os.execvp(program, [program, "-n", "-e", "set home-names off", "--demo=matmul"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    now, lines = 0.0, []
    for keys, pause in STEPS:
        os.write(terminal, keys.encode())
        text = drawn(terminal, QUIET if pause > 0.1 else 0.12)
        if text:
            lines.append(json.dumps([round(now, 2), "o", text], ensure_ascii=False))
        now += pause
    os.close(terminal)
    os.waitpid(child, 0)
    header = {"version": 2, "width": COLUMNS, "height": ROWS, "title": "gpudbg: who wrote this element?",
              "env": {"TERM": "xterm-256color"}}
    with open(path, "w", encoding="utf-8") as cast:
        cast.write(json.dumps(header) + "\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
