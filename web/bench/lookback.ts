// What a jump in the last minute costs, and what a live picture costs, before anything is drawn: decoding the frames
// around the moment, and the pose of every link of everybody. CPU time, so that a busy machine hardly shows.
import { FrameBuffer } from '../src/state/frames/frame_buffer';
import { make_world_pose, Sampler } from '../src/state/frames/interpolate';
import { ThingTracks } from '../src/state/room/thing_tracks';
import { Room } from '../test/room';

const kFrames = 300;
const kStride = 97; // shares no factor with the number of frames: no frame is found decoded
const kRounds = 15;
const kTimes = 20;

/** ms of CPU of a call: median of the rounds. */
function cost_ms(work: () => void): number {
  const rounds = Array.from({ length: kRounds }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < kTimes; ++i) work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / kTimes;
  });
  return rounds.sort((a, b) => a - b)[kRounds >> 1] as number;
}

function measure(people: number): Record<string, string | number> {
  const room = new Room();
  room.roster(Array.from({ length: people }, (_, i) => i + 1));
  const buffer = new FrameBuffer();
  room.world.frame.watch((frame) => {
    if (frame) buffer.push({ frame, cast: room.world.cast.value });
  });
  for (let i = 0; i < kFrames; ++i) room.frame();
  const { recording, lookback, pose } = room.world;
  const live = make_world_pose();
  const sampler = new Sampler(buffer, new ThingTracks());
  let at = 0;
  const jump = (more_ms: number) => {
    at = (at + kStride) % kFrames;
    lookback.enter((recording.at(at)?.t_ms ?? 0) + more_ms);
    lookback.sample(pose);
  };
  const ms = (work: () => void) => cost_ms(work).toFixed(2);
  const newest = buffer.at(20)?.frame.server_time_ms ?? 0;
  return {
    people,
    'jump to a frame, ms': ms(() => jump(0)),
    'jump between frames, ms': ms(() => jump(11)),
    'poses of a live picture, ms': ms(() => void sampler.sample(newest + 11, live)),
    'a minute, MB': ((recording.bytes / kFrames) * 1800 * 1e-6).toFixed(1),
  };
}

console.table([24, 100, 300, 500].map(measure));
