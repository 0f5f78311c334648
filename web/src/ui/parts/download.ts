import { h } from './dom';

/** Hands the user a file. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = h('a', { attributes: { href: url, download: name } });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
