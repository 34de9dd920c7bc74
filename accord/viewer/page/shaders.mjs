/** Programs of the graphics card: land, bodies and sky. */

const FOG = `
uniform vec3 u_fog;
uniform float u_far;
vec3 veiled (vec3 colour, float distance) {
  float haze = clamp((distance / u_far - 0.62) / 0.38, 0.0, 1.0);
  return mix(colour, u_fog, haze * haze);
}
`
const LAND_VERTEX = `#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in vec3 a_place;
layout(location = 1) in float a_texture;
layout(location = 2) in vec4 a_more;
uniform mat4 u_view;
uniform vec3 u_offset;
uniform sampler2D u_light;
out vec3 v_at;
out vec3 v_light;
out vec3 v_relative;
flat out int v_face;
flat out int v_flags;
flat out float v_texture;
  const float SHADES[7] = float[7](0.52, 1.0, 0.8, 0.8, 0.64, 0.64, 0.92);
void main () {
  v_at = a_place / 64.0;
  v_relative = v_at + u_offset;
  v_face = int(a_more.y);
  int more = int(a_more.z);
  v_flags = more & 48;
  v_texture = a_texture;
  int light = int(a_more.x);
  float shade = (v_flags & 16) != 0 ? 1.0 : SHADES[v_face] * (0.55 + 0.15 * float(more & 3));
  v_light = texelFetch(u_light, ivec2(light & 15, light >> 4), 0).rgb * shade;
  // A quarter of a pixel beyond its edges: between squares of different sizes the sky would shine through.
  vec3 first = v_face < 4 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 0.0, 1.0);
  vec3 second = v_face < 2 ? vec3(0.0, 0.0, 1.0) : vec3(0.0, 1.0, 0.0);
  int ends = int(a_more.w);
  vec3 beyond = v_face == 6 ? vec3(0.0) : first * float((ends & 1) * 2 - 1) + second * float((ends & 2) - 1);
  gl_Position = u_view * vec4(v_relative + beyond * length(v_relative) * 0.0006, 1.0);
}`
const LAND_PIXEL = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2DArray;
in vec3 v_at;
in vec3 v_light;
in vec3 v_relative;
flat in int v_face;
flat in int v_flags;
flat in float v_texture;
uniform sampler2DArray u_textures;
uniform bool u_clear;
out vec4 colour;
${FOG}
void main () {
  vec2 uv = v_face < 2 ? v_at.xz : v_face == 2 ? vec2(-v_at.x, -v_at.y) : v_face == 4 ? vec2(v_at.z, -v_at.y)
    : v_face == 5 ? vec2(-v_at.z, -v_at.y) : vec2(v_at.x, -v_at.y);
  vec4 texel = texture(u_textures, vec3(uv, v_texture));
  float distance = length(v_relative);
  if ((v_flags & 32) != 0) {
    float glance = 1.0 - abs(normalize(v_relative).y);
    texel = vec4(mix(vec3(0.149, 0.345, 0.745), u_fog, 0.45 * glance * glance), 0.62 + 0.2 * glance);
  } else if (!u_clear) {
    if (texel.a < 0.5) discard;
    texel.a = 1.0;
  } else if (texel.a < 0.02) discard;
  colour = vec4(veiled(texel.rgb * v_light, distance), texel.a);
}`
const BODY_VERTEX = `#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in vec4 a_place;
layout(location = 1) in vec3 a_low;
layout(location = 2) in vec3 a_high;
layout(location = 3) in vec4 a_paint;
layout(location = 4) in vec4 a_dye;
uniform mat4 u_view;
uniform sampler2D u_light;
out vec2 v_uv;
out vec3 v_light;
out float v_distance;
flat out float v_texture;
  const float SHADES[6] = float[6](0.52, 1.0, 0.8, 0.8, 0.64, 0.64);
  const int ORDER[6] = int[6](0, 1, 2, 0, 2, 3);
void main () {
  int face = gl_VertexID / 6;
  int corner = ORDER[gl_VertexID % 6];
  float a = corner == 1 || corner == 2 ? 1.0 : 0.0;
  float b = corner >= 2 ? 1.0 : 0.0;
  float side = float(face & 1);
  vec3 share = face < 2 ? vec3(a, side, b) : face < 4 ? vec3(a, b, side) : vec3(side, b, a);
  v_uv = face < 2 ? vec2(a, b) : vec2(a, 1.0 - b);
  vec3 at = mix(a_low, a_high, share);
  float turn = radians(a_place.w);
  vec3 turned = vec3(at.x * cos(turn) - at.z * sin(turn), at.y, at.x * sin(turn) + at.z * cos(turn));
  vec3 relative = turned + a_place.xyz;
  v_texture = face == 3 ? a_paint.y : face == 1 ? a_paint.z : a_paint.x;
  int light = int(a_paint.w);
  v_light = texelFetch(u_light, ivec2(light & 15, light >> 4), 0).rgb * SHADES[face] * a_dye.rgb;
  v_distance = length(relative);
  gl_Position = u_view * vec4(relative, 1.0);
}`
const BODY_PIXEL = `#version 300 es
precision highp float;
precision highp sampler2DArray;
in vec2 v_uv;
in vec3 v_light;
in float v_distance;
flat in float v_texture;
uniform sampler2DArray u_textures;
out vec4 colour;
${FOG}
void main () {
  vec4 texel = texture(u_textures, vec3(v_uv, v_texture));
  if (texel.a < 0.5) discard;
  colour = vec4(veiled(texel.rgb * v_light, v_distance), 1.0);
}`
const SKY_VERTEX = `#version 300 es
precision highp float;
uniform vec3 u_forward;
uniform vec3 u_right;
uniform vec3 u_up;
out vec3 v_ray;
void main () {
  vec2 at = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  v_ray = u_forward + u_right * at.x + u_up * at.y;
  gl_Position = vec4(at, 0.9999, 1.0);
}`
const SKY_PIXEL = `#version 300 es
precision highp float;
in vec3 v_ray;
uniform vec3 u_zenith;
uniform vec3 u_fog;
uniform vec3 u_sun;
uniform float u_open;
out vec4 colour;
void main () {
  vec3 ray = normalize(v_ray);
  float up = ray.y > 0.0 ? 1.0 - (1.0 - ray.y) * (1.0 - ray.y) : 0.0;
  vec3 found = mix(u_fog, u_zenith, up);
  float along = dot(ray.xy, u_sun.xy);
  float across = max(abs(ray.x * u_sun.y - ray.y * u_sun.x), abs(ray.z));
  if (u_open > 0.5 && ray.y > -0.05) {
    if (along > 0.0 && across < 0.085) found = vec3(1.0, 0.957, 0.745);
    else if (along < 0.0 && across < 0.06) found = vec3(0.839, 0.863, 0.91);
  }
  colour = vec4(found, 1.0);
}`

/** Vertex and pixel program of each. @type {Readonly<Record<string, [string, string]>>} */
export const SHADERS = Object.freeze({ land: [LAND_VERTEX, LAND_PIXEL], body: [BODY_VERTEX, BODY_PIXEL],
  sky: [SKY_VERTEX, SKY_PIXEL] })
