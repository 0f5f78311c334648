// Small moving pictures of a body, all on one canvas: loops of takes, each in a box of its own, drawn by the figures of the scene.
import * as THREE from 'three';
import { kPoseSize } from '../../state/figure/kinematics';
import { box_of } from '../../state/figure/rest_pose';
import type { Skeleton } from '../../state/figure/skeleton';
import { type Loop, place_at } from '../../state/gait/gait_take';
import { StillFigure } from './still_figure';

const kView = new THREE.Vector3(0.42, 0.42, 1); // from the body to the eye: x is ahead, z to its right
const kMargin = 1.06;
const kGround = 2.2; // reach of the ground that is drawn, times the body's length

/** Ground with a line across it every now and then, which fades with the distance from the body. */
const kGroundVertex = /* glsl */ `
varying vec2 at;
void main() {
  at = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const kGroundFragment = /* glsl */ `
uniform float way, apart, reach;
uniform vec3 ground, line;
varying vec2 at;
void main() {
  float from = abs(mod(at.x + way, apart) - 0.5 * apart);
  float edge = fwidth(at.x);
  float on = 1.0 - smoothstep(0.035 * apart - edge, 0.035 * apart + edge, from);
  float far = length(at) / reach;
  gl_FragColor = vec4(mix(ground, line, on), 1.0 - smoothstep(0.45, 1.0, far));
  #include <colorspace_fragment>
}`;

/** A box of the canvas, px from its upper left corner. */
export interface PictureBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export class TakePictures {
  private readonly renderer_: THREE.WebGLRenderer;
  private readonly scene_ = new THREE.Scene();
  private readonly root_ = new THREE.Group(); // the world frame
  private readonly camera_ = new THREE.OrthographicCamera();
  private readonly figure_: StillFigure;
  private readonly ground_: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  private readonly poses_: Float32Array;
  private readonly seen_ = new THREE.Box3(); // of all loops, in the camera's frame

  /** @param loops of this body; all are drawn to one scale */
  constructor(
    canvas: HTMLCanvasElement,
    skeleton: Skeleton,
    color: string,
    private readonly loops_: readonly Loop[],
  ) {
    this.renderer_ = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer_.setClearColor(0x000000, 0);
    this.renderer_.autoClear = false;
    this.root_.rotation.x = -Math.PI / 2;
    const sun = new THREE.DirectionalLight('#fff3dd', 2.6);
    sun.position.set(2, 4, 3);
    this.scene_.add(this.root_, sun, new THREE.HemisphereLight('#dfeaf5', '#b7a990', 2));
    this.figure_ = new StillFigure(this.root_, skeleton, color, 1, true);
    this.poses_ = new Float32Array(kPoseSize * skeleton.links.length);
    const length = this.measure(skeleton);
    const reach = kGround * length;
    this.ground_ = new THREE.Mesh(
      new THREE.PlaneGeometry(2 * reach, 2 * reach),
      new THREE.ShaderMaterial({
        vertexShader: kGroundVertex,
        fragmentShader: kGroundFragment,
        transparent: true,
        depthWrite: false,
        uniforms: {
          ...{ way: { value: 0 }, apart: { value: length }, reach: { value: reach } },
          ...{ ground: { value: new THREE.Color() }, line: { value: new THREE.Color() } },
        },
      }),
    );
    this.ground_.renderOrder = -1;
    this.root_.add(this.ground_);
  }

  /** @param ratio pixels of the canvas for a px of the page */
  resize(width: number, height: number, ratio: number): void {
    this.renderer_.setPixelRatio(ratio);
    this.renderer_.setSize(width, height, false);
    this.renderer_.setScissorTest(true);
  }

  set_colors(ground: string, line: string): void {
    const { uniforms } = this.ground_.material;
    (uniforms['ground']?.value as THREE.Color).set(ground);
    (uniforms['line']?.value as THREE.Color).set(line);
  }

  clear(): void {
    this.renderer_.setScissorTest(false);
    this.renderer_.clear();
    this.renderer_.setScissorTest(true);
  }

  /** Draws one loop as it is at a time. */
  draw(index: number, time_s: number, { left, top, width, height }: PictureBox): void {
    const loop = this.loops_[index];
    if (!loop || width <= 0 || height <= 0) return;
    place_at(loop, time_s, this.poses_);
    this.figure_.place(this.poses_);
    // The ground goes by below the body, which stays.
    const { way } = this.ground_.material.uniforms;
    if (way) way.value = (loop.forward_m / loop.seconds) * time_s;
    this.aim(width / height);
    const y = this.renderer_.domElement.height / this.renderer_.getPixelRatio() - top - height;
    this.renderer_.setViewport(left, y, width, height);
    this.renderer_.setScissor(left, y, width, height);
    this.renderer_.render(this.scene_, this.camera_);
  }

  dispose(): void {
    this.figure_.dispose();
    this.ground_.geometry.dispose();
    this.ground_.material.dispose();
    this.renderer_.dispose();
    this.renderer_.forceContextLoss();
  }

  /** Finds what the loops reach to. @return length of the body over all of them, m */
  private measure(skeleton: Skeleton): number {
    this.camera_.position.copy(kView);
    this.camera_.lookAt(0, 0, 0);
    const turned = this.camera_.quaternion.clone().invert();
    const whole = new THREE.Box3();
    const size = kPoseSize * skeleton.links.length;
    for (const { frames, poses } of this.loops_)
      for (let frame = 0; frame < frames; frame += 4) {
        const [low, high] = box_of(skeleton, poses, size * frame);
        for (let corner = 0; corner < 8; ++corner) {
          const [x, y, z] = [0, 1, 2].map((k) => (corner & (1 << k) ? high : low)[k] as number);
          const at = new THREE.Vector3(x, z, -(y as number));
          whole.expandByPoint(at);
          this.seen_.expandByPoint(at.applyQuaternion(turned));
        }
      }
    return Math.max(1e-3, whole.getSize(new THREE.Vector3()).x);
  }

  private aim(aspect: number): void {
    const { camera_: camera } = this;
    const size = this.seen_.getSize(new THREE.Vector3());
    const half = 0.5 * kMargin * Math.max(size.y, size.x / aspect);
    camera.top = half;
    camera.bottom = -half;
    camera.right = half * aspect;
    camera.left = -camera.right;
    const away = size.z + 8 * half;
    camera.near = 0.1 * half;
    camera.far = 2 * away;
    const middle = this.seen_.getCenter(new THREE.Vector3());
    middle.z += away;
    camera.position.copy(middle.applyQuaternion(camera.quaternion));
    camera.updateProjectionMatrix();
  }
}
