/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folders.h: where data of one kind is read at run time, in this order: what comes with the program, then the user's
 * own. */
#ifndef GPUDBG_FOLDERS_H
#define GPUDBG_FOLDERS_H

#define FOLDERS 2
#define FOLDER_NAME 4096 /* bytes of a path, with its 0 */

struct folders {
    unsigned n;
    char path[FOLDERS][FOLDER_NAME]; /* a folder that does not exist is skipped */
};

#endif
