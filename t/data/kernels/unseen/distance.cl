// SPDX-License-Identifier: GPL-3.0-or-later
// The edit distance between a word and each of many others, all ended by a zero byte; one row of the table is private.

int letters_of(global const char *word) {
    int n = 0;
    while (word[n])
        n++;
    return n;
}

kernel void edit_distance(global uchar *out, global const char *words, uint stride, constant char *pattern) {
    uint i = get_global_id(0);
    global const char *word = words + i * stride;
    uchar row[33];
    int n = letters_of(word);
    for (int k = 0; k <= n; k++)
        row[k] = (uchar)k;
    for (int p = 0; pattern[p]; p++) {
        uchar corner = row[0];
        row[0] = (uchar)(p + 1);
        for (int k = 1; k <= n; k++) {
            uchar change = corner + (word[k - 1] != pattern[p]);
            corner = row[k];
            row[k] = min(change, (uchar)(min(row[k], row[k - 1]) + 1));
        }
    }
    out[i] = row[n];
}
