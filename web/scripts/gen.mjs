// Generates src/gen: messages from the .proto files with protoc and the protoc-gen-es of this package, and copies of
// the server's reference data, so that the page draws the same curves as the reports.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
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
// The page reads and sends who comes and goes as JSON, in a part that comes late, gives no tasks, and of courses is told
// the blocks: the description of those messages would be in the page and in its worker before anybody is seen.
const read = mkdtempSync(path.join(tmpdir(), 'promenade-proto-'));
cpSync(proto, read, { recursive: true });
for (const name of ['api', 'checkpoint', 'command', 'scene']) {
  const file = path.join(read, `promenade/v1/${name}.proto`);
  const whole = readFileSync(file, 'utf8');
  const without = whole
    .replace(/^import "promenade\/v1\/(crowd|task)\.proto";\n/gm, '')
    .replace(/^ *(CrowdFlow|SetFlow|SetTasks|ShareTasks|repeated Course) \w+ = .*\n/gm, '')
    .replace(
      /^message (SetFlow|FlowReport|SetTasks|ShareTasks|Course|CourseObstacle) \{\n[^}]*\}\n/gm,
      '',
    );
  if (whole.length - without.length < 50) throw new Error(`${name}.proto has no flow to leave out`);
  writeFileSync(file, without);
}
for (const name of ['crowd', 'holds', 'task'])
  rmSync(path.join(read, `promenade/v1/${name}.proto`));
const files = readdirSync(path.join(read, 'promenade/v1'))
  .filter((name) => name.endsWith('.proto'))
  .map((name) => `promenade/v1/${name}`);
// What numbers hold is for the server: with it the description of all descriptions would be in the page.
for (const file of files.map((name) => path.join(read, name)))
  writeFileSync(
    file,
    readFileSync(file, 'utf8')
      .replace(/^import "promenade\/v1\/holds\.proto";\n/gm, '')
      .replace(/ \[\(holds\) = \w+\]/g, ''),
  );
const plugin = path.join(web, 'node_modules/.bin/protoc-gen-es');
const run = spawnSync(
  'protoc',
  [
    '-I',
    read,
    `--plugin=protoc-gen-es=${plugin}`,
    `--es_out=${out}`,
    '--es_opt=target=ts',
    ...files,
  ],
  { stdio: 'inherit' },
);
rmSync(read, { recursive: true });
if (run.error) {
  console.error(`protoc could not be started (${run.error.message}); install protobuf-compiler.`);
  process.exit(1);
}
process.exit(run.status ?? 1);
