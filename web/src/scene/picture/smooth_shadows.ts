import * as THREE from 'three';

const kNoisy = /float phi = interleavedGradientNoise[\s\S]*?\) \* 0\.2;/;

// Each read compares four texels and blends between them; nine reads a little more than a texel apart, the middle ones
// counting most, make an edge that is smooth over about five texels.
const kSmooth = /* glsl */ `
  shadow = 0.0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      shadow += (i == 0 ? 2.0 : 1.0) * (j == 0 ? 2.0 : 1.0) *
          texture(shadowMap, vec3(shadowCoord.xy + vec2(float(i), float(j)) * radius, shadowCoord.z));
  shadow /= 16.0;`;

/** A chunk of a shader with edges of shadows that are smooth. @throws where the chunk is not as expected */
export function smooth_shadows(chunk: string): string {
  if (!kNoisy.test(chunk)) throw new Error('three.js reads its shadow map in another way now');
  return chunk.replace(kNoisy, kSmooth);
}

/**
 * three.js reads its shadow maps at places that noise turns round, which needs a temporal filter to look smooth; without
 * one, edges are stippled.
 */
export function use_smooth_shadows(): void {
  const chunks = THREE.ShaderChunk as { shadowmap_pars_fragment: string };
  if (kNoisy.test(chunks.shadowmap_pars_fragment))
    chunks.shadowmap_pars_fragment = smooth_shadows(chunks.shadowmap_pars_fragment);
}
