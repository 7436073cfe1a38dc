/* Images of all kinds: programs to read, not to run. */
__constant sampler_t S = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
__kernel void images(read_only image2d_t in, write_only image2d_t out, read_only image3d_t v, read_only image2d_array_t arr) {
  int2 p = (int2)(get_global_id(0), get_global_id(1)); float4 c = read_imagef(in, S, (float2)(p.x * 0.01f, p.y * 0.02f)); c += read_imagef(v, S, (float4)(c.x, c.y, c.z, 0)); c += read_imagef(arr, p.x > 3 ? (int4)(p, 2, 0) : (int4)(p.yx, 1, 0)); write_imagef(out, p, c * (float)get_image_width(in)); }
__kernel void imagesi(read_only image1d_t in, write_only image2d_t out, read_write image2d_t rw) { int i = get_global_id(0); int4 c = read_imagei(in, i); write_imagei(out, (int2)(i, c.x), c + 1); uint4 d = read_imageui(rw, (int2)(i, i)); write_imageui(rw, (int2)(i, i), d ^ 5u); }
