/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow_value.c: the values of the nodes of a program, from the scalars that a wave starts with and the present memory.
 * The inputs of a node have lower numbers than the node, so one pass is enough. */
#include "code/bits.h"
#include "flow/scalars.h"
#include <stdlib.h>
#include <string.h>
#include "files/abi.h"
#include "engine/gcn_exec.h"
#include "engine/setup.h"
#include "gcn_ops.h"

static bool is_known(const struct flow_values *v, uint32_t id) { return v->known[id]; }

static bool load(
    const struct flow_values *v, const struct flow_node *x, flow_read_fn *read, void *from, uint32_t *value)
{
    const bool buffer = x->kind == FLOW_BUFFER;
    const unsigned inputs = buffer ? 3 : 2;
    for (unsigned i = 0; i < inputs; i++)
        if (!is_known(v, x->in[i])) return false;
    if (x->in[inputs] && !is_known(v, x->in[inputs])) return false;
    const uint32_t words[2] = {v->value[x->in[0]], v->value[x->in[1]]}, lo = words[0], hi = words[1];
    const int64_t constant = x->part ? (int32_t)x->imm : (int64_t)x->imm;
    const uint32_t more = x->in[inputs] ? v->value[x->in[inputs]] : 0;
    if (!buffer) return read(from, ((lo | (uint64_t)hi << 32) + more + (uint64_t)constant) & ~UINT64_C(3), value);
    const uint32_t stride = GET(words, V_SHARP, stride);
    const uint64_t size = (uint64_t)v->value[x->in[2]] * (stride ? stride : 1);
    const uint64_t offset = (more + (uint64_t)constant) & ~UINT64_C(3);
    *value = 0; /* outside of the buffer */
    if (size < 4 || offset > size - 4) return true;
    return read(from, (GET_LONG(words, V_SHARP, base_address) + offset) & ~UINT64_C(3), value);
}

static uint32_t field(uint32_t value, uint32_t what, bool is_signed)
{
    const uint32_t offset = what & 31, width = what >> 16 & 0x7f;
    const uint64_t mask = width >= 32 ? UINT32_MAX : (UINT64_C(1) << width) - 1;
    uint64_t got = value >> offset & mask;
    if (is_signed && width && offset + width >= 32) return (uint32_t)((int32_t)value >> offset);
    if (is_signed && width && width < 32 && got >> (width - 1)) got |= ~mask;
    return (uint32_t)got;
}

/* The dword `part` of an operation on in[], or its carry.  false: addresses are not computed with this operation. */
static bool operate(const struct flow_node *x, const uint32_t in[FLOW_INPUTS], uint32_t *value)
{
    const uint32_t a = in[0], b = in[1], carry = x->n > 2 ? in[2] & 1 : 0;
    const uint64_t pair = a | (uint64_t)b << 32, other = in[2] | (uint64_t)in[3] << 32;
    const bool scc = x->part == FLOW_SCC;
    uint64_t result;
    switch (x->op) {
    case GCN_s_add_u32: result = (uint64_t)a + b; break;
    case GCN_s_addc_u32: result = (uint64_t)a + b + carry; break;
    case GCN_s_sub_u32: result = (uint64_t)a - b; break;
    case GCN_s_subb_u32: result = (uint64_t)a - b - carry; break;
    default: goto other;
    }
    *value = scc ? result >> 32 != 0 : (uint32_t)result;
    return true;
other:
    if (scc) return false;
    switch (x->op) {
    case GCN_s_add_i32:
    case GCN_s_addk_i32: *value = a + b; return true;
    case GCN_s_sub_i32: *value = a - b; return true;
    case GCN_s_mul_i32:
    case GCN_s_mulk_i32: *value = a * b; return true;
    case GCN_s_and_b32: *value = a & b; return true;
    case GCN_s_or_b32: *value = a | b; return true;
    case GCN_s_xor_b32: *value = a ^ b; return true;
    case GCN_s_andn2_b32: *value = a & ~b; return true;
    case GCN_s_lshl_b32: *value = a << (b & 31); return true;
    case GCN_s_lshr_b32: *value = a >> (b & 31); return true;
    case GCN_s_ashr_i32: *value = (uint32_t)((int32_t)a >> (b & 31)); return true;
    case GCN_s_mul_hi_u32: *value = (uint32_t)((uint64_t)a * b >> 32); return true;
    case GCN_s_lshl1_add_u32: *value = (a << 1) + b; return true;
    case GCN_s_lshl2_add_u32: *value = (a << 2) + b; return true;
    case GCN_s_lshl3_add_u32: *value = (a << 3) + b; return true;
    case GCN_s_lshl4_add_u32: *value = (a << 4) + b; return true;
    case GCN_s_pack_ll_b32_b16: *value = (a & 0xffff) | b << 16; return true;
    case GCN_s_bfe_u32: *value = field(a, b, false); return true;
    case GCN_s_bfe_i32: *value = field(a, b, true); return true;
    case GCN_s_cselect_b32: *value = in[2] ? a : b; return true;
    case GCN_s_cselect_b64: *value = in[4] ? in[x->part] : in[2 + x->part]; return true;
    case GCN_s_bitset0_b32: return false;
    case GCN_s_and_b64: result = pair & other; break;
    case GCN_s_or_b64: result = pair | other; break;
    case GCN_s_xor_b64: result = pair ^ other; break;
    case GCN_s_lshl_b64: result = pair << (in[2] & 63); break;
    case GCN_s_lshr_b64: result = pair >> (in[2] & 63); break;
    default: return false;
    }
    *value = (uint32_t)(result >> 32 * x->part);
    return true;
}

