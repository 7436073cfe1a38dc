/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_options.c: the options in braces after an instruction: {Align16, NoMask}, {Compacted, $1}. */
#include <ctype.h>
#include <strings.h>
#include "text/gen_assembly.h"

static bool read_index(struct gen_assembly *a, const char *p, size_t n, bool *found)
{
    *found = false;
    for (unsigned i = 0; gen_index_name(a, i); i++) {
        int64_t value;
        if (!gen_is_named(p, n, gen_index_name(a, i)) || p[n] != '=') continue;
        *found = true;
        a->r->at += n + 1;
        gpudbg_reading_takes(a->r, '#');
        if (!gen_read_int(a, 0, 31, "the row of a table", &value)) return false;
        a->index[i] = (int16_t)value;
        return true;
    }
    return true;
}

/* The channels: Q1.. for eights, N1.. for fours, H1 and H2 for sixteens. */
static bool read_channels(struct gen_assembly *a, const char *p, size_t n)
{
    const unsigned unit = toupper((unsigned char)*p) == 'Q' ? 8 : toupper((unsigned char)*p) == 'N' ? 4 : 16;
    const unsigned number = (unsigned)(p[1] - '1');
    if (n != 2 || number * unit >= 32) return gen_wants(a, p, "channels are Q1 to Q4, N1 to N8, H1 or H2");
    if (a->has_channels && a->chan_off != number * unit) return gen_wants(a, p, "the first channel is given once");
    a->has_channels = true;
    a->chan_off = (uint8_t)(number * unit);
    a->r->at += n;
    return true;
}

/* The channels as Mesa writes them: 1Q.. for eights, 1N.. for fours, 1H and 2H for sixteens. */
static bool read_mesa_channels(struct gen_assembly *a, const char *p, size_t n)
{
    const unsigned unit = p[n - 1] == 'Q' ? 8 : p[n - 1] == 'N' ? 4 : 16;
    const unsigned number = (unsigned)(p[0] - '1');
    if (n != 2 || number * unit >= 32) return gen_wants(a, p, "channels are 1Q to 4Q, 1N to 8N, 1H or 2H");
    a->chan_off = (uint8_t)(number * unit);
    a->r->at += n;
    return true;
}

/* @1, $2, $2.dst, $2.src, and @1 with a token: the scoreboard byte. */
static bool read_scoreboard(struct gen_assembly *a)
{
    const char *from = a->r->at;
    int64_t value;
    unsigned byte = a->swsb;
    if (gen_takes_next(a, '@')) {
        if (!gen_read_int(a, 1, 7, "the distance", &value)) return false;
        if (byte & 0x87) return gen_wants(a, from, "one distance at most is expected here");
        byte = byte ? byte : (unsigned)value;
        a->swsb = (uint8_t)(a->swsb ? 0x80 | (unsigned)value << 4 | (byte & 0x7f) : byte);
        return true;
    }
    a->r->at++; /* the $ */
    if (!gen_read_int(a, 0, 15, "the token", &value)) return false;
    unsigned kind = 4; /* allocates the token */
    if (strncasecmp(a->r->at, ".dst", 4) == 0)
        kind = 2;
    else if (strncasecmp(a->r->at, ".src", 4) == 0)
        kind = 3;
    if (kind == 4 && *a->r->at == '.') return gen_wants(a, a->r->at + 1, "dst or src of the token is expected here");
    if (kind != 4) a->r->at += 4;
    if (byte > 7) return gen_wants(a, from, "one token at most is expected here");
    a->swsb = (uint8_t)(byte ? byte : kind << 4 | (unsigned)value);
    if (!byte) return true;
    const bool takes = gen_takes_token(a->shape);
    if (kind != (takes ? 4u : 2u))
        return gen_wants(a, from,
            takes ? "with a distance %s takes a token: $1"
                  : "with a distance %s waits for a "
                    "token's destination: $1.dst",
            a->row->name);
    a->swsb = (uint8_t)(0x80 | byte << 4 | (unsigned)value);
    return true;
}

