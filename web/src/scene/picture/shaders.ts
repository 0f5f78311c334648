import type * as THREE from 'three';

const kLook_ms = 10;

/**
 * Has the shaders of objects compiled beside what else the page has to do. Where they are drawn with first, the page stands still
 * for each of them in turn.
 * @param scene whose light they are in
 * @return when they can be drawn with
 */
export async function compile_shaders(
  renderer: THREE.WebGLRenderer,
  objects: readonly THREE.Object3D[],
  camera: THREE.Camera,
  scene: THREE.Scene,
): Promise<void> {
  if (renderer.extensions.has('KHR_parallel_shader_compile')) {
    await Promise.all(objects.map((object) => renderer.compileAsync(object, camera, scene)));
    return;
  }
  // There nobody tells when a shader is compiled, but a fence behind all of them is passed only then.
  for (const object of objects) renderer.compile(object, camera, scene);
  const gl = renderer.getContext() as WebGL2RenderingContext;
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (!fence) return;
  gl.flush();
  while (!gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED)
    await new Promise((resolve) => setTimeout(resolve, kLook_ms));
  gl.deleteSync(fence);
}
