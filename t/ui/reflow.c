/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of help in narrower terminals than they were written for: what was one paragraph is one, and a description
   stays behind its name.  What should come is written by hand. */
#include "tap.h"

#include <stdlib.h>

#include "reflow.h"

static void same(const char *name, int width, const char *text, const char *want)
{
    char *got = reflow(text, width);
    is_str(got, want, "%s", name);
    free(got);
}

int main(void)
{
    same("what fits stays as it is", 80, "one\n    two  three\n", "one\n    two  three\n");
    same("a sentence that ends inside of a line does not begin a column", 40,
        "Texels are what loads give.  A terminal with more colours than eight shows half\n"
        "blocks; others show characters.\n",
        "Texels are what loads give.  A terminal\nwith more colours than eight shows half\nblocks; others show "
        "characters.\n");
    same("... nor does it end a description", 60,
        "FORMAT   with it and a size, WHAT is the address of a texel of linear images:\n"
        "         a format and a size, or a volume.  A slash behind FORMAT gives the bytes\n"
        "         of a line\n",
        "FORMAT   with it and a size, WHAT is the address of a texel\n"
        "         of linear images: a format and a size, or a volume.\n"
        "         A slash behind FORMAT gives the bytes of a line\n");
    same("a name that ends in a dot has its column", 40,
        "12.   the lane of the cursor, which stands alone where it is on the screen\n",
        "12.   the lane of the cursor, which\n      stands alone where it is on the\n      screen\n");
    same("lines of their own stay so", 40,
        "level N   of a mipmapped image, an array, a cube or a volume, or one of several\n"
        "range     the values that are black and white\n",
        "level N   of a mipmapped image, an\n          array, a cube or a volume, or\n          one of several\n"
        "range     the values that are black and\n          white\n");
    return tap_done();
}
