// Puts a gait of the map beside the learner: another body of the same kind that plays it.
import type { Creature } from '../../gen/promenade/v1/creature_pb';
import { ReferenceFrame } from '../../gen/promenade/v1/command_pb';
import type { Gait } from '../../gen/promenade/v1/gait_pb';
import type { RoomSearch } from '../../gen/promenade/v1/room_search_pb';
import type { Api } from '../../net/api';
import { kRootSize } from '../../net/frame';
import { rest_size } from '../../state/figure/rest_pose';
import { place_beside, type Standing } from '../../state/learn/beside';
import type { Member } from '../../state/room/roster';
import { Signal } from '../../state/values/signal';
import { heading_of } from '../../state/values/quaternion';
import type { CommandOutcome } from '../../net/messages';
import { explain } from '../room/actions';
import type { Context } from '../page/context';

const kUsualSpeed_mps = 0.5;
const kFastest_mps = 3;
const kApart = 2; // times the body's width
const kLeast_apart_m = 0.5;

/** Where somebody is, by the frame that came last. */
function standing_of({ world }: Context, { index }: Member): Standing | undefined {
  const roots = world.frame.value?.roots;
  const from = kRootSize * index;
  const [x, y] = [roots?.[from], roots?.[from + 1]];
  if (!roots || x === undefined || y === undefined) return undefined;
  return { x, y, heading_rad: heading_of(roots, from + 3) };
}

function problem_of(outcome: CommandOutcome): string {
  if (outcome.kind === 'done') return '';
  return outcome.kind === 'lost' ? outcome.reason : explain(outcome.error);
}

export class Beside {
  /** Lists the characters that were put down here and are in the room still. */
  readonly ids = new Signal<readonly number[]>([]);
  private readonly seen_ = new Set<number>(); // of these, those that the roster has had
  private placed_ = 0;

  constructor(
    private readonly context_: Context,
    private readonly api_: Api,
  ) {
    context_.world.cast.watch(({ by_id }) => {
      const there = this.ids.value.filter((id) => by_id.has(id) || !this.seen_.has(id));
      for (const id of there) if (by_id.has(id)) this.seen_.add(id);
      if (there.length < this.ids.value.length) this.ids.set(there);
    });
    // In another scene somebody else has their numbers.
    context_.world.scene.watch(() => this.ids.set([]));
    this.ids.watch(({ length }) => {
      if (length > 0) return;
      this.placed_ = 0;
      this.seen_.clear();
    });
  }

  /** @return what went wrong; '' nothing */
  async put(gait: Gait, { creature, order }: RoomSearch): Promise<string> {
    const { actions, world } = this.context_;
    const controller = world.families.all.find(({ playsGaits }) => playsGaits)?.name;
    if (!controller) return 'No controller of this room plays gaits.';
    const learner = world.cast.value.by_id.get(order?.character ?? 0);
    const body = await this.body_of(learner, creature);
    if (!body) return 'The character that learned has left the room, and its body with it.';
    const spawned = await actions.ask({
      case: 'spawn',
      value: { ...body, ...this.place_of(learner), controller },
    });
    if (spawned.kind !== 'done') return problem_of(spawned);
    const { character } = spawned;
    this.ids.set([...this.ids.value, character]);
    const given = await actions.ask({
      case: 'setGait',
      value: { character, definition: gait },
    });
    if (given.kind !== 'done') return problem_of(given);
    const speed_mps = gait.origin?.speedMps ?? 0;
    const xMps = speed_mps > 0 ? Math.min(kFastest_mps, speed_mps) : kUsualSpeed_mps;
    const sent = await actions.ask({
      case: 'setVelocity',
      value: { character, xMps, yMps: 0, frame: ReferenceFrame.CHARACTER },
    });
    return problem_of(sent);
  }

  remove_all(): void {
    for (const character of this.ids.value)
      void this.context_.actions.send({ case: 'remove', value: { character } });
  }

  private place_of(
    learner: Member | undefined,
  ): { readonly positionM: number[]; readonly headingRad: number } | undefined {
    const here = learner && standing_of(this.context_, learner);
    if (!learner || !here) return undefined;
    const apart = Math.max(kLeast_apart_m, kApart * rest_size(learner.skeleton)[1]);
    const { x, y, heading_rad } = place_beside(here, this.placed_++, apart);
    return { positionM: [x, y], headingRad: heading_rad };
  }

  /** The learner's body: by its name where it is one of the catalogue, unchanged. */
  private async body_of(
    learner: Member | undefined,
    creature: string,
  ): Promise<{ readonly body: string } | { readonly bodyDefinition: Creature } | undefined> {
    const { bodies = [] } = this.context_.world.catalogue.value ?? {};
    const known = bodies.some(({ name }) => name === creature);
    if (known && !learner?.body_edited) return { body: creature };
    if (!learner) return undefined;
    const answer = await this.api_.body_of(learner.id);
    const definition = answer.kind === 'done' ? answer.value.definition : undefined;
    return definition && { bodyDefinition: definition };
  }
}
