/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.h: a folder of code, opened as a list: one file of it is loaded, and `file NUMBER` loads another. */
#ifndef GPUDBG_FOLDER_H
#define GPUDBG_FOLDER_H

#include "image/load.h"

struct code_folder {
    char **path; /* in the order of their names, malloc'ed */
    size_t n;
};
#define FOLDER_MOST 10000u /* files of a folder that are looked at */

/* Finds the files of the folder that a loader knows by their heads, and loads the first that can be loaded.  false: no
 * file of it is code; the list is as it was, unless the error is about one of its files. */
bool folder_open(struct gpudbg *, const char *folder, const struct load_options *, struct gpudbg_error *);
void folder_free(struct code_folder *);
/* The list becomes that of all members of the container that the image is in, unless the list has the image's file. */
void folder_members(struct code_folder *, const struct gpudbg_image *);
/* The path that a word names: a number of the list, where no file has that name; else the word. */
const char *folder_path(const struct code_folder *, const char *word);

#endif
