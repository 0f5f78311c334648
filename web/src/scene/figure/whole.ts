// Figures that are one instance each: their parts are in the geometry, what these are is in a texture of bodies, and
// where their links are is read from the strides of people who walk like them, or from their own poses.
import * as THREE from 'three';
import { kPhases } from '../../state/gait/gait_table';
import { kBodyRow, kPartTexels, kWholeParts, type BodyTexture } from './body_texture';
import type { GaitTexture } from './gait_texture';
import { kPaletteRow, kPaletteTints, type PaletteTexture } from './palette_texture';
import { kReadLinks, type PoseTexture } from './pose_texture';
import type { PartSource } from './rounded';
import type { Primitive } from './rounded_geometry';

/** Textures of bodies, strides and colours that the shader reads. */
export interface WholeTextures {
  readonly poses: PoseTexture;
  readonly gaits: GaitTexture;
  readonly bodies: BodyTexture;
  readonly palettes: PaletteTexture;
}

const kDeclare = /* glsl */ `
attribute float part;
attribute vec4 wholePlace;  // of the root, m; how much of it is left out
attribute vec4 wholeTurn;   // of the root
attribute vec4 wholeGait;   // first link of its table, phase, how far from standing to walking; first row of its own poses
attribute vec4 wholeLook;   // body, palette, how far to its own poses, seed
uniform highp sampler2D poses;
uniform highp sampler2D gaits;
uniform highp sampler2D bodies;
uniform sampler2D palettes;
${kReadLinks}
vec4 roundPlace, roundTurn, roundScale, roundHalf, roundEnd, roundColor;
float wholeLinks;

vec4 wholeTexel(int k) {
  int texel = (int(wholeLook.x + 0.5) * ${kWholeParts} + int(part + 0.5)) * ${kPartTexels} + k;
  return texelFetch(bodies, ivec2(texel % ${kBodyRow}, texel / ${kBodyRow}), 0);
}
// A colour of the body's file, 8 bits each as a screen has them, in linear light.
vec3 wholePaint(int hex) {
  vec3 c = vec3(hex >> 16, (hex >> 8) & 255, hex & 255) / 255.0;
  return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}
void wholePart() {
  roundPlace = wholeTexel(0);
  roundTurn = wholeTexel(1);
  roundScale = wholeTexel(2);
  roundHalf = wholeTexel(3);
  vec4 end = wholeTexel(4);
  vec4 tint = wholeTexel(5);
  wholeLinks = roundScale.w;
  // A body with fewer parts than the geometry: the rest are points.
  if (wholeLinks < 0.5) { roundScale = vec4(1e-6); roundTurn = vec4(0.0, 0.0, 0.0, 1.0); }
  roundScale.w = fract(wholeLook.w + tint.y);
  roundEnd = vec4(end.xy, 0.0, end.z);
  int color = int(wholeLook.y + 0.5) * ${kPaletteTints} + int(tint.x + 0.5);
  vec3 worn = texelFetch(palettes, ivec2(color % ${kPaletteRow}, color / ${kPaletteRow}), 0).rgb;
  roundColor = vec4(tint.z > 0.5 ? wholePaint(int(tint.z + 0.5) - 1) : worn, end.w);
}
vec4 wholeTimes(vec4 a, vec4 b) {
  return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}
void wholeLink(out vec3 at, out vec4 turn) {
  int links = int(wholeLinks + 0.5);
  int link = int(roundPlace.w + 0.5);
  at = vec3(0.0);
  turn = vec4(0.0, 0.0, 0.0, 1.0);
  float own = wholeGait.w < 0.0 ? 0.0 : wholeLook.z;
  if (own < 1.0) {
    int table = int(wholeGait.x + 0.5) + link;
    float along = fract(wholeGait.y) * ${kPhases}.0;
    int a = int(along) % ${kPhases};
    int b = (a + 1) % ${kPhases};
    float t = fract(along);
    int p = 2 * (table + a * links), q = 2 * (table + b * links), still = 2 * (table + ${kPhases} * links);
    vec3 walkAt = mix(roundTexel(gaits, p).xyz, roundTexel(gaits, q).xyz, t);
    vec4 walkTurn = mix(roundTexel(gaits, p + 1), roundTexel(gaits, q + 1), t);
    at = mix(roundTexel(gaits, still).xyz, walkAt, wholeGait.z);
    turn = normalize(mix(roundTexel(gaits, still + 1), walkTurn, wholeGait.z));
  }
  if (own > 0.0) {
    int row = 2 * (int(wholeGait.w + 0.5) + link);
    vec4 ownTurn = roundTexel(poses, row + 1);
    at = mix(at, roundTexel(poses, row).xyz, own);
    turn = normalize(mix(turn, dot(turn, ownTurn) < 0.0 ? -ownTurn : ownTurn, own));
  }
  at = wholePlace.xyz + roundTurned(wholeTurn, at);
  turn = wholeTimes(wholeTurn, turn);
}
`;

/** Reads parts by the number of a vertex's part, of the body that its instance names. */
export function whole_source({ gaits, bodies, palettes }: WholeTextures): PartSource {
  return {
    name: 'whole',
    declare: kDeclare,
    begin: 'wholePart();',
    link: 'wholeLink(roundLinkAt, roundLinkTurn);',
    veil: 'wholePlace.w',
    uniforms: {
      gaits: gaits.uniform,
      bodies: bodies.uniform,
      palettes: palettes.uniform,
    },
  };
}

/** A primitive for each of the first parts of a body, in one geometry. */
export function whole_primitive(primitive: Primitive, parts: number): Primitive {
  const { geometry: one, first_row_rad } = primitive;
  const geometry = new THREE.InstancedBufferGeometry();
  const vertices = one.getAttribute('position').count;
  for (const name of ['position', 'normal', 'corner']) {
    const values = one.getAttribute(name).array;
    const all = new Float32Array(values.length * parts);
    for (let k = 0; k < parts; ++k) all.set(values, k * values.length);
    geometry.setAttribute(name, new THREE.BufferAttribute(all, 3));
  }
  const part = Float32Array.from({ length: vertices * parts }, (_, i) => Math.floor(i / vertices));
  geometry.setAttribute('part', new THREE.BufferAttribute(part, 1));
  const indices = [...(one.getIndex()?.array ?? [])];
  geometry.setIndex(
    Array.from({ length: parts }, (_, k) => indices.map((i) => i + k * vertices)).flat(),
  );
  one.dispose();
  return { geometry, first_row_rad };
}
