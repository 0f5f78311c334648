// Ground that is no plane: height fields, and the floors and walls of pits.
import * as THREE from 'three';
import type { HeightField, Pit } from '../../gen/promenade/v1/scene_pb';
import { heights_of, kBottomless_m, pit_quads } from '../../state/ground/ground_shape';
import { color_of, roughness_of } from './blocks';

const kSkirt_m = 1; // a height field is solid down to this below its lowest point
const kEarth = new THREE.Color('#7a6a58');
const kDepths = new THREE.Color('#15161a');
const kDark_m = 6; // of depth at which a pit without a floor is dark

/** Squares of a metre, so that a slope reads; heavier at every fifth. */
const kRuled = /* glsl */ `
vec2 reliefBlur = fwidth(vRelief);
float reliefFade = 1.0 - smoothstep(0.15, 0.9, max(reliefBlur.x, reliefBlur.y));
vec2 reliefD = abs(fract(vRelief - 0.5) - 0.5);
vec2 reliefLine = 1.0 - smoothstep(vec2(0.008), vec2(0.008) + max(reliefBlur, vec2(1e-4)), reliefD);
diffuseColor.rgb *= 1.0 - 0.3 * reliefFade * max(reliefLine.x, reliefLine.y) * step(0.5, vReliefTop);
float reliefTone = fract(sin(dot(floor(vRelief), vec2(41.3, 289.1))) * 23758.5453) - 0.5;
diffuseColor.rgb *= 1.0 + 0.08 * reliefTone * reliefFade;
`;

function field_geometry(field: HeightField): THREE.BufferGeometry {
  const { columns, rows } = field;
  const [size_x = 1, size_y = 1] = field.sizeM;
  const heights = heights_of(field);
  const positions: number[] = [];
  const top: number[] = [];
  const indices: number[] = [];
  const point = (column: number, row: number): [number, number, number] => [
    (column / (columns - 1) - 0.5) * size_x,
    (row / (rows - 1) - 0.5) * size_y,
    heights[row * columns + column] as number,
  ];
  for (let row = 0; row < rows; ++row)
    for (let column = 0; column < columns; ++column) {
      positions.push(...point(column, row));
      top.push(1);
    }
  for (let row = 0; row + 1 < rows; ++row)
    for (let column = 0; column + 1 < columns; ++column) {
      const a = row * columns + column;
      indices.push(a, a + 1, a + columns + 1, a, a + columns + 1, a + columns);
    }
  const bottom = heights.reduce((least, z) => Math.min(least, z), Infinity) - kSkirt_m;
  const around: (readonly [number, number])[] = [
    ...Array.from({ length: columns - 1 }, (_, k) => [k, 0] as const),
    ...Array.from({ length: rows - 1 }, (_, k) => [columns - 1, k] as const),
    ...Array.from({ length: columns - 1 }, (_, k) => [columns - 1 - k, rows - 1] as const),
    ...Array.from({ length: rows - 1 }, (_, k) => [0, rows - 1 - k] as const),
  ];
  around.forEach((from, k) => {
    const to = around[(k + 1) % around.length] ?? from;
    const first = positions.length / 3;
    const [a, b] = [point(...from), point(...to)];
    positions.push(...a, ...b, b[0], b[1], bottom, a[0], a[1], bottom);
    top.push(0, 0, 0, 0);
    indices.push(first, first + 2, first + 1, first, first + 3, first + 2);
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute('reliefTop', new THREE.Float32BufferAttribute(top, 1));
  geometry.setIndex(indices);
  geometry.computeVertexNormals();
  return geometry;
}

function field_mesh(field: HeightField): THREE.Mesh {
  const material = new THREE.MeshStandardMaterial({
    color: color_of(field.color, field.material?.friction),
    roughness: roughness_of(field.material?.friction),
  });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        '#include <common>\nattribute float reliefTop; varying float vReliefTop; varying vec2 vRelief;',
      )
      .replace(
        '#include <begin_vertex>',
        '#include <begin_vertex>\nvRelief = position.xy; vReliefTop = reliefTop;',
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        '#include <common>\nvarying float vReliefTop; varying vec2 vRelief;',
      )
      .replace('#include <color_fragment>', `#include <color_fragment>\n${kRuled}`);
  };
  material.customProgramCacheKey = () => 'relief';
  const mesh = new THREE.Mesh(field_geometry(field), material);
  const [x = 0, y = 0, z = 0] = field.centerM;
  mesh.position.set(x, y, z);
  mesh.rotation.z = THREE.MathUtils.degToRad(field.yawDeg);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

function pits_mesh(pits: readonly Pit[]): THREE.Mesh {
  const positions: number[] = [];
  const colors: number[] = [];
  const indices: number[] = [];
  const color = new THREE.Color();
  for (const { corners, kind } of pit_quads(pits)) {
    const first = positions.length / 3;
    // A shaft without a floor is cut, so that it gets dark near its top.
    const [a, b, c, d] = corners;
    const deep = kind === 'wall' && a[2] <= -kBottomless_m;
    const middle = deep ? Math.max(a[2], c[2] - kDark_m) : a[2];
    const rows = deep ? [a[2], middle, c[2]] : [a[2], c[2]];
    if (kind === 'floor') {
      positions.push(...a, ...b, ...c, ...d);
      for (let k = 0; k < 4; ++k) colors.push(...color.copy(kEarth).toArray());
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
      continue;
    }
    rows.forEach((z, row) => {
      positions.push(a[0], a[1], z, b[0], b[1], z);
      const dark = deep ? Math.min(1, -z / kDark_m) : Math.min(0.5, -z / kDark_m);
      color.copy(kEarth).lerp(kDepths, dark);
      colors.push(...color.toArray(), ...color.toArray());
      if (row === 0) return;
      const low = first + 2 * (row - 1);
      indices.push(low, low + 1, low + 3, low, low + 3, low + 2);
    });
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 3));
  geometry.setIndex(indices);
  const flat = geometry.toNonIndexed();
  geometry.dispose();
  flat.computeVertexNormals();
  const mesh = new THREE.Mesh(
    flat,
    new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.95 }),
  );
  mesh.receiveShadow = true;
  return mesh;
}

export class Relief {
  readonly object = new THREE.Group();

  constructor(fields: readonly HeightField[], pits: readonly Pit[]) {
    for (const field of fields)
      if (field.columns > 1 && field.rows > 1) this.object.add(field_mesh(field));
    if (pits.length > 0) this.object.add(pits_mesh(pits));
  }

  dispose(): void {
    this.object.removeFromParent();
    for (const mesh of this.object.children as THREE.Mesh[]) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
    }
  }
}
