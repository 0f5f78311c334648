// Small pictures of bodies for lists, drawn by the same figures as in the scene.
import * as THREE from 'three';
import type { Vec3 } from '../../state/values/quaternion';
import { kPoseSize } from '../../state/figure/kinematics';
import { rest_pose } from '../../state/figure/rest_pose';
import type { LinkShape, Skeleton } from '../../state/figure/skeleton';
import { point_on } from '../hand/pointer_tools';
import { StillFigure } from './still_figure';

const kPixels = 112;
const kView: Vec3 = [1, -0.75, 0.55]; // from the body to the eye, world frame
const kMargin = 1.08;

export class Portraits {
  private readonly made_ = new Map<string, { skeleton: Skeleton; url: string }>();
  private last_: StillFigure | undefined;
  private readonly asked_: { skeleton: Skeleton; told: (url: string) => void }[] = [];
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

  /** Calls `told` with the address of a body's picture; at once if the picture was drawn before. */
  ask(skeleton: Skeleton, told: (url: string) => void): void {
    const known = this.made_.get(skeleton.name);
    if (known?.skeleton === skeleton) told(known.url);
    else this.asked_.push({ skeleton, told });
  }

  /** Draws one of the pictures that were asked for: drawing all at once would make the page stand still. */
  draw_next(): void {
    const next = this.asked_.shift();
    if (!next) {
      this.last_?.dispose();
      this.last_ = undefined;
      return;
    }
    const { skeleton, told } = next;
    const known = this.made_.get(skeleton.name);
    const url = known?.skeleton === skeleton ? known.url : this.draw(skeleton);
    this.made_.set(skeleton.name, { skeleton, url });
    told(url);
  }

  dispose(): void {
    this.last_?.dispose();
    this.target_.dispose();
  }

  private draw(skeleton: Skeleton): string {
    const poses = rest_pose(skeleton, [0, 0, 0], 0);
    const figure = new StillFigure(this.root_, skeleton, skeleton.color, 1, true);
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
    // The figure is kept until the next one is drawn, so that the shaders are not compiled anew for each picture.
    figure.shown = false;
    this.last_?.dispose();
    this.last_ = figure;
    return to_url(pixels, width, height);
  }

  /** Fills the picture with the body. */
  private aim(skeleton: Skeleton, poses: Float32Array): void {
    const page = ([x, y, z]: Vec3) => new THREE.Vector3(x, z, -y);
    const { camera_: camera } = this;
    camera.position.copy(page(kView));
    camera.lookAt(0, 0, 0);
    // In the camera's frame: how far the body reaches to each side.
    const seen = new THREE.Box3();
    const turned = camera.quaternion.clone().invert();
    skeleton.links.forEach(({ shapes }, i) => {
      for (const { point, radius } of shapes.flatMap(balls_of)) {
        const at_ = page(point_on({ poses }, kPoseSize * i, point)).applyQuaternion(turned);
        const around = new THREE.Vector3().setScalar(radius);
        seen.expandByPoint(at_.clone().add(around)).expandByPoint(at_.sub(around));
      }
    });
    const size = seen.getSize(new THREE.Vector3());
    const half = 0.5 * kMargin * Math.max(size.x, size.y) || 1; // of a body without shapes
    camera.left = camera.bottom = -half;
    camera.right = camera.top = half;
    const away = size.z + half;
    camera.near = 0.1 * half;
    camera.far = 2 * away;
    const middle = seen.getCenter(new THREE.Vector3());
    middle.z += away;
    camera.position.copy(middle.applyQuaternion(camera.quaternion));
    camera.updateProjectionMatrix();
  }
}

/** Spheres that contain a shape, or nearly all of it. */
function balls_of(shape: LinkShape): { point: Vec3; radius: number }[] {
  switch (shape.kind) {
    case 'sphere':
      return [{ point: shape.center, radius: shape.radius }];
    case 'capsule':
    case 'cylinder':
      return [shape.from, shape.to].map((point) => ({ point, radius: shape.radius }));
    case 'box': {
      const [x, y, z] = shape.center;
      const [a, b, c] = shape.half;
      return [-1, 1].flatMap((i) =>
        [-1, 1].flatMap((j) =>
          [-1, 1].map((k) => ({ point: [x + i * a, y + j * b, z + k * c] as const, radius: 0 })),
        ),
      );
    }
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