bool flow_values(const struct flow *f, const uint32_t *start, const uint8_t known[16], flow_read_fn *read, void *from,
    struct flow_values *v, struct gpudbg_error *err)
{
    size_t n;
    const struct flow_node *node = flow_nodes(f, &n);
    *v = (struct flow_values){malloc(n * sizeof *v->value), calloc(n, 1)};
    if (!v->value || !v->known) {
        flow_values_free(v);
        return gpudbg_fail(err, "memory", "the code's values: out of memory");
    }
    v->value[0] = 0;
    for (size_t i = 1; i < n; i++) {
        const struct flow_node *x = &node[i];
        uint32_t in[FLOW_INPUTS] = {0}, value = 0;
        bool all = true;
        for (unsigned k = 0; k < x->n; k++) {
            in[k] = v->value[x->in[k]];
            all = all && is_known(v, x->in[k]);
        }
        switch (x->kind) {
        case FLOW_START:
            all = x->imm < GCN_CODE_INT && known[x->imm / 8] >> x->imm % 8 & 1;
            value = all ? start[x->imm] : 0;
            break;
        case FLOW_CONST: value = x->imm; break;
        case FLOW_LOAD:
        case FLOW_BUFFER: all = load(v, x, read, from, &value); break;
        case FLOW_OP: all = all && operate(x, in, &value); break;
        default: all = false;
        }
        v->value[i] = value;
        v->known[i] = all;
    }
    return true;
}

void flow_values_free(struct flow_values *v)
{
    free(v->value);
    free(v->known);
    *v = (struct flow_values){NULL, NULL};
}

/* ---- Present registers and memory ---- */

static bool read_wave(void *from, uint64_t addr, uint32_t *dword)
{
    struct gpudbg_segment *s = gpudbg_mem_find(from, GPUDBG_GLOBAL, addr, 4);
    if (s) *dword = le_u32(s->bytes + (addr - s->base));
    return s != NULL;
}

static bool read_image(void *from, uint64_t addr, uint32_t *dword)
{
    size_t n;
    const uint8_t *b = gpudbg_image_bytes(from, addr, &n);
    if (b && n >= 4) *dword = le_u32(b);
    return b && n >= 4;
}

unsigned flow_user_registers(const struct gpudbg_image *image, const struct gpudbg_kernel *kernel)
{
    const struct gcn_abi *abi = kernel ? kernel->abi : NULL;
    if (abi) return GET(abi->rsrc2, RSRC2, user_sgpr);
    for (size_t i = 0; image && i < image->nfacts; i++)
        if (strcmp(image->facts[i].key, "rsrc2") == 0) return GET((uint32_t)image->facts[i].value, RSRC2, user_sgpr);
    return 16;
}

/* Start values of scalars that the file itself gives: "user s4" of dumps with registers. */
static void start_of_file(const struct gpudbg_image *image, uint32_t start[GCN_CODE_INT], uint8_t known[16])
{
    for (size_t i = 0; i < image->nfacts; i++) {
        unsigned reg;
        int end = 0;
        if (sscanf(image->facts[i].key, "user s%u%n", &reg, &end) != 1 || image->facts[i].key[end] || reg >= 104)
            continue;
        start[reg] = (uint32_t)image->facts[i].value;
        known[reg / 8] |= (uint8_t)(1u << reg % 8);
    }
}

bool flow_values_now(struct gpudbg *g, const struct flow *f, struct flow_values *v, struct gpudbg_error *err)
{
    struct gpudbg_wave *w = gpudbg_session_wave(g);
    struct gpudbg_image *image = gpudbg_session_image(g);
    uint32_t start[GCN_CODE_INT] = {0};
    uint8_t known[16] = {0};
    if (w && is_gcn(w->machine->isa) && gcn_first_scalars(w, start)) {
        memset(known, 0xff, sizeof known);
        return flow_values(f, start, known, read_wave, w, v, err);
    }
    start_of_file(image, start, known);
    return flow_values(f, start, known, read_image, image, v, err);
}
