// One primitive for every body: a sphere cut into octants whose corners are pulled apart, and whose poles
// may be widened to discs. By its instance's numbers it is a sphere, a capsule, a tapered limb, a rounded box or
// a cylinder, so a whole crowd is a single draw call.
import * as THREE from 'three';
import type { Vec3 } from '../../state/values/quaternion';
import { kReadPose, type PoseTexture } from './pose_texture';
import type { Primitive } from './rounded_geometry';
import { kSurfaceCode, kSurfaces, type Surface } from './surfaces';

/** Numbers of one instance: half extents of the inner box (m), radii, and how the bottom differs. */
export interface RoundedShape {
  readonly half: readonly [number, number, number];
  readonly top: number; // radius at +z, m
  readonly bottom: number; // radius at -z, m
  readonly taper: number; // factor on the inner box's x and y, and on the disc, at -z
  readonly disc?: number; // radius of a flat end, m, to which `top` and `bottom` add; 0 where left out
}

/** The look of an instance. */
export interface Coat {
  readonly color: THREE.Color;
  readonly surface: Surface;
  readonly seed: number; // 0 to 1: no two planks are alike
}

/** Where an instance is: on a link, or in the world. */
export interface Placed {
  readonly position: Vec3; // m, in the link's frame
  readonly rotation: readonly [number, number, number, number] | undefined; // undefined: none
  readonly scale: Vec3;
}

/** The kind of a material: bodies with their surfaces, plain shapes, shadows, the outline around bodies, or marks. */
export type RoundedUse = 'coated' | 'plain' | 'depth' | 'outline' | 'mark';

/** Where a shader has the numbers of its parts from. */
export interface PartSource {
  readonly name: string;
  readonly declare: string; // GLSL: the numbers of a part, by their names
  readonly begin: string; // GLSL: reads them
  readonly link: string; // GLSL: sets roundLinkAt and roundLinkTurn, where its link is
  readonly veil: string; // GLSL: how much of it is left out
  readonly uniforms: Readonly<Record<string, THREE.IUniform>>;
}

const kDeclare = /* glsl */ `
attribute vec3 corner;
uniform float firstRow;     // rad, from the pole
`;
/** Each instance is a part, on a link whose row in the poses it knows. */
const kByParts: PartSource = {
  name: 'parts',
  declare: /* glsl */ `
attribute vec4 roundPlace;  // m, in the frame of the link; the link's row in the poses
attribute vec4 roundTurn;   // quaternion, in the frame of the link
attribute vec4 roundScale;  // three factors, seed
attribute vec4 roundHalf;   // half extents of the inner box, radius at the top
attribute vec4 roundEnd;    // radius at the bottom, taper, glow, disc
attribute vec4 roundColor;  // and surface
${kReadPose}
`,
  begin: '',
  link: 'roundLink(roundPlace.w, roundLinkAt, roundLinkTurn);',
  veil: 'roundVeil(roundPlace.w)',
  uniforms: {},
};
const kDeclareCoat = /* glsl */ `
varying vec3 vRoundPoint;   // m, in the frame of the part
varying vec3 vRoundFacing;  // normal, in the frame of the part
varying vec3 vRoundSize;    // half extents, m
varying vec3 vRoundCoat;    // surface, seed, glow
varying vec3 vRoundColor;
varying float vRoundVeil;   // how many of its pixels are left out
`;

