// What is told of a search beside the room: how far it is, how fast, what it has found, and what became of its candidates.
import { Gait_Symmetry } from '../../gen/promenade/v1/gait_pb';
import {
  type RoomSearch,
  RoomSearch_State,
  type SearchBest,
} from '../../gen/promenade/v1/room_search_pb';
import { kind_title } from './gait_map';
import { kSymmetries, objective_title } from './objectives';
import { is_running } from './running';
import { has_fallen, score_text } from './score_scale';

export interface ToldSearch {
  readonly running: boolean;
  readonly state: string;
  readonly trouble: string;
  readonly wanted: string; // what it looks for, and how
  readonly tried: number;
  readonly budget: number;
  readonly best: string; // '' while there is none
  readonly terms: readonly { readonly figure: string; readonly value: string }[]; // of its score
  readonly ends: readonly { readonly end: string; readonly count: number }[]; // of its candidates
}

const kStates: Readonly<Record<RoomSearch_State, string>> = {
  [RoomSearch_State.RUNNING]: 'searching',
  [RoomSearch_State.DONE]: 'done',
  [RoomSearch_State.STOPPED]: 'stopped',
  [RoomSearch_State.FAILED]: 'failed',
  [RoomSearch_State.NONE]: 'none',
};

function best_words({ kind, score, trial }: SearchBest): string {
  const what = kind ? `a ${kind_title(kind)}` : has_fallen(score) ? 'it falls' : 'no rhythm yet';
  return `${what}, score ${score_text(score)}, candidate ${trial}`;
}

function wanted_words({ order, numbers }: RoomSearch): string {
  if (!order) return '';
  const wanted = order.definition ? 'an objective of its own' : objective_title(order.objective);
  const { title = '' } = kSymmetries.find(({ of }) => of === order.symmetry) ?? {};
  const sides = order.symmetry === Gait_Symmetry.NONE ? '' : `, sides ${title.toLowerCase()}`;
  return `${wanted}${sides}, ${order.states} poses, ${numbers} free numbers`;
}

export function told_search(report: RoomSearch): ToldSearch {
  const tried = Number(report.evaluations);
  return {
    tried,
    running: is_running(report),
    state: kStates[report.state] ?? '',
    trouble: report.trouble,
    wanted: wanted_words(report),
    budget: Number(report.order?.budget ?? 0),
    best: report.best ? best_words(report.best) : '',
    terms: (report.best?.terms ?? []).map(({ figure, value }) => ({
      figure: figure.replaceAll('_', ' '),
      value: score_text(value),
    })),
    ends: report.ends
      .filter(({ count }) => count > 0n)
      .map(({ end, count }) => ({ end, count: Number(count) })),
  };
}

const kOver_s = 6;

/** How many candidates a second a search tries, over the last reports. */
export class SearchRate {
  private samples_: { at_s: number; tried: number }[] = [];
  private number_: bigint | undefined;

  /** @param at_s when the report came */
  add({ number, evaluations }: RoomSearch, at_s: number): void {
    if (number !== this.number_) this.samples_ = [];
    this.number_ = number;
    this.samples_.push({ at_s, tried: Number(evaluations) });
    while (this.samples_.length > 2 && (this.samples_[0]?.at_s ?? at_s) < at_s - kOver_s)
      this.samples_.shift();
  }

  /** undefined while that is not known */
  get per_s(): number | undefined {
    const [first] = this.samples_;
    const last = this.samples_.at(-1);
    if (!first || !last || last.at_s - first.at_s < 0.5) return undefined;
    return (last.tried - first.tried) / (last.at_s - first.at_s);
  }
}
