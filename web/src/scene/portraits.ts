// Small pictures of bodies for lists, drawn by the same figures as in the scene.
import * as THREE from 'three';
import { at } from '../state/quaternion';
import { kPoseSize } from '../state/kinematics';
import { height_range, rest_pose } from '../state/rest_pose';
import type { Skeleton } from '../state/skeleton';
import { StillFigure } from './still_figure';

const kPixels = 112;
const kView = new THREE.Vector3(1, -0.75, 0.55).normalize(); // from the body to the eye

export class Portraits {
  private readonly made_ = new Map<string, { skeleton: Skeleton; url: string }>();
  private readonly scene_ = new THREE.Scene();
  private readonly root_ = new THREE.Group();
  private readonly camera_ = new THREE.OrthographicCamera();
  private readonly target_ = new THREE.WebGLRenderTarget(2 * kPixels, 2 * kPixels, { samples: 4 });

  constructor(
    private readonly renderer_: THREE.WebGLRenderer,
    private readonly environment_: () => THREE.Texture | null,
  ) {
    this.root_.rotation.x = -Math.PI / 2;
    const sun = new THREE.DirectionalLight('#fff3dd', 2.6);
    sun.position.set(2, 4, 3);
    this.scene_.add(this.root_, sun, new THREE.HemisphereLight('#dfeaf5', '#b7a990', 1.3));
  }

  /** A picture as the address of an image; drawn once for each body. */
  of(skeleton: Skeleton): string {
    const known = this.made_.get(skeleton.name);
    if (known?.skeleton === skeleton) return known.url;
    const url = this.draw(skeleton);
    this.made_.set(skeleton.name, { skeleton, url });
    return url;
  }

  dispose(): void {
    this.target_.dispose();
  }

  private draw(skeleton: Skeleton): string {
    const poses = rest_pose(skeleton, [0, 0, 0], 0);
    const figure = new StillFigure(this.root_, skeleton, skeleton.color, 1);
    figure.place(poses);
    this.aim(skeleton, poses);
    this.scene_.environment = this.environment_();
    this.scene_.environmentIntensity = 0.4;
    const renderer = this.renderer_;
    const before = renderer.getRenderTarget();
    const clear = renderer.getClearColor(new THREE.Color());
    const alpha = renderer.getClearAlpha();
    renderer.setRenderTarget(this.target_);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    renderer.render(this.scene_, this.camera_);
    const pixels = new Uint8Array(4 * this.target_.width * this.target_.height);
    const { width, height } = this.target_;
    renderer.readRenderTargetPixels(this.target_, 0, 0, width, height, pixels);
    renderer.setRenderTarget(before);
    renderer.setClearColor(clear, alpha);
    figure.dispose();
    return to_url(pixels, width, height);
  }

  /** Fills the picture with the body. */
  private aim(skeleton: Skeleton, poses: Float32Array): void {
    const [low, high] = height_range(skeleton, poses);
    let [x, y, count] = [0, 0, 0];
    skeleton.links.forEach((_, i) => {
      x += at(poses, kPoseSize * i);
      y += at(poses, kPoseSize * i + 1);
      ++count;
    });
    const middle = new THREE.Vector3(x / count, y / count, (low + high) / 2);
    let half = (high - low) / 2;
    skeleton.links.forEach(({ shapes }, i) => {
      const p = kPoseSize * i;
      const away = Math.hypot(at(poses, p) - middle.x, at(poses, p + 1) - middle.y);
      const thick = shapes.map((shape) =>
        shape.kind === 'box' ? Math.hypot(shape.half[0], shape.half[1]) : shape.radius,
      );
      half = Math.max(half, 0.95 * (away + Math.max(0, ...thick)));
    });
    half *= 1.12;
    const { camera_: camera } = this;
    camera.left = camera.bottom = -half;
    camera.right = camera.top = half;
    camera.near = half * 0.01;
    camera.far = half * 20;
    const page = (v: THREE.Vector3) => new THREE.Vector3(v.x, v.z, -v.y);
    camera.position.copy(page(middle.clone().addScaledVector(kView, half * 8)));
    camera.lookAt(page(middle));
    camera.updateProjectionMatrix();
  }
}

function to_url(pixels: Uint8Array, width: number, height: number): string {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
  const image = pen.createImageData(width, height);
  for (let row = 0; row < height; ++row)
    for (let i = 0; i < 4 * width; ++i) {
      const value = pixels[4 * width * (height - 1 - row) + i] as number;
      // The target is linear; the page wants sRGB.
      image.data[4 * width * row + i] = i % 4 === 3 ? value : srgb(value);
    }
  pen.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

function srgb(value: number): number {
  const x = value / 255;
  return 255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
}
