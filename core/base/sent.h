/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sent.h: how files are called in what is made to be sent to others (sessions, reports, pictures): a path may hold the
 * name of somebody's home folder, and the name of that is often a person's. */
#ifndef GPUDBG_SENT_H
#define GPUDBG_SENT_H

#include <stddef.h>

/* The base name, at the end of the path; of FILE(MEMBER) that of the file, and the member. */
const char *sent_name(const char *path);
/* The path of a file, malloc'ed: whole, if that names no home folder; as it is seen from the folder of another file
 * (which need not exist), if that is in the same home; else the base name. */
char *sent_path(const char *path, const char *beside);
/* In text that a screen shows, with one byte for each character: other characters than ASCII's, and the marks of text
 * that has no room, to the right and to the left. */
#define SENT_ANY ((char)0x80)
#define SENT_CUT ((char)0x81)
#define SENT_CUT_BEFORE ((char)0x82)
/* The next home folder that a text names, from *at on, where the name may be cut: its bytes, and *at where it begins;
 * 0: there is none. */
size_t sent_home_in(const char *text, size_t *at);
/* Bytes at the start of a path that are a home folder ("/home/jane" of "/home/jane/a.co"); 0: it is in none. */
size_t sent_home(const char *path);

#endif
