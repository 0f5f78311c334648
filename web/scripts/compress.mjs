// Writes NAME.gz beside each file of web/dist that gains from it: the server sends these to browsers
// that take gzip, and need not compress anything itself.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const kRoot = new URL('../dist/', import.meta.url).pathname;
const kKinds = /\.(js|css|html|json|svg|txt)$/;

for (const entry of readdirSync(kRoot, { recursive: true })) {
  if (!kKinds.test(entry)) continue;
  const file = join(kRoot, entry);
  const text = readFileSync(file);
  const compressed = gzipSync(text, { level: 9 });
  if (compressed.length < 0.9 * text.length) writeFileSync(`${file}.gz`, compressed);
}
