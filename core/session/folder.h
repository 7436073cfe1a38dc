/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.h: several files of code, opened as a list: one of them is loaded, and `file NUMBER` loads another.  They are
 * those of a folder, or the members of a container, or were named together. */
#ifndef GPUDBG_FOLDER_H
#define GPUDBG_FOLDER_H

#include "image/load.h"

struct code_folder {
    char **path; /* in the order of their names, malloc'ed */
    size_t n;
    struct load_options options; /* as they are to be loaded, without a format */
};

/* Finds the files of the folder that a loader knows by their heads, and loads the first that can be loaded.  false: no
 * file of it is code; the list is as it was, unless the error is about one of its files. */
bool folder_open(struct gpudbg *, const char *folder, const struct load_options *, struct gpudbg_error *);
/* The path of an entry of a folder; false: it is too long. */
bool folder_entry(const char *folder, const char *name, char *buf, size_t size);
void folder_free(struct code_folder *);
/* Says that a folder has more files than `set file-limit` allows.  Returns false. */
bool folder_full(const struct gpudbg *, struct gpudbg_error *);
/* The list becomes that of all members of the container that the image is in, unless the list has the image's file. */
void folder_members(struct code_folder *, const struct gpudbg_image *);
/* Puts a file of code at the end of the list, which begins with the loaded one.  false: it cannot be loaded. */
bool folder_add(struct gpudbg *, const char *path, const struct load_options *, struct gpudbg_error *);
/* The path that a word names where no file has that name: a number of the list, or the name of one of its files without
 * its folder; else the word.  *listed: it is one of the list. */
const char *folder_path(const struct code_folder *, const char *word, bool *listed);

#endif
