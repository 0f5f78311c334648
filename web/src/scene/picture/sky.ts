import * as THREE from 'three';
import { kOrder } from './draw_order';
import type { Palette } from './palette';

const kRadius_m = 400;

const kVertex = /* glsl */ `
varying vec3 vDirection;
void main() {
  vDirection = position;
  vec4 p = projectionMatrix * mat4(mat3(modelViewMatrix)) * vec4(position, 1.0);
  gl_Position = p.xyww;
}`;

const kFragment = /* glsl */ `
uniform vec3 zenith, horizon, glow, sunDirection;
uniform float below; // 1 where there is no ground: the sky goes on downward, and gets dark
varying vec3 vDirection;
float hash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
float noise(vec2 p) {
  vec2 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x), mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), f.x), f.y);
}
void main() {
  vec3 d = normalize(vDirection);
  float up = max(d.z, 0.0);
  vec3 sky = mix(horizon, zenith, 1.0 - exp(-3.2 * up));
  sky = mix(sky, zenith * 0.22, below * (1.0 - exp(-2.2 * max(-d.z, 0.0))));
  float sun = max(dot(d, sunDirection), 0.0);
  sky = mix(sky, glow, 0.45 * pow(sun, 6.0) + 0.4 * pow(sun, 48.0));
  sky += glow * smoothstep(0.9994, 0.9998, sun) * 3.0;
  // High thin cloud, thinner towards the horizon.
  vec2 plane = d.xy / (d.z + 0.12) * 1.6;
  float cloud = noise(plane) * 0.55 + noise(plane * 2.3 + 7.0) * 0.3 + noise(plane * 5.1) * 0.15;
  cloud = smoothstep(0.5, 0.85, cloud) * smoothstep(0.03, 0.3, up);
  sky = mix(sky, mix(horizon, vec3(1.0), 0.55) + glow * 0.12 * sun, cloud * 0.5);
  gl_FragColor = vec4(sky, 1.0);
  #include <colorspace_fragment>
}`;

/** The dome of the sky, with the sun in it. World frame (z up). */
export class Sky {
  readonly mesh: THREE.Mesh<THREE.SphereGeometry, THREE.ShaderMaterial>;

  constructor() {
    const material = new THREE.ShaderMaterial({
      vertexShader: kVertex,
      fragmentShader: kFragment,
      side: THREE.BackSide,
      depthWrite: false,
      toneMapped: false, // as the fog is, which must meet it at the horizon
      uniforms: {
        zenith: { value: new THREE.Color() },
        horizon: { value: new THREE.Color() },
        glow: { value: new THREE.Color() },
        sunDirection: { value: new THREE.Vector3() },
        below: { value: 0 },
      },
    });
    this.mesh = new THREE.Mesh(new THREE.SphereGeometry(kRadius_m, 32, 24), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = kOrder.sky;
  }

  set_below(on: boolean): void {
    (this.mesh.material.uniforms['below'] as THREE.IUniform).value = on ? 1 : 0;
  }

  apply(palette: Palette): void {
    const { uniforms } = this.mesh.material;
    (uniforms['zenith'] as THREE.IUniform).value = palette.zenith;
    (uniforms['horizon'] as THREE.IUniform).value = palette.horizon;
    (uniforms['glow'] as THREE.IUniform).value = palette.glow;
    (uniforms['sunDirection'] as THREE.IUniform).value = palette.sun_direction;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
