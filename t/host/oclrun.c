/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs one OpenCL kernel on the first device of the installed OpenCL (PoCL in our tests) and saves its buffers:
 *
 *     oclrun FILE.cl OPTIONS KERNEL -g X[,Y[,Z]] -l X[,Y[,Z]] ARG... [--save N FILE]... [--time RUNS]
 *
 * OPTIONS is one word of compiler options, "" for none.  The kernel's own parameter types say what a number means.
 * --time runs the kernel RUNS more times and prints the median in seconds; the buffers hold the first run's result.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "args.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
};

static void check(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) host_fail("%s: OpenCL error %d", what, (int)status);
}

static struct device open_device(void)
{
    cl_platform_id platform;
    struct device d;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &d.id, NULL), "device");
    d.context = clCreateContext(NULL, 1, &d.id, NULL, NULL, &status);
    check(status, "context");
    d.queue = clCreateCommandQueue(d.context, d.id, 0, &status);
    check(status, "queue");
    return d;
}

static cl_kernel build_kernel(const struct device *d, const char *path, const char *options, const char *name)
{
    size_t size;
    char *source = host_read_file(path, &size);
    cl_int status;
    cl_program program = clCreateProgramWithSource(d->context, 1, (const char **)&source, &size, &status);
    check(status, "program");
    char all[1024];
    snprintf(all, sizeof all, "-cl-kernel-arg-info %s", options);
    if (clBuildProgram(program, 1, &d->id, all, NULL, NULL) != CL_SUCCESS) {
        static char log[65536];
        clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        host_fail("%s: does not build\n%s", path, log);
    }
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, name);
    free(source);
    return kernel;
}

/* The bytes of a number of the OpenCL type `type`; returns their count. */
static size_t number_bytes(const char *type, const char *text, void *out)
{
    static const struct {
        const char *type;
        size_t size;
    } integers[] = {
        {"char", 1},
        {"uchar", 1},
        {"short", 2},
        {"ushort", 2},
        {"int", 4},
        {"uint", 4},
        {"long", 8},
        {"ulong", 8},
    };
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        if (!strcmp(type, integers[i].type)) {
            uint64_t n = strtoull(text, NULL, 0);
            memcpy(out, &n, integers[i].size);
            return integers[i].size;
        }
    }
    if (!strcmp(type, "float")) {
        float f = strtof(text, NULL);
        memcpy(out, &f, 4);
        return 4;
    }
    if (strcmp(type, "double")) host_fail("%s: a number for a parameter of type %s", text, type);
    double f = strtod(text, NULL);
    memcpy(out, &f, 8);
    return 8;
}

static cl_mem create_image(const struct device *d, const struct host_arg *arg, const char *type)
{
    static const struct {
        const char *name;
        cl_channel_order order;
        cl_channel_type type;
    } formats[] = {
        {"float4", CL_RGBA, CL_FLOAT},
        {"uint4", CL_RGBA, CL_UNSIGNED_INT32},
        {"sint4", CL_RGBA, CL_SIGNED_INT32},
        {"unorm8x4", CL_RGBA, CL_UNORM_INT8},
        {"8_8_8_8_snorm", CL_RGBA, CL_SNORM_INT8},
        {"8_8_8_8_uint", CL_RGBA, CL_UNSIGNED_INT8},
        {"16_16_16_16_unorm", CL_RGBA, CL_UNORM_INT16},
        {"16_16_16_16_float", CL_RGBA, CL_HALF_FLOAT},
        {"r32_float", CL_R, CL_FLOAT},
        {"8_unorm", CL_R, CL_UNORM_INT8},
    };
    cl_image_format format = {0, 0};
    cl_image_desc desc = {.image_type = strstr(type, "3d")         ? CL_MEM_OBJECT_IMAGE3D
                                        : strstr(type, "2d_array") ? CL_MEM_OBJECT_IMAGE2D_ARRAY
                                                                   : CL_MEM_OBJECT_IMAGE2D,
        .image_width = arg->image[0],
        .image_height = arg->image[1],
        .image_depth = strstr(type, "3d") ? arg->image[2] : 0,
        .image_array_size = strstr(type, "array") ? arg->image[2] : 0};
    cl_int status;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(formats[i].name, arg->format)) format = (cl_image_format){formats[i].order, formats[i].type};
    cl_mem mem = clCreateImage(
        d->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, arg->bytes, &status);
    check(status, arg->format);
    return mem;
}

