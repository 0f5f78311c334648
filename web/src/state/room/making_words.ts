// The texts of the page while the server makes a scene.

import type { SceneMaking } from '../../net/messages';

/** @param share 0 to 1 */
export function percent_of(share: number): string {
  return `${Math.round(100 * Math.min(1, Math.max(0, share)))} %`;
}

/** @param scenes that the page knows, for the title */
export function making_words(
  { scene, share, doing }: SceneMaking,
  scenes: readonly { readonly name: string; readonly title: string }[],
): string {
  const title = scenes.find(({ name }) => name === scene)?.title || scene;
  const what = title ? `“${title}” is being made` : 'The scene is being made';
  return [`${what}: ${percent_of(share)}`, doing].filter(Boolean).join(' · ');
}
