import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { RoomSummarySchema } from '../src/gen/promenade/v1/api_pb';
import { LobbyPictureSchema, type LobbyPicture } from '../src/gen/promenade/v1/lobby_pb';
import { lobby_camera } from '../src/scene/lobby/lobby_camera';
import { LobbyTrack } from '../src/state/lobby/lobby_track';
import { names_a_view, read_place } from '../src/ui/page/address';
import { people_in } from '../src/ui/room/room_words';

const kTick_s = 1 / 60;

/** Character 5 at x = tick cm, its only bone 100 units up; from a tick on, every 12 ticks. */
function picture(from: number, count: number): LobbyPicture {
  const moments = Array.from({ length: count }, (_, i) => {
    const tick = from + 12 * i;
    return {
      tick: BigInt(tick),
      body: [0],
      positionCm: [tick, 0, 95],
      points: new Uint8Array([0, 0, 100]),
    };
  });
  return create(LobbyPictureSchema, {
    room: 'main',
    tickS: kTick_s,
    centerM: [1, 2, 0],
    radiusM: 3,
    figures: [{ color: '#aabbcc', parent: [0], radiusMm: [50], unitM: 0.01 }],
    bodies: [{ id: 5, figure: 0 }],
    moments,
  });
}

test('a room that is being made says so instead of its visitors', () => {
  const room = create(RoomSummarySchema, { id: 'main', scene: 'plaza', characters: 1 });
  expect(people_in(room)).toBe('0 watching · 1 character');
  const made = create(RoomSummarySchema, { id: 'main', making: { share: 0.404 } });
  expect(people_in(made)).toBe('being made: 40 %');
});

describe('the track of a small picture', () => {
  test('has bodies where they are in the world', () => {
    const track = new LobbyTrack();
    expect(track.at(0)).toEqual([]);
    track.push(picture(120, 1), 1000);
    const [sketch] = track.at(1000);
    expect(sketch?.id).toBe(5);
    expect(sketch?.root[0]).toBeCloseTo(1 + 1.2);
    expect(sketch?.root[2]).toBeCloseTo(0.95);
    expect(sketch?.points[2]).toBeCloseTo(1);
  });

  test('reads bytes below zero', () => {
    const track = new LobbyTrack();
    const one = picture(0, 1);
    (one.moments[0] as { points: Uint8Array }).points = new Uint8Array([0, 256 - 50, 0]);
    track.push(one, 0);
    expect(track.at(0)[0]?.points[1]).toBeCloseTo(-0.5);
  });

  test('moves evenly though pictures come unevenly', () => {
    const track = new LobbyTrack();
    let pushed = 0;
    const xs: number[] = [];
    for (let now = 0; now < 8000; now += 33) {
      // A second and up to 0.15 s more or less; the server has gone on meanwhile.
      if (now >= pushed * 1000 + (pushed % 3) * 75) {
        const newest = Math.floor((now * 0.06) / 12) * 12;
        track.push(picture(Math.max(0, newest - 60), 6), now);
        ++pushed;
      }
      const [sketch] = track.at(now);
      if (now > 3000) xs.push(sketch?.root[0] ?? Number.NaN);
    }
    const steps = xs.slice(1).map((x, i) => x - (xs[i] as number));
    expect(Math.min(...steps)).toBeGreaterThan(0);
    expect(Math.max(...steps)).toBeLessThan(2 * 0.033 * 0.6);
    const speed = ((xs.at(-1) as number) - (xs[0] as number)) / (0.033 * steps.length);
    expect(speed).toBeGreaterThan(0.5);
    expect(speed).toBeLessThan(0.7);
  });

  test('ends at the last moment of a room that stands still', () => {
    const track = new LobbyTrack();
    track.push(picture(0, 3), 0);
    for (let now = 0; now < 5000; now += 100) track.at(now);
    expect(track.at(5000)[0]?.root[0]).toBeCloseTo(1.24);
    expect(track.moves()).toBe(false);
  });

  test('begins anew where ticks do', () => {
    const track = new LobbyTrack();
    track.push(picture(6000, 3), 0);
    track.push(picture(0, 1), 1000);
    expect(track.at(1000)[0]?.root[0]).toBeCloseTo(1);
  });
});

describe('the camera of small pictures', () => {
  test('has the place it looks at in the middle, and what is higher above it', () => {
    const camera = lobby_camera([3, 4, 0], 4, 0.7, 320, 180);
    const low = camera.project([3, 4, 0]);
    const high = camera.project([3, 4, 1.7]);
    expect(low?.x).toBeCloseTo(160);
    expect(low?.y).toBeGreaterThan(90);
    expect(high?.y).toBeLessThan(90);
    expect(camera.horizon).toBeLessThan(high?.y ?? 0);
  });

  test('sees nothing behind itself', () => {
    const camera = lobby_camera([0, 0, 0], 3, 0, 320, 180);
    expect(camera.project([100, 0, 0])).toBeUndefined();
  });
});

test('an address leads somewhere or to the lobby', () => {
  expect(names_a_view(read_place(''))).toBe(false);
  for (const query of ['?room=main', '?scene=one', '?select=2', '?camera=1,2,3,4,5,6'])
    expect(names_a_view(read_place(query))).toBe(true);
});