/* F@1, I@1, L@1, A@1, @1, and tokens, where distances count the instructions of a pipe. */
static bool read_pipe_wait(struct gen_assembly *a)
{
    static const struct {
        char letter;
        uint8_t code;
    } pipes[] = {{'A', 8}, {'F', 0x10}, {'I', 0x18}, {'L', 0x50}};
    const char *from = a->r->at;
    const bool takes = gen_takes_token(a->shape), token = *from == '$';
    unsigned pipe = 0;
    int64_t value;
    for (size_t i = 0; i < sizeof pipes / sizeof *pipes; i++)
        if (toupper((unsigned char)*from) == pipes[i].letter) pipe = pipes[i].code;
    a->r->at += pipe ? 2 : 1;
    if (!gen_read_int(a, !token, token ? 15 : 7, token ? "the token" : "the distance", &value)) return false;
    unsigned byte = pipe | (unsigned)value, old = a->swsb;
    if (token) {
        static const char *const kinds[] = {".dst", ".src"};
        byte |= 0x40;
        for (unsigned i = 0; i < 2; i++)
            if (strncasecmp(a->r->at, kinds[i], 4) == 0) {
                byte = (unsigned)value | (i ? 0x30 : 0x20);
                a->r->at += 4;
            }
        if (*a->r->at == '.') return gen_wants(a, a->r->at + 1, "dst or src of the token is expected here");
    }
    if (!old) {
        a->swsb = (uint8_t)byte;
        return true;
    }
    const bool distance = gen_pipe_of(old) != NULL;
    if (old & 0x80 || distance != token)
        return gen_wants(a, from, "one %s at most is expected here", token ? "token" : "distance");
    const unsigned of = token ? byte : old, by = token ? old : byte;
    if (of >> 4 != (takes ? 4u : 2u))
        return gen_wants(a, from,
            takes ? "with a distance %s takes a token: $1"
                  : "with a distance %s waits for a token's destination: $1.dst",
            a->row->name);
    if ((by & 0x78) != (a->shape == GEN_SEND ? 8u : 0u))
        return gen_wants(a, from,
            a->shape == GEN_SEND ? "with a token %s waits for all pipes: A@1"
                                 : "with a token the pipe of %s is not said: @1",
            a->row->name);
    a->swsb = (uint8_t)(0x80 | (by & 7) << 4 | (of & 15));
    return true;
}

/* A distance may come after the token: IGA accepts both orders. */
static bool read_waits(struct gen_assembly *a)
{
    if (!a->eu->scoreboard) return gen_wants(a, a->r->at, "%s has no scoreboard in its instructions", a->r->isa->name);
    if (a->eu->pipes) return read_pipe_wait(a);
    if (*a->r->at == '@' && a->swsb > 7) {
        const unsigned old = a->swsb, kind = old >> 4;
        const char *from = a->r->at;
        const bool takes = a->shape == GEN_SEND || a->shape == GEN_MATH;
        int64_t value;
        a->r->at++;
        if (!gen_read_int(a, 1, 7, "the distance", &value)) return false;
        if (old & 0x80 || kind != (takes ? 4u : 2u))
            return gen_wants(a, from, "a distance does not go with this token");
        a->swsb = (uint8_t)(0x80 | (unsigned)value << 4 | (old & 15));
        return true;
    }
    return read_scoreboard(a);
}

enum option {
    NO_DD_CLR,
    NO_DD_CHK,
    ATOMIC,
    SWITCH,
    NO_PREEMPT,
    ACC_WR_EN,
    BRANCH_CTRL,
    BREAKPOINT,
    COMPACTED,
    NATIVE,
    EOT,
    SERIAL,
    EX_BSO,
    COARSE,
    ALIGN16,
    ALIGN1,
    NO_MASK,
    NOTHING
};
static const struct {
    char name[12];
    uint8_t is;
} options[] = {{"NoDDClr", NO_DD_CLR}, {"NoDDChk", NO_DD_CHK}, {"Atomic", ATOMIC}, {"Switch", SWITCH},
    {"NoPreempt", NO_PREEMPT}, {"AccWrEn", ACC_WR_EN}, {"BranchCtrl", BRANCH_CTRL}, {"Breakpoint", BREAKPOINT},
    {"Compacted", COMPACTED}, {"NoCompact", NATIVE}, {"EOT", EOT}, {"Serialize", SERIAL}, {"ExBSO", EX_BSO},
    {"CPS", COARSE}, {"Align16", ALIGN16}, {"Align1", ALIGN1}, {"NoMask", NO_MASK}, {"AccWrEnable", ACC_WR_EN},
    {"WE_all", NO_MASK}, {"WE_normal", NOTHING}}; /* Mesa's; its other options have the same names */

static bool option_fits(struct gen_assembly *a, enum option o)
{
    const bool send = a->shape == GEN_SEND, branch = a->shape >= GEN_JUMP;
    switch (o) {
    case NO_DD_CLR:
    case NO_DD_CHK:
    case SWITCH: return a->eu->dependency_hints;
    case NO_PREEMPT: return a->eu->no_preempt;
    case ALIGN16: return a->eu->align16 && !a->iga;
    case ALIGN1:
    case NO_MASK: return !a->iga;
    case ACC_WR_EN:
        if (a->iga && a->eu->column == GEN_COLUMN_e8 && send) return false;
        return a->eu->column != GEN_COLUMN_e2 || (!send && !branch);
    case BRANCH_CTRL: return a->eu->branch_control && branch && !a->iga;
    case EOT: return send;
    case SERIAL: return a->eu->fused && send;
    case EX_BSO:
    case COARSE: return a->eu->bindless_offsets && send;
    default: return true;
    }
}

