// The descriptors of all .proto files: read with protoc, and without what the page does not need.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  FieldOptionsSchema,
  FileDescriptorSetSchema,
  MessageOptionsSchema,
} from '@bufbuild/protobuf/wkt';

const kFolder = 'promenade/v1';

/** Numbers of lists in descriptors, by which the paths of comments name them. */
const kPath = { dependency: 3, message: 4, field: 2, nested: 3 };

function run_protoc(...args) {
  const { error, status } = spawnSync('protoc', args, { stdio: 'inherit' });
  if (error)
    console.error(
      `protoc could not be started (${error.message}); install protobuf-compiler and libprotobuf-dev.`,
    );
  if (error || status !== 0) process.exit(status || 1);
}

/** Gives `work` the name of a file that is removed afterwards. */
function with_file(work) {
  const folder = mkdtempSync(path.join(tmpdir(), 'promenade-proto-'));
  try {
    return work(path.join(folder, 'set'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The descriptors of all files below a folder, with comments and with the files that they import. */
export function read_set(folder) {
  const files = readdirSync(path.join(folder, kFolder))
    .filter((name) => name.endsWith('.proto'))
    .map((name) => `${kFolder}/${name}`);
  return with_file((set) => {
    const flags = ['--include_imports', '--include_source_info', `--descriptor_set_out=${set}`];
    run_protoc('-I', folder, ...flags, ...files);
    return fromBinary(FileDescriptorSetSchema, readFileSync(set));
  });
}

/** Writes the TypeScript of all files of a set. */
export function write_messages(set, plugin, out) {
  with_file((file) => {
    writeFileSync(file, toBinary(FileDescriptorSetSchema, set));
    run_protoc(
      `--descriptor_set_in=${file}`,
      `--plugin=protoc-gen-es=${plugin}`,
      `--es_out=${out}`,
      '--es_opt=target=ts',
      ...set.file.map(({ name }) => name),
    );
  });
}

/** Leaves entries of a list of a descriptor out, and the comments on them. @param at path of the list in the file */
function leave_out(file, list, at, is_left_out) {
  let kept = 0;
  const moved = list.map((entry) => (is_left_out(entry) ? undefined : kept++));
  if (kept === list.length) return;
  list.splice(0, list.length, ...list.filter((_, i) => moved[i] !== undefined));
  const info = file.sourceCodeInfo;
  if (!info) return;
  info.location = info.location.filter(({ path: where }) => {
    if (where.length <= at.length || at.some((part, i) => where[i] !== part)) return true;
    const to = moved[where[at.length]];
    if (to !== undefined) where[at.length] = to;
    return to !== undefined;
  });
}

/** Calls `visit` with each message of a file, nested ones too, and its path. */
function each_message(file, visit) {
  const walk = (message, at) => {
    visit(message, at);
    message.nestedType.forEach((nested, i) => walk(nested, [...at, kPath.nested, i]));
  };
  file.messageType.forEach((message, i) => walk(message, [kPath.message, i]));
}

/** Leaves custom options out. @param schema of the options that the descriptor of a message or field has */
function without_custom_options(descriptor, schema) {
  if (!descriptor.options) return;
  delete descriptor.options.$unknown;
  if (toBinary(schema, descriptor.options).length === 0) delete descriptor.options;
}

/**
 * Leaves files and messages out of a set, with all fields that have their types, and custom options: those are for
 * the server, and with them the description of all descriptions would be in the page.
 * @param files names without folder and ending @param messages of the files that stay
 */
export function trim_set(set, { files, messages }) {
  const gone = new Set([
    ...files.map((name) => `${kFolder}/${name}.proto`),
    'google/protobuf/descriptor.proto',
  ]);
  const types = new Set(messages);
  for (const file of set.file.filter(({ name }) => gone.has(name)))
    for (const { name } of [...file.messageType, ...file.enumType]) types.add(name);
  const of_gone_type = ({ typeName }) => types.has(typeName.replace('.promenade.v1.', ''));
  set.file = set.file.filter(({ name }) => !gone.delete(name));
  const missing = new Set(messages);
  for (const file of set.file) {
    leave_out(file, file.messageType, [kPath.message], ({ name }) => {
      missing.delete(name);
      return messages.includes(name);
    });
    each_message(file, (message, at) => {
      leave_out(file, message.field, [...at, kPath.field], of_gone_type);
      without_custom_options(message, MessageOptionsSchema);
      for (const field of message.field) without_custom_options(field, FieldOptionsSchema);
    });
    const known = set.file.map(({ name }) => name);
    leave_out(file, file.dependency, [kPath.dependency], (name) => !known.includes(name));
  }
  if (gone.size + missing.size > 0)
    throw new Error(`there is nothing to leave out: ${[...gone, ...missing].join(', ')}`);
}
