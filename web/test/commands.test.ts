// The tables of src/gen/commands.ts and tasks.ts, which are generated from the .proto files, and what the page makes of them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as tables from '../src/gen/commands';
import { kReach_point_m, kTask_speed_mps, kTaskKinds } from '../src/gen/tasks';
import { file_promenade_v1_command, CommandSchema } from '../src/gen/promenade/v1/command_pb';
import { file_promenade_v1_wire } from '../src/gen/promenade/v1/wire_pb';
import {
  greatest_role,
  least_role,
  mark_of,
  role_for_anybody,
  rules_of,
  wire_name,
} from '../src/state/room/command_rules';
import { role_name, role_of } from '../src/state/room/roles';

const { kCommands } = tables;
const kNames = Object.keys(kCommands) as tables.CommandName[];
const those = (fits: (rules: tables.CommandRules) => unknown) =>
  kNames.filter((name) => fits(kCommands[name]));

/** The names of the fields of a message's oneof, read from its file. */
function kinds_in_file(file: string, message: string): string[] {
  const text = readFileSync(
    path.resolve(import.meta.dirname, `../../proto/promenade/v1/${file}.proto`),
    'utf8',
  );
  const [, body = ''] =
    new RegExp(`message ${message} \\{\\s*oneof kind \\{([^}]*)\\}`).exec(text) ?? [];
  return [...body.matchAll(/^\s*\w+ (\w+) = \d+;/gm)].map(([, name = '']) => name);
}

describe('the table of commands', () => {
  test('has every command of the protocol, and every kind of task', () => {
    expect(kNames).toEqual(kinds_in_file('command', 'Command'));
    expect(kNames.length).toBeGreaterThan(25);
    expect([...kTaskKinds]).toEqual(kinds_in_file('task', 'Task'));
    // Commands that the page sends as messages have the same names there.
    const sent = CommandSchema.fields.map(({ name }) => name);
    expect(kNames.filter((name) => !sent.includes(name))).toEqual([
      ...['set_level', 'set_detail', 'set_flow', 'set_tasks', 'share_tasks'],
    ]);
    for (const { name, localName } of CommandSchema.fields)
      expect(wire_name(localName as Parameters<typeof wire_name>[0])).toBe(name);
  });

  test('says which commands are sent while the past is shown: none that goes by the picture', () => {
    expect(those(({ in_past }) => in_past)).toEqual([
      ...['set_style', 'pause', 'resume', 'single_step', 'set_time_scale', 'load_scene'],
      ...['set_body', 'release', 'set_controller'],
    ]);
    expect(rules_of('push').in_past).toBeUndefined();
  });

  test('says what is told of a command, what it makes, and its mark in the recording', () => {
    expect(those(({ makes }) => makes)).toEqual(['spawn', 'spawn_thing']);
    expect(
      ['push', 'set_body', 'spawn_thing', 'remove', 'load_scene', 'stop'].map(mark_of),
    ).toEqual([...['push', 'edit', 'join', 'leave', 'scene', undefined]]);
    // A template has no other names in it than those that are filled in.
    for (const { deed = '' } of Object.values(kCommands))
      expect(deed.replace(/\{(whom|scene)\}$/, '')).not.toMatch(/[{}]/);
    // Acts of a hand are seen, and not told.
    expect(those(({ steers, deed, mark }) => steers && (deed ?? mark))).toEqual([]);
    expect(rules_of('a command of a newer server')).toEqual({});
  });

  test('says which roles may send a command', () => {
    expect(least_role('set_velocity')).toBe('player');
    expect(role_for_anybody('set_velocity')).toBe('operator');
    expect([least_role('push'), role_for_anybody('push')]).toEqual(['player', 'player']);
    expect(least_role('remove')).toBe('operator');
    expect([least_role('reset'), least_role('reset', true)]).toEqual(['operator', 'admin']);
    expect([least_role('stop', true), least_role('load_scene')]).toEqual(['player', 'admin']);
    expect(greatest_role(['player', 'operator'])).toBe('operator');
    expect(greatest_role([])).toBe('player');
    expect(['viewer', 'player', 'operator', 'admin'].map(role_of).map(role_name)).toEqual([
      ...['viewer', 'player', 'operator', 'admin'],
    ]);
    expect([role_of('king'), role_of(undefined), role_of('role_unspecified')]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
    expect(role_name(undefined)).toBe('unknown');
  });
});

test('limits are those of the fields', () => {
  expect(tables.kPath_points).toEqual({ least: 1, most: 256, unit: 'points' });
  expect(tables.kSetTimeScale_scale).toMatchObject({ least: 0.1, most: 100 });
  expect(tables.kSetDetail_View_eye_m.counts).toEqual([3]);
  expect(kReach_point_m.counts).toEqual([0, 3]);
  expect(kTask_speed_mps.most).toBe(3);
});

test('descriptors of the page have no options of the server', () => {
  for (const { proto } of [file_promenade_v1_command, file_promenade_v1_wire]) {
    expect(proto.dependency.filter((name) => /rules|descriptor/.test(name))).toEqual([]);
    for (const { field, options } of proto.messageType) {
      expect(options).toBeUndefined();
      for (const one of field) expect(one.options?.$unknown).toBeUndefined();
    }
  }
});
