/* SPDX-License-Identifier: GPL-3.0-or-later */
/* port.c: from a message's addresses to bytes, by the memory door, or directly where the door is open. */
#include "message/message_run.h"

enum { BTI_STATELESS_INCOHERENT = 0xfd, BTI_SLM = 0xfe, BTI_STATELESS = 0xff };

const struct gen_surface_state *gen_surface_of(const struct gen_message *m, unsigned bti)
{
    const struct gen_setup *s = gen_setup_of(m->wave);
    if (bti == GEN_BTI_BINDLESS && gen_of(m->wave)->eu->bindless) bti = gen_handle_surface(m->ex_desc);
    return bti < sizeof s->surface / sizeof *s->surface && s->surface[bti].segment ? &s->surface[bti] : NULL;
}

/* The kernel's argument whose surface that is, or NULL. */
static const char *argument_of(const struct gpudbg_wave *w, unsigned bti)
{
    const struct gen_binary *b = gen_setup_of(w)->binary;
    const struct gpudbg_kernel *k = w->machine->launch ? w->machine->launch->kernel : NULL;
    for (size_t i = 0; b && k && i < b->nsurfaces; i++) {
        const struct gen_surface *s = &b->surfaces[i];
        if (s->bti == bti && s->kind == GEN_SURFACE_PARAM && s->param >= 0 && (size_t)s->param < k->nparams)
            return k->params[s->param].name;
    }
    return NULL;
}

bool gen_port_open(struct gen_message *m, unsigned bti, struct gen_port *p)
{
    const struct gen_setup *s = gen_setup_of(m->wave);
    const struct gen_surface_state *surface = gen_surface_of(m, bti);
    *p = (struct gen_port){.space = GPUDBG_GLOBAL, .mask = UINT32_MAX, .drops = true};
    if (bti == BTI_SLM) {
        *p = (struct gen_port){.space = GPUDBG_LOCAL, .segment = m->wave->lds, .mask = 0xffff};
        return true;
    }
    if (gen_of(m->wave)->eu->own_stateless && (bti == BTI_STATELESS || bti == BTI_STATELESS_INCOHERENT)) {
        *p = (struct gen_port){.space = GPUDBG_GLOBAL, .mask = UINT32_MAX};
        return true;
    }
    if (bti == BTI_STATELESS || (bti == BTI_STATELESS_INCOHERENT && gen_of(m->wave)->eu->incoherent)) {
        if (!s->scratch) {
            gpudbg_fault(m->wave, -1, "the message accesses scratch memory, and the thread has none");
            return false;
        }
        *p = (struct gen_port){
            .space = GPUDBG_GLOBAL, .segment = s->scratch, .base = s->scratch->base, .mask = UINT32_MAX};
        return true;
    }
    if (bti == GEN_BTI_BINDLESS && gen_of(m->wave)->eu->bindless && !surface) {
        gpudbg_fault(m->wave, -1, "no bindless surface has the state that 0x%x names", m->ex_desc);
        return false;
    }
    const char *argument = surface ? NULL : argument_of(m->wave, bti);
    if (argument) {
        gpudbg_fault(
            m->wave, -1, "argument %s was given no buffer: nothing is bound to binding table index %u", argument, bti);
        return false;
    }
    if (!surface) {
        gpudbg_fault(m->wave, -1, "binding table index %u: no surface is bound to it", bti);
        return false;
    }
    p->segment = surface->segment;
    p->base = surface->segment->base;
    return true;
}

bool gen_port_scratch(const struct gen_message *m, uint32_t state, struct gen_port *p)
{
    const struct gen_setup *s = gen_setup_of(m->wave);
    if (!s->scratch || state != GEN_SCRATCH_STATE) return false;
    const uint64_t base = s->scratch->base + (uint64_t)gen_slot(m->wave) * s->scratch_size;
    *p = (struct gen_port){.space = GPUDBG_GLOBAL, .segment = s->scratch, .base = base, .mask = UINT32_MAX};
    p->most = s->scratch_size;
    return true;
}

struct gen_port gen_port_a64(void) { return (struct gen_port){.space = GPUDBG_GLOBAL, .mask = UINT64_MAX}; }

static struct gpudbg_segment *segment_of(struct gen_message *m, struct gen_port *p, uint64_t addr, unsigned size)
{
    struct gpudbg_segment *s = p->segment;
    if (s && addr - s->base < s->size && size <= s->size - (addr - s->base)) return s;
    if (p->drops || p->space == GPUDBG_LOCAL) return NULL;
    s = gpudbg_mem_find(m->wave, p->space, addr, size);
    if (s) p->segment = s; /* the next lane is likely there as well */
    return s;
}

/* If there is no segment, the door reports the fault and does nothing else. */
bool gen_port_check(struct gen_message *m, struct gen_port *p, uint64_t addr, unsigned size, bool write, int lane)
{
    uint8_t bytes[128] = {0};
    uint64_t at = (addr & p->mask) + p->base;
    if (p->most && (addr > p->most || addr + size > p->most)) {
        gpudbg_fault(m->wave, lane, "0x%llx is outside of the thread's scratch space of %llu bytes",
            (unsigned long long)addr, (unsigned long long)p->most);
        return false;
    }
    const struct gpudbg_segment *s = segment_of(m, p, at, size);
    if (m->probe || p->drops || (s && !(write && s->flags & GPUDBG_SEG_READONLY))) return true;
    return write ? gpudbg_mem_write(m->wave, p->space, at, bytes, size, lane)
                 : gpudbg_mem_read(m->wave, p->space, at, bytes, size, lane);
}

bool gen_port_read(struct gen_message *m, struct gen_port *p, uint64_t addr, void *to, unsigned size, int lane)
{
    uint64_t at = (addr & p->mask) + p->base;
    const struct gpudbg_segment *s = segment_of(m, p, at, size);
    if (!s && p->drops) {
        gen_outside(m, p->segment, at - p->base, size, false, lane);
        memset(to, 0, size);
        return true;
    }
    if (m->probe) {
        s ? memcpy(to, s->bytes + (at - s->base), size) : memset(to, 0, size);
        return true;
    }
    if (!s || s->flags & GPUDBG_SEG_RWATCH) return gpudbg_mem_read(m->wave, p->space, at, to, size, lane);
    memcpy(to, s->bytes + (at - s->base), size);
    return true;
}

bool gen_port_write(struct gen_message *m, struct gen_port *p, uint64_t addr, const void *from, unsigned size, int lane)
{
    uint64_t at = (addr & p->mask) + p->base;
    struct gpudbg_segment *s = segment_of(m, p, at, size);
    if (!s && p->drops) {
        gen_outside(m, p->segment, at - p->base, size, true, lane);
        return true;
    }
    if (m->probe) return true;
    if (s) {
        uint64_t offset = at - s->base, first = offset >> GPUDBG_PAGE_BITS,
                 last = (offset + size - 1) >> GPUDBG_PAGE_BITS;
        uint32_t stamp = m->wave->machine->stamp;
        if (s->page[first] == stamp && s->page[last] == stamp) {
            memcpy(s->bytes + offset, from, size);
            return true;
        }
    }
    return gpudbg_mem_write(m->wave, p->space, at, from, size, lane);
}