static bool set_option(struct gen_assembly *a, const char *at, enum option o)
{
    if (a->mesa && a->eu->branch_control && a->shape >= GEN_JUMP && o == ACC_WR_EN)
        o = BRANCH_CTRL; /* as Mesa prints the bit */
    if (!option_fits(a, o)) return gen_wants(a, at, "%s of %s has no such option", a->row->name, a->r->isa->name);
    switch (o) {
    case NO_DD_CLR: a->no_dd_clr = true; break;
    case NO_DD_CHK: a->no_dd_chk = true; break;
    case ATOMIC:
    case SWITCH:
    case NO_PREEMPT: {
        const uint8_t code = o == ATOMIC ? 1 : o == SWITCH ? 2 : 3;
        if (!a->iga && a->thread_ctrl && a->thread_ctrl != code) /* IGA uses the last one */
            return gen_wants(a, at, "Atomic, Switch and NoPreempt do not go together");
        if (a->thread_ctrl == 3 && o == SWITCH) break; /* IGA lets NoPreempt win */
        a->thread_ctrl = code;
        break;
    }
    case ACC_WR_EN: a->acc_wr_en = true; break;
    case BRANCH_CTRL: a->branch_ctrl = true; break;
    case BREAKPOINT: a->breakpoint = true; break;
    case COMPACTED: a->compacted = true; break;
    case NATIVE: a->native = true; break;
    case EOT: a->eot = true; break;
    case SERIAL: a->serialize = true; break;
    case EX_BSO: a->ex_bso = true; break;
    case COARSE: a->cps = true; break;
    case ALIGN16: a->align16 = true; break;
    case ALIGN1:
    case NOTHING: break;
    case NO_MASK: a->no_mask = true; break;
    }
    return true;
}

static bool read_option(struct gen_assembly *a)
{
    gpudbg_reading_ends(a->r);
    const char *p = a->r->at;
    int64_t value;
    bool found;
    if (*p == '@' || *p == '$') return read_waits(a);
    if (a->eu->pipes && p[0] && p[1] == '@' && strchr("AFILafil", *p)) return read_waits(a);
    const size_t n = gen_letters(p);
    if (gen_is_named(p, n, "SWSB") && p[n] == '=' && a->eu->scoreboard) {
        a->r->at += n + 1;
        if (!gen_read_int(a, 0, 255, "the byte of the scoreboard", &value)) return false;
        a->swsb = (uint8_t)value;
        return true;
    }
    if (!a->iga && a->eu->dependency_hints && gen_is_named(p, n, "ThreadCtrl") && p[n] == '=') {
        a->r->at += n + 1;
        gpudbg_reading_takes(a->r, '#');
        if (!gen_read_int(a, 0, 3, "the thread control", &value)) return false;
        a->thread_ctrl = (uint8_t)value;
        return true;
    }
    if (!read_index(a, p, n, &found)) return false;
    if (found) return true;
    if (!a->iga && n == 2 && isdigit((unsigned char)p[1]) && p[1] != '0' && strchr("QNHqnh", *p))
        return read_channels(a, p, n);
    if (a->mesa && n > 1 && isdigit((unsigned char)*p) && strchr("QNH", p[n - 1])) return read_mesa_channels(a, p, n);
    for (size_t i = 0; i < sizeof options / sizeof *options && n; i++)
        if (gen_is_named(p, n, options[i].name)) {
            a->r->at += n;
            return set_option(a, p, (enum option)options[i].is);
        }
    return gen_wants(a, p,
        a->mesa  ? "an option is expected here: align1 WE_all 1Q 1H compacted atomic AccWrEnable %s"
        : a->iga ? "an option is expected here: Compacted AccWrEn Atomic Breakpoint %s"
                 : "an option is expected here: Q1 N1 H2 NoMask Compacted AccWrEn Atomic Breakpoint %s",
        a->eu->scoreboard ? "EOT Serialize @1 $1"
        : a->iga          ? "Switch NoDDClr NoDDChk EOT"
        : a->mesa         ? "align16 switch NoDDClr NoDDChk EOT"
                          : "Align16 Switch NoDDClr NoDDChk EOT");
}

bool gen_read_options(struct gen_assembly *a)
{
    static const char form[] = "the options end with a brace";
    if (!gpudbg_reading_takes(a->r, '{')) return true;
    if (gpudbg_reading_takes(a->r, '}')) return true;
    do {
        if (!read_option(a)) return false;
        gpudbg_reading_ends(a->r);
    } while (gpudbg_reading_takes(a->r, ',') || (*a->r->at && *a->r->at != '}'));
    return gen_read_char(a, '}', form);
}
