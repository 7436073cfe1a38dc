# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the first wrong element of a kernel's output, who wrote it, and which instruction computed it.

The kernel counts the steps of Collatz's sequence.  A patch plants the bug: of the high half of a 64-bit product, three
times is forgotten, so that a number goes wrong only where its sequence passes 2**32.  The first one is 159487."""
import gpudbg

FIRST, COUNT = 159360, 256


def collatz(n: int) -> int:
    steps = 0
    while n != 1:
        n, steps = 3 * n + 1 if n & 1 else n // 2, steps + 1
    return steps


with gpudbg.demo("collatz") as g:
    g.command("patch *collatz+0x8c v_mul_lo_u32 v3, v4, 1")
    g.launch("collatz", COUNT, 128, gpudbg.zero(4 * (FIRST + COUNT)), FIRST + COUNT, offset=FIRST)
    g.run(timeout=60)
    found = g.read_array(f"steps+{4 * FIRST}", COUNT)
    wrong = next((i for i in range(FIRST, FIRST + COUNT) if found[i - FIRST] != collatz(i + 1)), None)
    if wrong is None:
        print("all elements are right")
    else:
        print(f"steps[{wrong}] is {found[wrong - FIRST]}, should be {collatz(wrong + 1)}")
        write = g.last_write(f"steps[{wrong}]")
        print(f"written by {write.text} at {write.where}, wave {write.wave}, position {write.position}" if write
              else "it was never written")
        for node in g.origin(f"steps[{wrong}]", depth=2):
            print(f"  {node.role} {node.expression} = {node.value}: {node.text or node.leaf}")
