import * as THREE from 'three';
import { expect, test } from 'vitest';
import { smooth_shadows, use_smooth_shadows } from '../src/scene/picture/smooth_shadows';

test('edges of shadows are read without noise, with the three.js that is installed', () => {
  // Of the lights with a flat shadow map; the page has no other.
  const reading = () => {
    const chunk = THREE.ShaderChunk.shadowmap_pars_fragment;
    const start = chunk.indexOf('float getShadow( sampler2DShadow');
    return chunk.slice(start, chunk.indexOf('return mix', start));
  };
  expect(reading()).toContain('interleavedGradientNoise( gl_FragCoord');
  use_smooth_shadows();
  use_smooth_shadows(); // a second picture on the page changes nothing more
  expect(reading()).not.toContain('interleavedGradientNoise( gl_FragCoord');
  expect(reading().match(/shadow \/= 16\.0;/g)).toHaveLength(1);
});

test('another chunk is refused, or the noise would be back unnoticed', () => {
  expect(() => smooth_shadows('float getShadow() { return 1.0; }')).toThrow(/another way/);
});
