// The materials of bodies. The shader computes them from the place on the part alone, so there are no textures to load
// and one material serves all bodies.

export type Surface =
  | 'cloth'
  | 'smooth'
  | 'fur'
  | 'wood'
  | 'crate'
  | 'staves'
  | 'panels'
  | 'metal'
  | 'rubber'
  | 'domino'
  | 'stone'
  | 'chain'
  | 'rope'
  | 'door'
  | 'leaves'
  | 'glow'
  | 'tabby'
  | 'feathers'
  | 'bristles';

export const kSurfaceCode: Readonly<Record<Surface, number>> = {
  cloth: 0,
  smooth: 1,
  fur: 2,
  wood: 3,
  crate: 4,
  staves: 5,
  panels: 6,
  metal: 7,
  rubber: 8,
  domino: 9,
  stone: 10,
  chain: 11,
  rope: 12,
  door: 13,
  leaves: 14,
  glow: 15,
  tabby: 16,
  feathers: 17,
  bristles: 18,
};

const code = (surface: Surface) => `${kSurfaceCode[surface]}`;

const kDeclareSurfaces = /* glsl */ `
varying vec3 vRoundPoint;
varying vec3 vRoundFacing;
varying vec3 vRoundSize;
varying vec3 vRoundCoat;
varying vec3 vRoundColor;
struct Coat { vec3 color; float roughness; float metalness; float softness; float light; };

float coatHash(vec3 p) { return fract(sin(dot(p, vec3(127.1, 311.7, 74.7))) * 43758.5453); }
float coatNoise(vec3 p) {
  vec3 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  vec4 low = vec4(coatHash(i), coatHash(i + vec3(1, 0, 0)), coatHash(i + vec3(0, 1, 0)), coatHash(i + vec3(1, 1, 0)));
  vec4 high = vec4(coatHash(i + vec3(0, 0, 1)), coatHash(i + vec3(1, 0, 1)), coatHash(i + vec3(0, 1, 1)), coatHash(i + vec3(1, 1, 1)));
  vec4 z = mix(low, high, f.z);
  vec2 y = mix(z.xy, z.zw, f.y);
  return mix(y.x, y.y, f.x);
}
// 1 within half_width of the line d = 0, smooth over a pixel.
float coatLine(float d, float half_width) {
  float w = max(fwidth(d), 1e-6);
  return (1.0 - smoothstep(half_width - w, half_width + w, abs(d))) * min(1.0, 2.0 * half_width / w);
}
// Grain of wood: along is a length on the plank, across two lengths, all in units of the plank's width.
vec3 coatWood(vec3 color, float along, vec2 across, float seed) {
  vec3 p = vec3(along * 0.35 + seed * 37.0, across.x * 2.2 + seed * 11.0, across.y * 2.2);
  float bend = coatNoise(p * 1.3);
  float fade = 1.0 - smoothstep(0.08, 0.5, fwidth(across.x) + fwidth(across.y));
  float ring = sin((across.x + across.y * 0.6 + bend * 0.55) * 22.0) * 0.5 + 0.5;
  float fine = coatNoise(vec3(p.x * 6.0, p.yz * 26.0)) - 0.5;
  color *= 1.0 + (seed - 0.5) * 0.16;
  color *= 1.0 + fade * (0.10 * (ring - 0.5) + 0.16 * fine);
  return mix(color, color * vec3(0.9, 0.78, 0.62), 0.35 * bend);
}
// The two coordinates on the visible face: face.z is the greatest component of the normal.
void coatFace(vec3 p, vec3 size, vec3 n, out vec2 at, out vec2 half_, out float axis) {
  vec3 a = abs(n);
  if (a.x > a.y && a.x > a.z) { at = p.yz; half_ = size.yz; axis = 0.0; }
  else if (a.y > a.z) { at = p.xz; half_ = size.xz; axis = 1.0; }
  else { at = p.xy; half_ = size.xy; axis = 2.0; }
}
float coatPip(vec2 p, vec2 at, float r) {
  float d = length(p - at) - r;
  float w = max(fwidth(d), 1e-6);
  return 1.0 - smoothstep(-w, w, d);
}

Coat paint(vec3 color) {
  vec3 p = vRoundPoint, size = vRoundSize, n = normalize(vRoundFacing);
  float seed = vRoundCoat.y;
  int kind = int(vRoundCoat.x + 0.5);
  Coat coat = Coat(color, 0.72, 0.0, 0.12, 0.0);
  float least = min(size.x, min(size.y, size.z)), most = max(size.x, max(size.y, size.z));
  if (kind == ${code('smooth')}) {
    coat.roughness = 0.42; coat.softness = 0.04;
  } else if (kind == ${code('fur')}) {
    float hair = coatNoise(p / max(most, 1e-6) * vec3(60.0, 60.0, 18.0)) - 0.5;
    coat.color *= 1.0 + 0.28 * hair; coat.roughness = 0.95; coat.softness = 0.3;
  } else if (kind == ${code('tabby')}) {
    // Stripes across the part, broken and bent as those of a cat.
    float thick = max(least, 1e-6);
    float hair = coatNoise(p / max(most, 1e-6) * vec3(60.0, 60.0, 18.0)) - 0.5;
    float bend = coatNoise(p / thick * 1.4 + seed * 23.0);
    float across = sin(p.z / thick * 5.2 + bend * 3.4) * 0.5 + 0.5;
    float broken = smoothstep(0.25, 0.55, coatNoise(p / thick * vec3(1.1, 1.1, 0.4) + 7.0));
    float stripe = smoothstep(0.5, 0.72, across) * broken;
    coat.color *= mix(vec3(1.0), vec3(0.42, 0.36, 0.33), 0.8 * stripe) * (1.0 + 0.28 * hair);
    coat.roughness = 0.95; coat.softness = 0.3;
  } else if (kind == ${code('feathers')}) {
    // Rows of scales along the part, each row set off by half a feather.
    float thick = max(least, 1e-6);
    float row = p.z / thick * 3.2, turn = atan(p.y, p.x) / 6.2831853 * 12.0 + 0.5 * mod(floor(row), 2.0);
    vec2 at = vec2(fract(turn) - 0.5, fract(row));
    float tone = coatHash(vec3(floor(turn), floor(row), seed * 5.0)) - 0.5;
    float fade = 1.0 - smoothstep(0.3, 1.0, fwidth(p.z / thick * 3.2));
    float edge = smoothstep(0.15, 0.75, at.y + 1.9 * at.x * at.x);
    coat.color *= 1.0 + fade * (0.22 * tone + 0.34 * (edge - 0.6));
    coat.roughness = 0.85; coat.softness = 0.25;
  } else if (kind == ${code('bristles')}) {
    float hair = coatNoise(p / max(most, 1e-6) * vec3(70.0, 70.0, 24.0));
    coat.color *= 0.55 + 0.9 * hair * hair; coat.roughness = 0.9; coat.softness = 0.45;
  } else if (kind == ${code('glow')}) {
    coat.roughness = 0.3; coat.softness = 0.0; coat.light = 1.0;
  } else if (kind == ${code('leaves')}) {
    // Leaves of about five centimetres, darker deep in the bush.
    float leaf = coatNoise(p * 26.0 + seed * 31.0), deep = coatNoise(p * 9.0 + seed * 17.0);
    coat.color *= 0.72 + 0.5 * leaf * deep + 0.22 * deep;
    coat.roughness = 0.95; coat.softness = 0.1;
  } else if (kind == ${code('wood')}) {
    // The grain runs along the longest side.
    float width = max(2.0 * (size.x + size.y + size.z - least - most), 1e-6);
    vec3 q = size.x >= size.y && size.x >= size.z ? p : size.y >= size.z ? p.yxz : p.zxy;
    coat.color = coatWood(color, q.x / width, q.yz / width * 1.6, seed);
    coat.roughness = 0.78; coat.softness = 0.05;
  } else if (kind == ${code('crate')}) {
    vec2 at, half_; float axis;
    coatFace(p, size, n, at, half_, axis);
    float frame = 0.17 * min(half_.x, half_.y);
    vec2 edge = half_ - abs(at);
    float inner = min(edge.x, edge.y) - frame;
    float board = 2.0 * half_.y / 5.0;
    float slat = (at.y + half_.y) / board;
    float brace = abs(at.x * half_.y - at.y * half_.x) / length(half_) - 0.6 * frame;
    float on_brace = step(brace, 0.0) * step(0.0, inner);
    float tone = coatHash(vec3(floor(slat), axis + sign(dot(n, vec3(1.0))), seed * 9.0));
    vec3 slats = coatWood(color * 0.86, at.x / board, vec2(slat, axis), tone);
    vec3 rails = coatWood(color * 1.08, edge.x < edge.y ? at.y / frame * 0.3 : at.x / frame * 0.3,
        edge / frame, seed);
    vec3 braces = coatWood(color * 1.02, dot(at, normalize(half_)) / frame * 0.3, vec2(brace / frame), seed * 0.7);
    coat.color = mix(slats, braces, on_brace);
    coat.color = mix(coat.color, rails, step(inner, 0.0));
    float gap = coatLine(fract(slat + 0.5) - 0.5, 0.03) * step(0.0, inner) * (1.0 - on_brace);
    float groove = max(coatLine(inner, 0.05 * frame), coatLine(brace, 0.05 * frame) * step(0.0, inner));
    coat.color *= 1.0 - 0.55 * max(gap, groove);
    // Shadow of the frame on the slats.
    coat.color *= 1.0 - 0.22 * (1.0 - smoothstep(0.0, 0.7 * frame, inner)) * step(0.0, inner) * (1.0 - on_brace);
    float nail = max(coatPip(edge, vec2(0.5 * frame), 0.13 * frame), 0.0);
    coat.color = mix(coat.color, vec3(0.16), nail * 0.8);
    coat.roughness = 0.82; coat.softness = 0.04;
  } else if (kind == ${code('staves')}) {
    float turn = atan(p.y, p.x) / 6.2831853;
    float stave = turn * 18.0;
    float tone = coatHash(vec3(floor(stave), seed * 7.0, 3.0));
    bool end = abs(n.z) > 0.8;
    float width = 6.2831853 * max(size.x, 1e-6) / 18.0;
    float lid = (p.x + size.x) / (size.x * 0.34);
    coat.color = end ? coatWood(color * 0.9, p.y / (size.x * 0.34), vec2(lid, 0.0), coatHash(vec3(floor(lid), seed, 1.0)))
        : coatWood(color, p.z / width, vec2(fract(stave), 0.3), tone);
    float gap = end ? coatLine(fract(lid + 0.5) - 0.5, 0.03) : coatLine(fract(stave + 0.5) - 0.5, 0.035);
    coat.color *= 1.0 - 0.5 * gap;
    coat.roughness = 0.75; coat.softness = 0.05;
  } else if (kind == ${code('panels')}) {
    // Six panels meet at the poles; every second one is white.
    vec3 d = normalize(p / max(size, vec3(1e-6)));
    float panel = atan(d.y, d.x) / 6.2831853 * 6.0;
    float light_ = step(0.5, fract(panel * 0.5));
    float seam = coatLine((fract(panel + 0.5) - 0.5) * length(d.xy), 0.015);
    float cap = abs(d.z) - 0.93;
    // Panels of a white ball are set off by dark ones.
    vec3 other = dot(color, vec3(0.33)) > 0.55 ? vec3(0.10, 0.11, 0.14) : vec3(0.92, 0.89, 0.82);
    coat.color = mix(color, other, light_);
    coat.color = mix(coat.color, color * 0.5, max(step(0.0, cap), coatLine(cap, 0.006)));
    coat.color *= 1.0 - 0.5 * seam;
    coat.roughness = 0.45; coat.softness = 0.05;
  } else if (kind == ${code('metal')}) {
    float brushed = coatNoise(p / max(most, 1e-6) * vec3(90.0, 90.0, 4.0)) - 0.5;
    coat.color *= 1.0 + 0.1 * brushed; coat.roughness = 0.38; coat.metalness = 0.75; coat.softness = 0.02;
  } else if (kind == ${code('rubber')}) {
    coat.roughness = 0.9; coat.softness = 0.05;
  } else if (kind == ${code('domino')}) {
    vec2 at, half_; float axis;
    coatFace(p, size, n, at, half_, axis);
    // Pips on the two large faces.
    float thin = least == size.x ? 0.0 : least == size.y ? 1.0 : 2.0;
    if (axis == thin) {
      if (half_.x > half_.y) { at = at.yx; half_ = half_.yx; }
      float u = half_.x;
      vec2 q = vec2(at.x, abs(at.y) - 0.5 * half_.y);
      float upper = step(0.0, at.y);
      float count = 1.0 + floor(coatHash(vec3(seed, upper, 5.0)) * 6.0);
      float r = 0.13 * u, s = 0.5 * u, dots = 0.0;
      if (mod(count, 2.0) == 1.0) dots += coatPip(q, vec2(0.0), r);
      if (count > 1.5) dots += coatPip(q, vec2(-s, -s), r) + coatPip(q, vec2(s, s), r);
      if (count > 3.5) dots += coatPip(q, vec2(-s, s), r) + coatPip(q, vec2(s, -s), r);
      if (count > 5.5) dots += coatPip(q, vec2(-s, 0.0), r) + coatPip(q, vec2(s, 0.0), r);
      float bar = coatLine(at.y, 0.03 * u) * step(abs(at.x), 0.8 * u);
      vec3 ink = dot(color, vec3(0.33)) > 0.25 ? vec3(0.05, 0.05, 0.07) : vec3(0.92, 0.9, 0.85);
      coat.color = mix(coat.color, ink, clamp(dots + bar, 0.0, 1.0));
    }
    coat.roughness = 0.32; coat.softness = 0.03;
  } else if (kind == ${code('stone')}) {
    float grain = coatNoise(p / max(least, 1e-6) * 14.0) - 0.5 + 0.6 * (coatNoise(p / max(least, 1e-6) * 3.0) - 0.5);
    coat.color *= 1.0 + 0.2 * grain; coat.roughness = 0.92; coat.softness = 0.03;
  } else if (kind == ${code('chain')} || kind == ${code('rope')}) {
    float r = max(min(size.x, size.y), 1e-6), along = p.z / r;
    float turn = atan(p.y, p.x);
    if (kind == ${code('chain')}) {
      float link = fract(along / 5.0 + 0.25 * step(0.0, sin(turn * 2.0)));
      coat.color *= 0.55 + 0.6 * smoothstep(0.0, 0.2, link) * smoothstep(1.0, 0.8, link);
      coat.metalness = 0.7; coat.roughness = 0.4;
    } else {
      float strand = fract(along / 3.5 + turn / 6.2831853 * 3.0);
      coat.color *= 0.7 + 0.4 * smoothstep(0.0, 0.35, strand) * smoothstep(1.0, 0.65, strand);
      coat.roughness = 0.95;
    }
  } else if (kind == ${code('door')}) {
    vec2 at, half_; float axis;
    coatFace(p, size, n, at, half_, axis);
    float thin = least == size.x ? 0.0 : least == size.y ? 1.0 : 2.0;
    coat.color = coatWood(color, at.y / (0.5 * half_.x + 1e-6) * 0.5, vec2(at.x / (0.5 * half_.x + 1e-6), axis), seed);
    if (axis == thin) {
      // Two columns of sunk panels, the upper ones taller.
      vec2 cell = vec2(abs(at.x) - 0.46 * half_.x, at.y);
      float low = at.y < -0.1 * half_.y ? 1.0 : 0.0;
      vec2 room = vec2(0.32 * half_.x, low > 0.5 ? 0.33 * half_.y : 0.43 * half_.y);
      cell.y -= low > 0.5 ? -0.53 * half_.y : 0.42 * half_.y;
      vec2 d = abs(cell) - room;
      float inside = max(d.x, d.y), bevel = 0.07 * half_.x;
      coat.color *= 1.0 - 0.42 * coatLine(inside, 0.18 * bevel) - 0.16 * step(inside, 0.0) * (1.0 - smoothstep(0.0, bevel, -inside));
    }
    coat.roughness = 0.6; coat.softness = 0.04;
  }
  return coat;
}
`;

/** Pieces of a fragment shader. */
export const kSurfaces = {
  declare: kDeclareSurfaces,
  color: 'Coat coat = paint(diffuseColor.rgb);\ndiffuseColor.rgb = coat.color;',
} as const;
