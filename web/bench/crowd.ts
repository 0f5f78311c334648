// What a picture of a crowd costs before it is drawn: where everybody is, how finely each is drawn, poses, figures,
// shadows, footprints, who is under the pointer. CPU time in Node, so that no graphics card, none that is missing, and no
// busy machine plays a part.
import { create } from '@bufbuild/protobuf';
import * as THREE from 'three';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import type { FrameData } from '../src/net/frame';
import { ContactShadows } from '../src/scene/crowd/contact_shadows';
import { Crowd } from '../src/scene/crowd/crowd';
import { WholeCrowd } from '../src/scene/crowd/whole_crowd';
import { kDay } from '../src/scene/picture/palette';
import { CameraSight } from '../src/scene/picture/sight';
import { Sunlight } from '../src/scene/picture/sunlight';
import { FootprintFinder } from '../src/state/gait/footprints';
import { FrameBuffer } from '../src/state/frames/frame_buffer';
import { gait_cycle_joints } from '../test/walkers';
import { make_world_pose, Sampler } from '../src/state/frames/interpolate';
import { pick } from '../src/state/hand/picking';
import { Families } from '../src/state/room/families';
import { make_cast } from '../src/state/room/roster';
import { make_skeleton } from '../src/state/figure/skeleton';
import { ThingTracks } from '../src/state/room/thing_tracks';
import { human } from '../test/room';

const kSpacing_m = 1.6;
const kFrames = 60;
const kPeriod_ms = 1000 / 30;
const kPictures = 240; // of which the first half warms up
const kRounds = 5;
const kStrideTime_s = 1.1;

const skeleton = make_skeleton(human);

function cpu_ms(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function frame_at(k: number, people: number): FrameData {
  const side = Math.ceil(Math.sqrt(people));
  const dof = skeleton.coordinates;
  const roots = new Float32Array(7 * people);
  const joints = new Float32Array(dof * people);
  const limb_contacts = new Uint32Array(people);
  for (let i = 0; i < people; ++i) {
    const time_s = (k * kPeriod_ms) / 1000;
    const phase = (time_s / kStrideTime_s + i * 0.137) % 1;
    const heading = i * 2.4;
    const walked = 1.2 * time_s;
    const x = ((i % side) - side / 2) * kSpacing_m + walked * Math.cos(heading);
    const y = (Math.floor(i / side) - side / 2) * kSpacing_m + walked * Math.sin(heading);
    roots.set([x, y, 0.95, 0, 0, Math.sin(heading / 2), Math.cos(heading / 2)], 7 * i);
    joints.set(gait_cycle_joints(skeleton, phase), dof * i);
    limb_contacts[i] = phase < 0.5 ? 1 : 2;
  }
  return {
    tick: 2 * k,
    server_time_ms: 1000 + k * kPeriod_ms,
    received_ms: 0,
    roster_version: 1,
    ...{ real_time_factor: 1, paused: false, time_scale: 1, viewers: 1, dropped: 0 },
    roots,
    joints,
    flags: new Uint32Array(people),
    limb_contacts,
    things: {
      index: new Uint32Array(0),
      roots: new Float32Array(0),
      joints: new Float32Array(0),
      first: new Uint32Array(0),
    },
  };
}

function measure(people: number, eye_m: number): Record<string, string | number> {
  const entries = Array.from({ length: people }, (_, i) => ({
    ...{ id: i + 1, body: 1n, style: 'normal', styleId: 1n, dof: skeleton.coordinates },
    color: `#${(0x3060a0 + ((i * 2654435761) % 0x3f3f3f)).toString(16)}`,
  }));
  const roster = create(RosterSchema, { version: 1n, entries });
  const skeletons = new Map([[1n, skeleton]]);
  const cast = make_cast(roster, { skeletons, families: new Families([]) });
  const buffer = new FrameBuffer();
  for (let k = 0; k < kFrames; ++k) buffer.push({ frame: frame_at(k, people), cast });
  const root = new THREE.Group();
  root.rotation.x = -Math.PI / 2;
  const crowd = new Crowd(root);
  crowd.add_whole(WholeCrowd, new THREE.Fog(0)).ready = true;
  const contacts = new ContactShadows();
  const sun = new Sunlight();
  sun.set(kDay.sun_direction, kDay.shade);
  sun.aim(0, 0, 24);
  const finder = new FootprintFinder();
  const sampler = new Sampler(buffer, new ThingTracks());
  const pose = make_world_pose();
  const camera = new THREE.PerspectiveCamera(32, 16 / 9, 0.1, 900);
  const eye = [-eye_m, -3, 2.2 + eye_m / 8] as const;
  camera.position.set(eye[0], eye[2], -eye[1]);
  camera.lookAt(0, 1, 0);
  const sight = new CameraSight();
  const pixel_m = (2 * Math.tan((16 * Math.PI) / 180)) / 1080;
  const parts: Record<string, number> = {};
  let picture = 0;
  const timed = (name: string, work: () => void) => {
    const before = cpu_ms();
    work();
    if (picture >= kPictures / 2) parts[name] = (parts[name] ?? 0) + cpu_ms() - before;
  };
  const from_ms = buffer.at(2)?.frame.server_time_ms ?? 0;
  const totals: number[] = [];
  for (let round = 0; round < kRounds; ++round) {
    for (picture = 0; picture < kPictures; ++picture) {
      const before = cpu_ms();
      const t_ms = from_ms + (picture * kPeriod_ms) / 5;
      timed('roots', () => void sampler.sample(t_ms, pose));
      timed('crowd', () => {
        const seen = sight.update(camera, root, eye, pixel_m);
        crowd.update(pose, seen, { elapsed_s: 1 / 60, sun });
      });
      timed('shadows', () => {
        contacts.update(pose, crowd.detail.by_parts, eye);
      });
      timed('prints', () =>
        finder.find(pose, people > 300 ? crowd.detail.by_parts : cast.members, () => {}),
      );
      timed('pointer', () => void pick(pose, { origin: eye, direction: [1, 0.01, -0.06] }, 0));
      if (picture >= kPictures / 2) totals.push(cpu_ms() - before);
    }
  }
  totals.sort((a, b) => a - b);
  const each = (kRounds * kPictures) / 2;
  return {
    people,
    'eye, m': eye_m,
    'by parts': crowd.detail.by_parts.length,
    'as one': crowd.detail.as_one.length,
    'p50, ms': (totals[totals.length >> 1] as number).toFixed(2),
    ...Object.fromEntries(Object.entries(parts).map(([k, v]) => [k, (v / each).toFixed(2)])),
  };
}

const rows = [];
for (const people of [100, 1000, 5000]) for (const eye of [8, 60]) rows.push(measure(people, eye));
console.table(rows);
