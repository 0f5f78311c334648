// Squares of one by one that lie level, as many as there are instances: for what is painted on the ground.
import * as THREE from 'three';

/** @param own attributes of each instance */
export function flat_instances(
  own: Readonly<Record<string, THREE.BufferAttribute | THREE.InterleavedBufferAttribute>>,
): THREE.InstancedBufferGeometry {
  const plane = new THREE.PlaneGeometry(1, 1);
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setIndex(plane.getIndex());
  geometry.setAttribute('position', plane.getAttribute('position'));
  geometry.setAttribute('uv', plane.getAttribute('uv'));
  for (const [name, values] of Object.entries(own)) geometry.setAttribute(name, values);
  geometry.instanceCount = 0;
  return geometry;
}
