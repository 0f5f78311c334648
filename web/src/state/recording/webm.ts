// A clip as a WebM file: a subset of Matroska (RFC 9559) with one track of video. Its length and the places of its key
// frames stand before the pictures, so that players show the one and jump to the other.

export interface ClipFrame {
  readonly data: Uint8Array; // as the encoder made it
  readonly t_ms: number; // from the beginning, rising
  readonly key: boolean; // can be shown without those before it
}

export interface ClipForm {
  readonly width: number; // px
  readonly height: number;
  readonly frame_ms: number; // how long the last frame is shown
}

/** IDs of the elements, RFC 9559 §5.1. */
const kId = {
  ebml: 0x1a45dfa3,
  ebml_version: 0x4286,
  ebml_read_version: 0x42f7,
  max_id_length: 0x42f2,
  max_size_length: 0x42f3,
  doc_type: 0x4282,
  doc_type_version: 0x4287,
  doc_type_read_version: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestamp_scale: 0x2ad7b1,
  duration: 0x4489,
  muxing_app: 0x4d80,
  writing_app: 0x5741,
  tracks: 0x1654ae6b,
  track: 0xae,
  track_number: 0xd7,
  track_uid: 0x73c5,
  track_type: 0x83,
  lacing: 0x9c,
  codec: 0x86,
  video: 0xe0,
  pixel_width: 0xb0,
  pixel_height: 0xba,
  cues: 0x1c53bb6b,
  cue: 0xbb,
  cue_time: 0xb3,
  cue_positions: 0xb7,
  cue_track: 0xf7,
  cue_cluster: 0xf1,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simple_block: 0xa3,
} as const;

const kScale_ns = 1_000_000; // of a timestamp: milliseconds
const kName = 'Promenade';
const kKeyFrame = 0x80;

type Part = Uint8Array<ArrayBuffer>;

function joined(parts: readonly Uint8Array[]): Part {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A whole number in as few bytes as it takes, or in `least`. */
function uint(value: number, least = 1): Part {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length < least; rest = Math.floor(rest / 256))
    bytes.unshift(rest % 256);
  return Uint8Array.from(bytes);
}

/** A size, always in eight bytes, so that places are known before what they are places of. */
function size(value: number): Part {
  const out = uint(value, 8);
  out[0] = 0x01;
  return out;
}

function element(id: number, ...content: readonly Uint8Array[]): Part {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  return joined([uint(id), size(length), ...content]);
}

const text = (value: string) => new TextEncoder().encode(value);

function float64(value: number): Part {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setFloat64(0, value);
  return out;
}

function header(): Part {
  return element(
    kId.ebml,
    element(kId.ebml_version, uint(1)),
    element(kId.ebml_read_version, uint(1)),
    element(kId.max_id_length, uint(4)),
    element(kId.max_size_length, uint(8)),
    element(kId.doc_type, text('webm')),
    element(kId.doc_type_version, uint(4)),
    element(kId.doc_type_read_version, uint(2)),
  );
}

/** A key frame and those that need it. */
function cluster_of(frames: readonly ClipFrame[]): Part {
  const start = Math.round(frames[0]?.t_ms ?? 0);
  const blocks = frames.map(({ data, t_ms, key }) => {
    const since = Math.round(t_ms) - start; // fits 16 bits with sign: a cluster is a few seconds
    const head = Uint8Array.of(0x81, (since >> 8) & 255, since & 255, key ? kKeyFrame : 0);
    return element(kId.simple_block, head, data);
  });
  return element(kId.cluster, element(kId.timestamp, uint(start)), ...blocks);
}

function clusters_of(frames: readonly ClipFrame[]): ClipFrame[][] {
  const out: ClipFrame[][] = [];
  for (const frame of frames) {
    if (frame.key || out.length === 0) out.push([]);
    (out[out.length - 1] as ClipFrame[]).push(frame);
  }
  return out;
}

/** @param first_at bytes from the start of the segment's content to the first cluster */
function cues_of(
  clusters: readonly { readonly t_ms: number; readonly length: number }[],
  first_at: number,
): Part {
  let at = first_at;
  const cues = clusters.map(({ t_ms, length }) => {
    const cue = element(
      kId.cue,
      element(kId.cue_time, uint(Math.round(t_ms), 8)),
      element(
        kId.cue_positions,
        element(kId.cue_track, uint(1)),
        element(kId.cue_cluster, uint(at, 8)),
      ),
    );
    at += length;
    return cue;
  });
  return element(kId.cues, ...cues);
}

/** @param frames of VP8, at least one, of which the first is a key frame */
export function make_webm(
  frames: readonly ClipFrame[],
  { width, height, frame_ms }: ClipForm,
): Part {
  const end_ms = (frames[frames.length - 1]?.t_ms ?? 0) + frame_ms;
  const info = element(
    kId.info,
    element(kId.timestamp_scale, uint(kScale_ns)),
    element(kId.duration, float64(end_ms)),
    element(kId.muxing_app, text(kName)),
    element(kId.writing_app, text(kName)),
  );
  const track = element(
    kId.track,
    element(kId.track_number, uint(1)),
    element(kId.track_uid, uint(1)),
    element(kId.track_type, uint(1)),
    element(kId.lacing, uint(0)),
    element(kId.codec, text('V_VP8')),
    element(
      kId.video,
      element(kId.pixel_width, uint(width)),
      element(kId.pixel_height, uint(height)),
    ),
  );
  const tracks = element(kId.tracks, track);
  const clusters = clusters_of(frames).map((list) => ({
    t_ms: list[0]?.t_ms ?? 0,
    bytes: cluster_of(list),
  }));
  const lengths = clusters.map(({ t_ms, bytes }) => ({ t_ms, length: bytes.length }));
  const before = info.length + tracks.length;
  const cues = cues_of(lengths, before + cues_of(lengths, 0).length);
  const all = clusters.map(({ bytes }) => bytes);
  return joined([header(), element(kId.segment, info, tracks, cues, ...all)]);
}
