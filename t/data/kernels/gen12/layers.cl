// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel is told of its images, and layers of arrays.
kernel void info(read_only image2d_t a, read_only image3d_t b, read_only image2d_array_t c, read_only image1d_t d, global int *out, read_only image1d_array_t e, sampler_t s, write_only image2d_t w) {
  if (get_global_id(0)) return;
  out[0]=get_image_width(a); out[1]=get_image_height(a); out[2]=get_image_channel_data_type(a); out[3]=get_image_channel_order(a);
  out[4]=get_image_width(b); out[5]=get_image_height(b); out[6]=get_image_depth(b);
  out[7]=get_image_width(c); out[8]=get_image_height(c); out[9]=get_image_array_size(c);
  out[10]=get_image_width(d); out[11]=get_image_channel_order(d); out[12]=get_image_channel_data_type(d);
  out[13]=get_image_width(e); out[14]=get_image_array_size(e);
  float4 v=read_imagef(c, s, (float4)(0.5f,0.5f,1.f,0)); out[15]=as_int(v.x);
  v=read_imagef(e, s, (float2)(0.5f,1.f)); out[16]=as_int(v.x);
  v=read_imagef(c, (int4)(1,1,2,0)); out[17]=as_int(v.y);
  v=read_imagef(e, (int2)(1,2)); out[18]=as_int(v.y);
  out[19]=get_image_width(w); out[20]=get_image_height(w);
  write_imagef(w,(int2)(1,1),v);
}
