// Generates src/gen: messages from the .proto files with protoc and the protoc-gen-es of this package, and copies of
// the server's reference data, so that the page draws the same curves as the reports.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const web = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const proto = path.resolve(web, '../proto');
const out = path.join(web, 'src/gen');

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
cpSync(path.resolve(web, '../server/data/reference'), path.join(out, 'reference'), {
  recursive: true,
});
const files = readdirSync(path.join(proto, 'promenade/v1'))
  .filter((name) => name.endsWith('.proto'))
  .map((name) => `promenade/v1/${name}`);
const plugin = path.join(web, 'node_modules/.bin/protoc-gen-es');
const run = spawnSync(
  'protoc',
  [
    '-I',
    proto,
    `--plugin=protoc-gen-es=${plugin}`,
    `--es_out=${out}`,
    '--es_opt=target=ts',
    ...files,
  ],
  { stdio: 'inherit' },
);
if (run.error) {
  console.error(`protoc could not be started (${run.error.message}); install protobuf-compiler.`);
  process.exit(1);
}
process.exit(run.status ?? 1);
