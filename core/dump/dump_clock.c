/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_clock.c: the day and the time of day that loggers put in front of a line, in seconds.  Most of them leave the
 * year out, and some name months in the user's language, so what is missing goes on from the line before.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "dump/dump.h"

#define DAY 86400.0
#define FIRST_YEAR 2000 /* of a log that names none; a leap year */

/* Not the middle of "0000:03:00.0", which is where a device is; "1:02:03" may be a clock. */
static bool begins_clock(const char *at, size_t i)
{
    if (!i || (!isdigit((unsigned char)at[i - 1]) && at[i - 1] != ':')) return true;
    return at[i - 1] == ':' && i >= 2 && (i == 2 || !isxdigit((unsigned char)at[i - 3]));
}

bool dump_has_clock(const char *at, size_t n, const char **end)
{
    for (size_t i = 0; i + 5 <= n; i++) {
        if (isdigit((unsigned char)at[i]) && isdigit((unsigned char)at[i + 1]) && at[i + 2] == ':' &&
            isdigit((unsigned char)at[i + 3]) && isdigit((unsigned char)at[i + 4]) && begins_clock(at, i)) {
            *end = at + i + 5;
            return true;
        }
    }
    return false;
}

static int two(const char *p) { return (p[0] - '0') * 10 + p[1] - '0'; }

/* Whether the text matches the form: 0 matches any digit, '-' also matches '/' and '.'. */
static bool looks(const char *p, size_t n, const char *form)
{
    if (n < strlen(form)) return false;
    for (; *form; p++, form++)
        if (*form == '0' ? !isdigit((unsigned char)*p) : *p != *form && !(*form == '-' && strchr("/.", *p)))
            return false;
    return true;
}

/* Days from 1970 on (the Gregorian calendar: years begin in March, so that the leap day is the last one). */
static long days_of(int year, int month, int day)
{
    const long y = year - (month <= 2), m = (month + 9) % 12;
    return 365 * y + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10 + day - 1 - 719468;
}

/* The month that English words of the text name, from 1; 0: none. */
static int month_of(const char *text, size_t n)
{
    static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    for (size_t i = 0; i + 3 <= n; i++)
        for (int m = 0; m < 12 && (!i || !isalpha((unsigned char)text[i - 1])); m++)
            if (memcmp(text + i, names + 3 * m, 3) == 0) return m + 1;
    return 0;
}

/* The first number of one or two digits; 0: none. */
static int day_of(const char *text, size_t n)
{
    for (size_t i = 0, digits; i < n; i += digits + 1) {
        for (digits = 0; i + digits < n && isdigit((unsigned char)text[i + digits]);) digits++;
        if (digits == 1 || digits == 2) return digits == 1 ? text[i] - '0' : two(text + i);
    }
    return 0;
}

/* The first year in the text, of this century; 0: none. */
static int year_of(const char *text, size_t n)
{
    for (size_t i = 0; i + 4 <= n; i++)
        if ((!i || !isdigit((unsigned char)text[i - 1])) && looks(text + i, n - i, "2000"))
            return 2000 + two(text + i + 2);
    return 0;
}

/* The day of a date without a year is in the year of the line before, or in one beside that. */
static void go_to(struct dump_clock *c, int year, int month, int day)
{
    if (year)
        c->year = year;
    else if (!c->year)
        c->year = FIRST_YEAR;
    else if (month - c->month < -6)
        c->year++;
    else if (month - c->month > 6)
        c->year--;
    c->month = month;
    c->day = days_of(c->year, month, day);
    c->counted = false;
}

/* Reads the date from the text before the time of day; a year may follow the time. */
static void take_date(struct dump_clock *c, const char *at, size_t n, const char *behind, size_t rest)
{
    const char *iso = at + (n >= 11 ? n - 11 : 0);
    const int month = month_of(at, n), day = day_of(at, n);
    if (n >= 11 && looks(iso, 10, "0000-00-00")) {
        go_to(c, two(iso) * 100 + two(iso + 2), two(iso + 5), two(iso + 8));
    } else if (month && day) {
        const int year = year_of(at, n);
        go_to(c, year ? year : year_of(behind, rest < 6 ? rest : 6), month, day);
    } else { /* a date in other words differs from the one before, and that is all that is known of it */
        if (n >= sizeof c->date) n = sizeof c->date - 1;
        if (c->counted && (strlen(c->date) != n || memcmp(c->date, at, n) != 0)) c->day++;
        if (!c->day) c->day = days_of(FIRST_YEAR, 1, 1);
        memcpy(c->date, at, n);
        c->date[n] = 0;
        c->counted = true;
    }
}

double dump_clock(struct dump_clock *c, const char *at, size_t n)
{
    const char *end, *seconds, *limit = at + n;
    if (!dump_has_clock(at, n, &end) || !looks(end, (size_t)(limit - end), ":00")) return -1;
    const char *start = end - 5;
    size_t front = (size_t)(start - at);
    double time = 3600.0 * two(start) + 60.0 * two(start + 3) + two(end + 1), zone = 0;
    seconds = end += 3;
    if ((*end == '.' || *end == ',') && isdigit((unsigned char)end[1])) {
        double part = 1;
        for (end++; isdigit((unsigned char)*end) && part > 1e-9; end++) time += (part /= 10) * (*end - '0');
        while (isdigit((unsigned char)*end)) end++;
    }
    const size_t rest = (size_t)(limit > end ? limit - end : 0);
    if (*end == '+' || *end == '-') {
        const char *p = end + 1;
        const bool colon = looks(p, rest ? rest - 1 : 0, "00:00");
        if (colon || looks(p, rest ? rest - 1 : 0, "0000"))
            zone = (*end == '+' ? 60.0 : -60.0) * (60 * two(p) + two(p + 2 + colon));
    }
    while (front && !isalnum((unsigned char)at[0])) at++, front--; /* "[" */
    if (front)
        take_date(c, at, front, seconds, (size_t)(limit - seconds));
    else if (!c->day || time < c->time - DAY / 2) /* the first line, or one after midnight */
        c->day = c->day ? c->day + 1 : days_of(FIRST_YEAR, 1, 1);
    if (!front) c->counted = true;
    c->time = time;
    return (double)c->day * DAY + time - zone;
}

double dump_later_by(double a, double b)
{
    if (a < 0 || b < 0 || (a < GPUDBG_DUMP_DATES) != (b < GPUDBG_DUMP_DATES)) return NAN;
    const double year = 366 * DAY, by = b - a; /* FIRST_YEAR has a leap day */
    const bool unknown = a >= GPUDBG_DUMP_DATES && (long)(a / DAY) - days_of(FIRST_YEAR, 1, 1) < 366 &&
                         (long)(b / DAY) - days_of(FIRST_YEAR, 1, 1) < 366;
    if (unknown && by < -year / 2) return by + year;
    return unknown && by > year / 2 ? by - year : by;
}
