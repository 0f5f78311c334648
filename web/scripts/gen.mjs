// Generates src/gen: messages from the .proto files with protoc and the protoc-gen-es of this package, tables of what
// these files say of commands, and copies of the server's reference data, so that the page draws the same curves as the
// reports.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { command_tables } from './command_tables.mjs';
import { read_set, trim_set, write_messages } from './proto_set.mjs';

const web = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const out = path.join(web, 'src/gen');

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
cpSync(path.resolve(web, '../server/data/reference'), path.join(out, 'reference'), {
  recursive: true,
});
const set = read_set(path.resolve(web, '../proto'));
for (const [name, text] of Object.entries(command_tables(set)))
  writeFileSync(path.join(out, name), text);
// The page reads and sends flows of people as JSON, as it does tasks, in parts that load late. Of courses it is told the
// blocks. Levels of detail it leaves to the room, and lists of bans and invitations to other programs. The
// description of those messages would be in the page and in its worker before anybody is seen.
trim_set(set, {
  files: ['crowd', 'rules', 'task'],
  messages: [
    ...['SetFlow', 'FlowReport', 'SetTasks', 'ShareTasks', 'Course', 'CourseObstacle'],
    ...['SetLevel', 'SetDetail', 'BanList', 'Ban', 'InvitationList', 'KeptInvitation'],
  ],
});
write_messages(set, path.join(web, 'node_modules/.bin/protoc-gen-es'), out);
