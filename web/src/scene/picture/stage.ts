import * as THREE from 'three';
import { Backdrop } from './backdrop';
import type { Detail } from './detail';
import { kOrder } from './draw_order';
import { kShadowLayer } from '../figure/rounded';
import type { Scene } from '../../gen/promenade/v1/scene_pb';
import { GroundPlane } from '../ground/plane';
import { Signal } from '../../state/values/signal';
import type { Palette } from './palette';
import { PictureFrame } from './picture_frame';
import { compile_shaders } from './shaders';
import { use_smooth_shadows } from './smooth_shadows';
import { Sky } from './sky';
import { light_of } from './sky_light';
import { Sunlight } from './sunlight';

const kShadowSpan_m = 24; // half of what the sun's shadow map covers, from far
const kLeastShadowSpan_m = 0.03;
const kShadowPixels = 2048;
const kSoftware = /swiftshader|llvmpipe|softpipe|software|basic render/i;
const kSunDistance_m = 60;

const kDeveloping = (import.meta as { env?: { DEV?: boolean } }).env?.DEV === true;

/** Renderer, light, sky and ground: everything in the picture but bodies and overlays. */
export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  /** How the camera fills the picture. */
  readonly frame = new PictureFrame();
  /** The world frame, x forward, y left, z up: the one place where the page's axes are turned. */
  readonly root = new THREE.Group();

  /** Whether the browser has taken the picture away. */
  readonly lost = new Signal(false);

  readonly fog = new THREE.Fog(0xffffff, 30, 170);
  /** Where the sun's shadows are. */
  readonly sunlight = new Sunlight();

  private readonly sun_ = new THREE.DirectionalLight();
  private readonly fill_ = new THREE.HemisphereLight();
  private readonly sky_ = new Sky();
  private readonly ground_ = new GroundPlane();
  private backdrop_: Backdrop | undefined;
  private environment_: THREE.WebGLRenderTarget | undefined;
  private drawn_ = { calls: 0, triangles: 0 };
  private plane_ = true;
  private readonly resize_: ResizeObserver;
  private palette_: Palette | undefined;
  private shadow_span_m_ = kShadowSpan_m;

  constructor(
    private readonly host_: HTMLElement,
    private detail_: Detail,
  ) {
    this.renderer = new THREE.WebGLRenderer({
      antialias: true,
      powerPreference: 'high-performance',
    });
    // In a built page shaders have no mistakes, and asking after each one waits for it to be compiled.
    this.renderer.debug.checkShaderErrors = kDeveloping;
    use_smooth_shadows();
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.renderer.info.autoReset = false;
    this.renderer.domElement.className = 'viewport-canvas';
    host_.append(this.renderer.domElement);
    // Behind three's own listeners, which set the renderer up anew.
    this.renderer.domElement.addEventListener('webglcontextlost', () => this.lost.set(true));
    this.renderer.domElement.addEventListener('webglcontextrestored', () => this.come_back());

    this.root.rotation.x = -Math.PI / 2;
    this.sun_.castShadow = true;
    this.sun_.shadow.mapSize.set(kShadowPixels, kShadowPixels);
    this.sun_.shadow.bias = -0.0004;
    this.sun_.shadow.normalBias = 0.018;
    this.sun_.shadow.radius = 1.4;
    const shadow = this.sun_.shadow.camera;
    shadow.left = shadow.bottom = -kShadowSpan_m;
    shadow.right = shadow.top = kShadowSpan_m;
    shadow.layers.enable(kShadowLayer);
    shadow.near = 1;
    shadow.far = 2 * kSunDistance_m;
    this.ground_.object.renderOrder = kOrder.ground;
    this.root.add(this.sky_.mesh, this.ground_.object, this.sun_, this.sun_.target);
    this.scene.add(this.root, this.fill_);
    this.scene.fog = this.fog;
    this.resize_ = new ResizeObserver(() => this.fit());
    this.resize_.observe(host_);
    this.fit();
  }

  /** Whether the processor draws: no picture is fast then. */
  get by_software(): boolean {
    const gl = this.renderer.getContext();
    const names =
      gl.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER;
    return kSoftware.test(String(gl.getParameter(names)));
  }

  /**
   * Compiles the shaders of what a first picture needs: ground, sky and bodies. To be called once the light is known.
   * @param bodies an object of each sort
   * @return when all can be drawn with
   */
  compile = (bodies: readonly THREE.Object3D[]): Promise<void> => {
    const first = [...bodies, this.ground_.object, this.sky_.mesh];
    return compile_shaders(this.renderer, first, this.frame.camera, this.scene);
  };

  /**
   * Puts in what nobody misses in a first picture: houses and trees, and the numbers on the ground.
   * @param others objects whose shaders are to be compiled with theirs
   * @return when all of them can be drawn with
   */
  async furnish(others: readonly THREE.Object3D[]): Promise<void> {
    if (!this.palette_) return;
    const backdrop = new Backdrop();
    const numbers = this.ground_.make_numbers(this.palette_);
    const late = [backdrop.mesh, numbers, ...others];
    await compile_shaders(this.renderer, late, this.frame.camera, this.scene);
    backdrop.apply(this.palette_);
    backdrop.mesh.renderOrder = kOrder.ground;
    backdrop.mesh.visible = this.plane_;
    numbers.visible = true;
    this.backdrop_ = backdrop;
    this.root.add(backdrop.mesh);
  }

  /** Fills the picture with the colour of the horizon. */
  clear(): void {
    this.renderer.clear();
  }

  apply(palette: Palette): void {
    this.palette_ = palette;
    this.sky_.apply(palette);
    this.ground_.apply(palette);
    this.backdrop_?.apply(palette);
    this.sun_.color.copy(palette.sun);
    this.sun_.intensity = palette.sun_power;
    this.fill_.color.copy(palette.sky_light);
    this.fill_.groundColor.copy(palette.ground_light);
    this.fill_.intensity = palette.fill_power;
    this.fog.color.copy(palette.horizon);
    this.renderer.setClearColor(palette.horizon);
    this.renderer.toneMappingExposure = palette.exposure;
    this.light_from_sky(palette);
    this.sunlight.set(palette.sun_direction, palette.shade);
    this.aim_sun(new THREE.Vector3());
  }

  /** After the picture was lost: what was drawn once, as the light of the sky, is gone with it. */
  private come_back(): void {
    if (this.palette_) this.apply(this.palette_);
    this.fit();
    this.lost.set(false);
  }

  /** Shows or hides the square: a scene without a plane floats in the sky. */
  set_scene(scene: Scene | undefined): void {
    const plane = !scene?.noPlane;
    this.ground_.set(plane, scene?.pits ?? []);
    this.plane_ = plane;
    if (this.backdrop_) this.backdrop_.mesh.visible = plane;
    this.sky_.set_below(!plane);
  }

  /**
   * Centres the shadow map on what the camera looks at; sizes it and sets the camera's near plane by the distance.
   * @param focus world frame, m
   * @param distance_m of the camera from it
   */
  look_at(focus: THREE.Vector3, distance_m: number): void {
    this.frame.look_from(distance_m);
    const wanted = THREE.MathUtils.clamp(distance_m * 1.1, kLeastShadowSpan_m, kShadowSpan_m);
    const span = kShadowSpan_m * 2 ** Math.ceil(Math.log2(wanted / kShadowSpan_m));
    if (span !== this.shadow_span_m_) this.set_shadow_span(span);
    this.aim_sun(focus);
  }

  private set_shadow_span(span_m: number): void {
    this.shadow_span_m_ = span_m;
    const { camera } = this.sun_.shadow;
    camera.left = camera.bottom = -span_m;
    camera.right = camera.top = span_m;
    camera.updateProjectionMatrix();
    this.sun_.shadow.normalBias = (0.018 * span_m) / kShadowSpan_m;
  }

  private aim_sun(focus: THREE.Vector3): void {
    if (!this.palette_) return;
    // Whole texels only, or the edges of the shadows crawl.
    const texel = (2 * this.shadow_span_m_) / kShadowPixels;
    const x = Math.round(focus.x / texel / 64) * texel * 64;
    const y = Math.round(focus.y / texel / 64) * texel * 64;
    this.sun_.target.position.set(x, y, focus.z);
    this.sunlight.aim(x, y, this.sun_.castShadow ? this.shadow_span_m_ : 0);
    this.sun_.position
      .copy(this.palette_.sun_direction)
      .multiplyScalar(kSunDistance_m)
      .add(this.sun_.target.position);
  }

  set_detail(detail: Detail): void {
    this.detail_ = detail;
    this.sun_.castShadow = detail.shadows;
    this.fit();
  }

  render(): void {
    // A window that moves to another screen keeps its size, and nothing else tells of it.
    if (this.renderer.getPixelRatio() !== this.pixel_ratio) this.fit();
    this.renderer.info.reset();
    this.renderer.render(this.scene, this.frame.camera);
    const { calls, triangles } = this.renderer.info.render;
    this.drawn_ = { calls, triangles };
  }

  /**
   * Draws a picture and reads its colours, for tests.
   * @param points CSS pixels from the upper left corner of the picture
   * @return red, green and blue of each, 0 to 255
   */
  colors_at(points: readonly { readonly x: number; readonly y: number }[]): number[][] {
    this.render();
    const gl = this.renderer.getContext();
    const { width, height } = this.renderer.domElement;
    const [kx, ky] = [width / this.host_.clientWidth, height / this.host_.clientHeight];
    return points.map(({ x, y }) => {
      const out = new Uint8Array(4);
      const row = height - 1 - Math.floor(y * ky);
      gl.readPixels(Math.floor(x * kx), row, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
      return [...out.subarray(0, 3)];
    });
  }

  /** The cost of the last picture, with its shadows; small pictures for lists are not counted. */
  get drawn(): { readonly calls: number; readonly triangles: number } {
    return this.drawn_;
  }

  dispose(): void {
    this.resize_.disconnect();
    this.sky_.dispose();
    this.ground_.dispose();
    this.backdrop_?.dispose();
    this.environment_?.dispose();
    this.sun_.dispose();
    this.fill_.dispose();
    this.renderer.dispose();
    this.renderer.domElement.remove();
  }

  private light_from_sky(palette: Palette): void {
    const dome = new Sky();
    dome.apply(palette);
    const scene = new THREE.Scene();
    const turned = new THREE.Group();
    turned.rotation.copy(this.root.rotation);
    turned.add(dome.mesh);
    scene.add(turned);
    this.environment_?.dispose();
    this.environment_ = light_of(this.renderer, scene);
    this.scene.environment = this.environment_.texture;
    this.scene.environmentIntensity = palette.environment_power;
    dome.dispose();
  }

  private get pixel_ratio(): number {
    return Math.min(window.devicePixelRatio, this.detail_.pixel_ratio);
  }

  private fit(): void {
    const { clientWidth, clientHeight } = this.host_;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setPixelRatio(this.pixel_ratio);
    this.renderer.setSize(clientWidth, clientHeight);
    this.frame.set_size(clientWidth, clientHeight);
  }
}