// At the sides of a tapered shape the normal leans by the slope of the side. The flat end of a disc reaches to
// the first row of the sphere: the rows from there on make its rim.
const normal_of = ({ begin, link }: PartSource) => /* glsl */ `
${begin}
float roundDisc = roundEnd.w;
vec3 roundSide = position;
if (roundDisc > 0.0) {
  float across = length(position.xy);
  float tilt = max(0.0, (atan(across, abs(position.z)) - firstRow) / (1.5707963 - firstRow)) * 1.5707963;
  vec2 away = across > 1e-6 ? position.xy / across : vec2(0.0);
  roundSide = vec3(away * sin(tilt), sign(position.z) * cos(tilt));
  if (abs(position.z) < 1e-6) roundSide = vec3(away, 0.0);
}
float roundSlope = (roundEnd.x - roundHalf.w
    + (roundEnd.y - 1.0) * (max(roundHalf.x, roundHalf.y) + roundDisc)) / max(2.0 * roundHalf.z, 0.001);
float roundLean = step(0.0005, roundHalf.z) * length(roundSide.xy);
vec3 roundFacing = normalize(vec3(roundSide.xy, roundSide.z + clamp(roundSlope, -1.5, 1.5) * roundLean));
vec3 roundLinkAt;
vec4 roundLinkTurn;
${link}
vec3 objectNormal = roundTurned(roundLinkTurn, roundTurned(roundTurn, roundFacing / roundScale.xyz));
`;

const kPosition = /* glsl */ `
float roundBottom = step(corner.z, 0.0);
float roundTaper = mix(1.0, roundEnd.y, roundBottom);
float roundAcross = length(position.xy);
vec3 transformed = corner * roundHalf.xyz * vec3(vec2(roundTaper), 1.0)
    + roundSide * mix(roundHalf.w, roundEnd.x, roundBottom);
if (roundDisc > 0.0 && roundAcross > 1e-6)
  transformed.xy += position.xy / roundAcross * roundDisc * roundTaper;
vec3 roundPoint = transformed * roundScale.xyz;
transformed = roundLinkAt + roundTurned(roundLinkTurn, roundPlace.xyz + roundTurned(roundTurn, roundPoint));
`;
const coat_of = ({ veil }: PartSource) => /* glsl */ `
vRoundPoint = roundPoint;
vRoundFacing = roundFacing;
vRoundSize = (roundHalf.xyz + vec3(vec2(roundDisc), 0.0) + max(roundHalf.w, roundEnd.x)) * roundScale.xyz;
vRoundCoat = vec3(roundColor.w, roundScale.w, roundEnd.z);
vRoundColor = roundColor.rgb;
vRoundVeil = ${veil};
`;

// Samples of pixels are left out by noise, so that nothing has to be sorted; whole pixels where the picture has no samples.
const kVeil = /* glsl */ `
if (vRoundVeil > 0.001) {
  float roundNoise = fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy), vec2(0.06711056, 0.00583715))));
  float roundLeft = floor((1.0 - vRoundVeil) * roundSamples + roundNoise) / roundSamples;
  if (roundLeft <= 0.0) discard;
  diffuseColor.a = roundLeft;
}`;
const kSamples = 4; // of a pixel, as browsers have it

/** Lets the alpha of a pixel choose how many of its samples are drawn; the picture itself stays opaque. */
function cover_by_alpha(material: THREE.Material): void {
  material.alphaToCoverage = true;
  material.blending = THREE.CustomBlending;
  [material.blendSrc, material.blendDst] = [THREE.OneFactor, THREE.ZeroFactor];
  [material.blendSrcAlpha, material.blendDstAlpha] = [THREE.ZeroFactor, THREE.OneFactor];
}

/**
 * Makes a material draw rounded shapes.
 * @param primitive that it is used with
 * @param poses of the links
 * @param use of the material; 'outline' widens shapes by `outline`, in metres at a metre from the eye
 * @param source of the numbers of the parts: by default each instance has its own
 */
