// A room for tests: frames go through the codings of the wire, the worker's reading and the page's World.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { create, fromJsonString, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { type Creature, CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import {
  type CharacterDetailsSchema,
  DetailsSchema,
  FrameSchema,
  RestSchema,
  RosterSchema,
  ServerMessageSchema,
} from '../src/gen/promenade/v1/wire_pb';
import { decode_frame, decode_rest } from '../src/net/decode';
import { kNoLayout, type Layout, make_layout } from '../src/net/layout';
import { make_skeleton } from '../src/state/figure/skeleton';
import { World } from '../src/state/room/world';
import { body_of, scene_info } from './told_families';

export const kHumanBody = 5n;
export const kCrateBody = 9n;
export const kUnits = { position_m: 0.001, angle_rad: 0.003 };

export const human = fromJsonString(
  CreatureSchema,
  readFileSync(path.resolve(import.meta.dirname, '../../server/data/creatures/human.json'), 'utf8'),
);
const crate = create(CreatureSchema, { name: 'crate', title: 'Crate', links: [{ name: 'crate' }] });
const kDof = make_skeleton(human).coordinates;

/** A rotation about z, packed. */
function yaw(angle: number): number {
  const part = Math.round(Math.sin(angle / 2) * Math.SQRT2 * 511) + 511;
  return ((3 << 30) | (511 << 20) | (511 << 10) | part) >>> 0;
}

interface FrameOptions {
  readonly flags?: readonly number[];
  readonly things?: readonly (readonly [index: number, x_mm: number])[];
  readonly paused?: boolean;
  readonly ms?: number; // of the server's clock, instead of a frame's period after the last
}

export class Room {
  readonly world = new World();
  readonly bodies = new Map<bigint, Creature>([
    [kHumanBody, human],
    [kCrateBody, crate],
  ]);
  server_ms = 10_000;
  tick = 100;
  private version_ = 0n;
  private ids_: readonly number[] = [];
  private layout_: Layout = kNoLayout;

  constructor(readonly period_ms = 1000 / 30) {
    this.scene('first');
    for (const [id, body] of this.bodies) this.world.receive(body_of(id, body));
  }

  scene(name: string): void {
    this.world.receive({
      kind: 'scene',
      scene: scene_info({
        scene: { name, title: name },
        positionUnitM: kUnits.position_m,
        angleUnitRad: kUnits.angle_rad,
      }),
    });
  }

  roster(ids: readonly number[], more: object = {}, things: readonly number[] = []): void {
    ++this.version_;
    this.ids_ = ids;
    const roster = create(RosterSchema, {
      version: this.version_,
      entries: ids.map((id) => ({
        ...{ id, body: kHumanBody, style: 'normal', controller: 'gbwc', dof: kDof },
        ...more,
      })),
      things: things.map((id) => ({ id, body: kCrateBody })),
    });
    this.layout_ = make_layout(roster, (id) => this.bodies.get(id), kUnits);
    this.world.receive({ kind: 'roster', roster });
  }

  frame({ flags = [], things = [], paused = false, ms = this.period_ms }: FrameOptions = {}): void {
    this.server_ms += ms;
    if (!paused) this.tick += 2;
    const n = this.ids_.length;
    const phase = this.tick / 30;
    const message = create(ServerMessageSchema, {
      kind: {
        case: 'frame',
        value: create(FrameSchema, {
          tick: BigInt(this.tick),
          serverTimeUs: BigInt(Math.round(this.server_ms * 1000)),
          rosterVersion: this.version_,
          paused,
          timeScale: 1,
          viewers: 1,
          rootPosition: this.ids_.flatMap((id) => [
            Math.round(40 * this.tick + 900 * Math.sin(phase + id)),
            1000 * id,
            Math.round(940 + 20 * Math.sin(2 * phase)),
          ]),
          rootRotation: this.ids_.map((id) => yaw(0.3 * Math.sin(phase + id))),
          joint: this.ids_.flatMap((id) =>
            Array.from({ length: kDof }, (_, k) => Math.round(180 * Math.sin(phase + id + k))),
          ),
          flags: Array.from({ length: n }, (_, i) => flags[i] ?? 0),
          limbContacts: Array.from({ length: n }, (_, i) => (this.tick + i) % 4),
          thing: things.map(([index]) => index),
          thingPosition: things.flatMap(([, x]) => [x, 0, 500]),
          thingRotation: things.map(() => yaw(0)),
        }),
      },
    });
    const bytes = toBinary(ServerMessageSchema, message);
    if (message.kind.case !== 'frame') return;
    // As by the worker: transferred, so in a buffer of its own.
    const received = this.server_ms + 3;
    const frame = decode_frame(message.kind.value, kUnits, this.layout_, received);
    this.world.receive({ kind: 'frame', frame, bytes });
  }

  rest(things: readonly (readonly [index: number, x_mm: number])[], tick = this.tick): void {
    const rest = create(RestSchema, {
      tick: BigInt(tick),
      rosterVersion: this.version_,
      thing: things.map(([index]) => index),
      position: things.flatMap(([, x]) => [x, 0, 500]),
      rotation: things.map(() => yaw(0)),
    });
    this.world.receive({ kind: 'rest', rest: decode_rest(rest, kUnits, this.layout_) });
  }

  details(characters: MessageInitShape<typeof CharacterDetailsSchema>[]): void {
    const value = create(DetailsSchema, { tick: BigInt(this.tick), characters });
    const message = create(ServerMessageSchema, { kind: { case: 'details', value } });
    this.world.receive({
      kind: 'details',
      characters: value.characters,
      tick: this.tick,
      received_ms: this.server_ms,
      bytes: toBinary(ServerMessageSchema, message),
    });
  }
}
