// What the page says while the server makes a scene.

import type { SceneMaking } from '../net/messages';

/** @param scenes that the page knows, for the title */
export function making_words(
  { scene, share, doing }: SceneMaking,
  scenes: readonly { readonly name: string; readonly title: string }[],
): string {
  const title = scenes.find(({ name }) => name === scene)?.title || scene;
  const what = title ? `“${title}” is being made` : 'The scene is being made';
  const percent = `${Math.round(100 * Math.min(1, Math.max(0, share)))} %`;
  return [`${what}: ${percent}`, doing].filter(Boolean).join(' · ');
}