export function make_rounded<T extends THREE.Material>(
  material: T,
  use: RoundedUse,
  primitive: Primitive,
  poses: PoseTexture,
  outline: { readonly value: number } = { value: 0 },
  source: PartSource = kByParts,
): T {
  const coated = use === 'coated';
  const declare = `${kDeclare}${source.declare}${coated ? kDeclareCoat : ''}`;
  const normal = normal_of(source);
  if (coated) cover_by_alpha(material);
  material.onBeforeCompile = (shader, renderer) => {
    const sampled = renderer.getContext().getContextAttributes()?.antialias === true;
    shader.uniforms['roundSamples'] = { value: sampled ? kSamples : 1 };
    shader.uniforms['poses'] = poses.uniform;
    Object.assign(shader.uniforms, source.uniforms);
    shader.uniforms['firstRow'] = { value: primitive.first_row_rad };
    shader.uniforms['outline'] = outline;
    // Shadows and outlines need no normals in their own shaders, but the position is built on them.
    const lit = use === 'coated' || use === 'plain';
    const begin = `${lit ? '' : normal}${kPosition}\n${coated ? coat_of(source) : ''}`;
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>\n${declare}`)
      .replace('#include <beginnormal_vertex>', lit ? normal : '')
      .replace('#include <begin_vertex>', begin);
    if (use === 'outline') widen(shader);
    if (use === 'plain') tint(shader);
    if (use === 'mark') shade(shader);
    if (!coated) return;
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        `#include <common>\nuniform float roundSamples;\nvarying float vRoundVeil;\n${kSurfaces.declare}`,
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>\n${kVeil}\ndiffuseColor.rgb *= vRoundColor;\n${kSurfaces.color}`,
      )
      .replace('#include <roughnessmap_fragment>', 'float roughnessFactor = coat.roughness;')
      .replace('#include <metalnessmap_fragment>', 'float metalnessFactor = coat.metalness;')
      .replace(
        '#include <emissivemap_fragment>',
        `#include <emissivemap_fragment>
        float rim = pow(1.0 - abs(dot(normalize(vViewPosition), normal)), 2.5);
        totalEmissiveRadiance += vRoundCoat.z * (0.10 + 0.9 * rim) * vec3(1.0, 0.82, 0.45);
        // Light that the ground and the sky throw back softens the edges of cloth.
        totalEmissiveRadiance += diffuseColor.rgb * (rim * coat.softness + coat.light);`,
      );
  };
  // One program for all primitives: compiling is most of what there is to wait for before the first picture.
  material.customProgramCacheKey = () => `rounded-${use}-${source.name}`;
  return material;
}

type Shader = THREE.WebGLProgramParametersWithUniforms;

/** Gives each instance its colour as it is. */
function tint(shader: Shader): void {
  shader.vertexShader = shader.vertexShader
    .replace('#include <common>', '#include <common>\nvarying vec3 vRoundColor;')
    .replace(
      '#include <project_vertex>',
      'vRoundColor = roundColor.rgb;\n#include <project_vertex>',
    );
  shader.fragmentShader = shader.fragmentShader
    .replace('#include <common>', '#include <common>\nvarying vec3 vRoundColor;')
    .replace(
      '#include <color_fragment>',
      '#include <color_fragment>\ndiffuseColor.rgb *= vRoundColor;',
    );
}

/** Colours that are the same in any light, darker at the edges, so that marks stand out from whatever is behind them. */
function shade(shader: Shader): void {
  tint(shader);
  shader.vertexShader = shader.vertexShader
    .replace('#include <common>', '#include <common>\nvarying float vRoundFront;')
    .replace(
      '#include <project_vertex>',
      '#include <project_vertex>\nvRoundFront = normalize(normalMatrix * objectNormal).z;',
    );
  shader.fragmentShader = shader.fragmentShader
    .replace('#include <common>', '#include <common>\nvarying float vRoundFront;')
    .replace(
      '#include <color_fragment>',
      '#include <color_fragment>\ndiffuseColor.rgb *= mix(0.35, 1.0, smoothstep(0.1, 0.75, vRoundFront));',
    );
}

/** Makes shapes wider by the same number of pixels everywhere, and puts them behind the body that they outline. */
function widen(shader: Shader): void {
  tint(shader);
  shader.vertexShader = shader.vertexShader
    .replace('#include <common>', '#include <common>\nuniform float outline;')
    .replace(
      '#include <project_vertex>',
      `float roundDepth = -(modelViewMatrix * vec4(transformed, 1.0)).z;
      transformed += normalize(objectNormal) * outline * max(roundDepth, 0.0);
      #include <project_vertex>
      vec4 roundBehind = projectionMatrix * (mvPosition - vec4(0.0, 0.0, 0.35, 0.0));
      gl_Position.z = roundBehind.z / roundBehind.w * gl_Position.w;`,
    );
}

const kFloats = 24; // of an instance
/** Of three's layers: what is seen only by the camera of the sun's shadows. */
export const kShadowLayer = 1;
const kUnturned = [0, 0, 0, 1] as const;

/** Instances of a primitive, with room for `capacity`. Only the poses change from picture to picture. */
export class RoundedMesh {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.Material>;
  private readonly numbers_: THREE.InstancedInterleavedBuffer;
  private changed_from_ = Infinity;
  private changed_to_ = 0;

  constructor(
    primitive: Primitive,
    material: THREE.Material,
    readonly capacity: number,
  ) {
    const geometry = new THREE.InstancedBufferGeometry().copy(primitive.geometry);
    const numbers = new Float32Array(kFloats * capacity);
    this.numbers_ = new THREE.InstancedInterleavedBuffer(numbers, kFloats);
    ['Place', 'Turn', 'Scale', 'Half', 'End', 'Color'].forEach((name, i) =>
      geometry.setAttribute(
        `round${name}`,
        new THREE.InterleavedBufferAttribute(this.numbers_, 4, 4 * i),
      ),
    );
    geometry.instanceCount = 0;
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.visible = false; // while it is empty: or three.js compiles its shaders before they are needed
    this.mesh.frustumCulled = false;
  }

  /** Casts shadows, by a material that is made with the same primitive and poses. */
  cast_shadows(depth: THREE.MeshDepthMaterial): this {
    this.mesh.customDepthMaterial = depth;
    this.mesh.castShadow = true;
    return this;
  }

  /** Draws nothing but shadows: the camera does not see it. */
  cast_shadows_only(depth: THREE.MeshDepthMaterial): this {
    this.mesh.layers.set(kShadowLayer);
    return this.cast_shadows(depth);
  }

  /** @param row of its link in the poses, or kNoLink */
  set_part(
    i: number,
    row: number,
    { position, rotation, scale }: Placed,
    shape: RoundedShape,
    { color, surface, seed }: Coat,
    glow = 0,
  ): void {
    const q = rotation ?? kUnturned;
    const { half } = shape;
    const out = this.numbers_.array;
    let o = kFloats * i;
    // In the order of the attributes: place, turn, scale, half, end, colour.
    out[o++] = position[0];
    out[o++] = position[1];
    out[o++] = position[2];
    out[o++] = row;
    out[o++] = q[0];
    out[o++] = q[1];
    out[o++] = q[2];
    out[o++] = q[3];
    out[o++] = scale[0];
    out[o++] = scale[1];
    out[o++] = scale[2];
    out[o++] = seed;
    out[o++] = half[0];
    out[o++] = half[1];
    out[o++] = half[2];
    out[o++] = shape.top;
    out[o++] = shape.bottom;
    out[o++] = shape.taper;
    out[o++] = glow;
    out[o++] = shape.disc ?? 0;
    out[o++] = color.r;
    out[o++] = color.g;
    out[o++] = color.b;
    out[o] = kSurfaceCode[surface];
    this.note(i);
  }

  hide_part(i: number): void {
    this.numbers_.array.fill(0, kFloats * i, kFloats * (i + 1));
    this.note(i);
  }

  /** Shows the first `count` instances, and sends to the GPU what has changed. */
  commit(count: number): void {
    this.mesh.geometry.instanceCount = count;
    this.mesh.visible = count > 0;
    if (this.changed_to_ <= this.changed_from_) return;
    const [from, to] = [kFloats * this.changed_from_, kFloats * this.changed_to_];
    this.numbers_.addUpdateRange(from, to - from);
    this.numbers_.needsUpdate = true;
    this.changed_from_ = Infinity;
    this.changed_to_ = 0;
  }

  private note(i: number): void {
    this.changed_from_ = Math.min(this.changed_from_, i);
    this.changed_to_ = Math.max(this.changed_to_, i + 1);
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
  }
}