/* A number of OpenCL's sampler constants. */
static void set_sampler(const struct device *d, cl_kernel kernel, unsigned i, const char *text)
{
    static const cl_addressing_mode modes[5] = {
        CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
    unsigned long v = strtoul(text, NULL, 0);
    cl_int status;
    cl_sampler sampler = clCreateSampler(
        d->context, v & 1, modes[v >> 1 & 7], v & 0x20 ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &status);
    check(status, text);
    check(clSetKernelArg(kernel, i, sizeof sampler, &sampler), text);
}

static void set_arg(const struct device *d, cl_kernel kernel, unsigned i, const struct host_arg *arg, cl_mem *mem)
{
    cl_int status;
    cl_kernel_arg_address_qualifier space;
    check(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL), "argument info");
    if (arg->kind == HOST_LOCAL) {
        check(clSetKernelArg(kernel, i, arg->size, NULL), arg->text);
    } else if (arg->kind == HOST_NUMBER) {
        char type[64];
        uint8_t value[8];
        check(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL), "argument info");
        if (!strcmp(type, "sampler_t")) {
            set_sampler(d, kernel, i, arg->text);
            return;
        }
        check(clSetKernelArg(kernel, i, number_bytes(type, arg->text, value), value), arg->text);
    } else if (*arg->format) {
        char type[64];
        check(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL), "argument info");
        *mem = create_image(d, arg, type);
        check(clSetKernelArg(kernel, i, sizeof *mem, mem), arg->text);
    } else if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
        check(clSetKernelArg(kernel, i, arg->size, arg->bytes), arg->text);
    } else {
        *mem = clCreateBuffer(d->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, arg->size, arg->bytes, &status);
        check(status, arg->text);
        check(clSetKernelArg(kernel, i, sizeof *mem, mem), arg->text);
    }
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_once(const struct device *d, cl_kernel kernel, const struct host_run *run)
{
    check(clEnqueueNDRangeKernel(d->queue, kernel, run->dims, NULL, run->global, run->local, 0, NULL, NULL), "run");
    check(clFinish(d->queue), "run");
}

static void time_runs(const struct device *d, cl_kernel kernel, const struct host_run *run, unsigned runs)
{
    double took[1000];
    for (unsigned i = 0; i < runs; i++) {
        double start = seconds();
        run_once(d, kernel, run);
        took[i] = seconds() - start;
    }
    qsort(took, runs, sizeof *took, by_value);
    printf("%.9f\n", took[runs / 2]);
}

int main(int argc, char **argv)
{
    struct host_run run;
    unsigned runs = 0;
    if (argc > 2 && !strcmp(argv[argc - 2], "--time")) {
        runs = (unsigned)atoi(argv[argc - 1]);
        argc -= 2;
    }
    if (argc < 4 || runs > 1000)
        host_fail("usage: oclrun FILE.cl OPTIONS KERNEL -g SIZES -l SIZES ARG... [--save N FILE]... [--time RUNS]");
    host_parse(&run, argc - 3, argv + 3);

    struct device d = open_device();
    cl_kernel kernel = build_kernel(&d, argv[1], argv[2], run.kernel);
    cl_mem mem[HOST_MAX_ARGS] = {0};
    for (unsigned i = 0; i < run.nargs; i++) set_arg(&d, kernel, i, &run.arg[i], &mem[i]);
    run_once(&d, kernel, &run);
    for (unsigned i = 0; i < run.nargs; i++)
        if (mem[i] && *run.arg[i].format) {
            size_t from[3] = {0}, to[3];
            for (unsigned k = 0; k < 3; k++) to[k] = run.arg[i].image[k] ? run.arg[i].image[k] : 1;
            check(clEnqueueReadImage(d.queue, mem[i], CL_TRUE, from, to, 0, 0, run.arg[i].bytes, 0, NULL, NULL),
                "read back");
        } else if (mem[i])
            check(clEnqueueReadBuffer(d.queue, mem[i], CL_TRUE, 0, run.arg[i].size, run.arg[i].bytes, 0, NULL, NULL),
                "read back");
    host_write_saves(&run);
    if (runs) time_runs(&d, kernel, &run, runs);
    host_free(&run);
    return 0;
}
