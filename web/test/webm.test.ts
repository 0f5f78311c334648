import { expect, test } from 'vitest';
import { make_webm } from '../src/state/recording/webm';

interface Element {
  readonly id: number;
  readonly at: number; // of its first byte
  readonly data: Uint8Array;
}

/** Reads EBML elements by the rules of RFC 8794. */
function elements(data: Uint8Array): Element[] {
  const out: Element[] = [];
  let at = 0;
  const number = (keep_marker: boolean) => {
    const first = data[at] as number;
    const length = Math.clz32(first) - 23;
    let value = keep_marker ? first : first & (255 >> length);
    for (let k = 1; k < length; ++k) value = value * 256 + (data[at + k] as number);
    at += length;
    return value;
  };
  while (at < data.length) {
    const start = at;
    const id = number(true);
    const length = number(false);
    out.push({ id, at: start, data: data.subarray(at, at + length) });
    at += length;
  }
  expect(at).toBe(data.length);
  return out;
}

const uint = (data: Uint8Array) => data.reduce((sum, byte) => sum * 256 + byte, 0);
const inside = (list: readonly Element[], id: number) => {
  const found = list.find((one) => one.id === id);
  if (!found) throw new Error(`no ${id.toString(16)}`);
  return found;
};

const frames = Array.from({ length: 100 }, (_, i) => ({
  data: new Uint8Array(10 + i).fill(i),
  t_ms: (i * 1000) / 30,
  key: i % 40 === 0,
}));
const file = make_webm(frames, { width: 640, height: 360, frame_ms: 1000 / 30 });

test('a clip is a file of WebM that tells its length and size', () => {
  const [head, segment, ...more] = elements(file);
  expect(more).toHaveLength(0);
  expect(new TextDecoder().decode(inside(elements(head?.data ?? file), 0x4282).data)).toBe('webm');
  const parts = elements(segment?.data ?? file);
  const info = elements(inside(parts, 0x1549a966).data);
  const duration = inside(info, 0x4489).data;
  expect(new DataView(duration.buffer, duration.byteOffset).getFloat64(0)).toBeCloseTo(3333.3, 0);
  const track = elements(inside(elements(inside(parts, 0x1654ae6b).data), 0xae).data);
  const video = elements(inside(track, 0xe0).data);
  expect([uint(inside(video, 0xb0).data), uint(inside(video, 0xba).data)]).toEqual([640, 360]);
});

test('every frame is there at its time, and every key frame where the cues say', () => {
  const segment = elements(file)[1]?.data ?? file;
  const parts = elements(segment);
  const clusters = parts.filter(({ id }) => id === 0x1f43b675);
  const blocks = clusters.flatMap(({ data }) => {
    const inner = elements(data);
    const start = uint(inside(inner, 0xe7).data);
    return inner
      .filter(({ id }) => id === 0xa3)
      .map(({ data: block }) => ({
        t_ms: start + uint(block.subarray(1, 3)),
        key: (block[3] as number) === 0x80,
        data: block.subarray(4),
      }));
  });
  expect(blocks).toHaveLength(frames.length);
  blocks.forEach((block, i) => {
    expect(block.t_ms).toBe(Math.round(frames[i]?.t_ms ?? -1));
    expect(block.key).toBe(frames[i]?.key);
    expect([...block.data]).toEqual([...(frames[i]?.data ?? [])]);
  });
  const cues = elements(inside(parts, 0x1c53bb6b).data).map(({ data }) => elements(data));
  expect(cues.map((cue) => uint(inside(cue, 0xb3).data))).toEqual([0, 1333, 2667]);
  const places = cues.map((cue) => uint(inside(elements(inside(cue, 0xb7).data), 0xf1).data));
  expect(places).toEqual(clusters.map(({ at }) => at));
});
