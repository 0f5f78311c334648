// Writes NAME.br and NAME.gz beside each file of web/dist that gains from it: the server sends these to browsers
// that take them, and need not compress anything itself.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import zopfli from '@gfx/zopfli';

const kRoot = new URL('../dist/', import.meta.url).pathname;
const kKinds = /\.(js|css|html|json|svg|txt)$/;
const kWays = {
  // The same format, four hundredths smaller than gzip makes it.
  '.gz': (text) => zopfli.gzipAsync(text, { numiterations: 1 }),
  '.br': (text) =>
    brotliCompressSync(text, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
};

for (const entry of readdirSync(kRoot, { recursive: true })) {
  if (!kKinds.test(entry)) continue;
  const file = join(kRoot, entry);
  const text = readFileSync(file);
  for (const [ending, compress] of Object.entries(kWays)) {
    const compressed = await compress(text);
    if (compressed.length < 0.9 * text.length) writeFileSync(`${file}${ending}`, compressed);
  }
}
