/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sent.h: how files are called in what is made to be sent to others (sessions, reports, pictures): a path may hold the
 * name of somebody's home folder, and the name of that is often a person's. */
#ifndef GPUDBG_SENT_H
#define GPUDBG_SENT_H

#include <stddef.h>

/* The base name, at the end of the path; of FILE(MEMBER) that of the file, and the member. */
const char *sent_name(const char *path);
/* The path of a file as it is seen from the folder that another file is in (which need not exist), malloc'ed: relative,
 * if that names no home folder, else the base name.  Both exist but for the last part of `beside`. */
char *sent_path(const char *path, const char *beside);
/* Bytes at the start of a path that are a home folder ("/home/jane" of "/home/jane/a.co"); 0: it is in none. */
size_t sent_home(const char *path);

#endif
