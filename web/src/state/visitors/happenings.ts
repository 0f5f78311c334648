// Events, as one sentence at a time for visitors who cannot see them: several of a kind are counted together.
import { kDid, kDone, type Mark, type MarkKind } from '../recording/marks';
import { enumerated } from '../values/sentence';

export type HappeningKind = MarkKind | 'arrive' | 'pause' | 'resume';

export interface Happening {
  readonly kind: HappeningKind;
  readonly name: string; // of the character or scene; '' where there is none
  readonly by: string; // the visitor who did it, as a sentence calls them: 'you', 'Amber Fox'; '': nobody, or not known
}

const kEvery_ms = 2000; // no more than one sentence in this time
const kNamed = 2; // so many of a kind are told by name

/** Of what others do a toast tells, which is read out as well: of all but pushes, which the picture shows. */
const kWithoutToast: ReadonlySet<MarkKind> = new Set(['push'] as const);

const kVerbs: Readonly<Record<Exclude<HappeningKind, 'pause' | 'resume'>, string>> = {
  ...kDone,
  arrive: 'reached the destination',
};
const kDeeds: Partial<Record<HappeningKind, string>> = {
  ...kDid,
  pause: 'paused',
  resume: 'resumed',
};
/** The most important kind comes first. */
const kOrder: readonly HappeningKind[] = [
  ...(['scene', 'fall', 'up', 'push', 'arrive', 'join', 'leave', 'edit'] as const),
  ...(['pause', 'resume'] as const),
];

/** @param names of those that one kind of thing happened to; the same name may come twice */
function clause(kind: HappeningKind, names: readonly string[], by: string): string {
  const did = by ? kDeeds[kind] : undefined;
  if (kind === 'pause' || kind === 'resume')
    return did ? `${by} ${did} the scene` : `the scene was ${kDeeds[kind]}`;
  const whom = [...new Set(names)];
  const many = whom.length > kNamed;
  const who = many
    ? `${whom.length} ${kind === 'scene' ? 'scenes' : 'characters'}`
    : enumerated(whom);
  if (did) return `${by} ${did} ${who}`;
  const verb = kVerbs[kind];
  const plural = whom.length > 1 ? verb.replace(/^was/, 'were') : verb;
  return `${who} ${plural}`;
}

/** The visitor's own deeds come first, those of nobody last. */
function rank(by: string): number {
  if (by === 'you') return 0;
  return by ? 1 : 2;
}

/** The event to tell of a mark; undefined: none. @param live whether it is of now, and not of the past */
export function happening_of({ kind, name, by }: Mark, live: boolean): Happening | undefined {
  if (live && by && !by.mine && !kWithoutToast.has(kind)) return undefined;
  return { kind, name, by: by?.mine ? 'you' : (by?.name ?? '') };
}

/** One sentence for all of them; '' for none. */
export function sentence_of(happenings: readonly Happening[]): string {
  // Of a clock that stopped and goes on, only how it ended is told; of several scenes, the last.
  const last = (...kinds: readonly HappeningKind[]) =>
    [...happenings].reverse().find(({ kind }) => kinds.includes(kind));
  const clock = last('pause', 'resume');
  const scene = last('scene');
  const told = happenings.filter((one) => {
    if (one.kind === 'pause' || one.kind === 'resume') return one === clock;
    return one.kind !== 'scene' || one === scene;
  });
  const doers = [...new Set(told.map(({ by }) => by))].sort((a, b) => rank(a) - rank(b));
  const clauses = kOrder.flatMap((kind) =>
    doers.flatMap((by) => {
      const names = told.filter((one) => one.kind === kind && one.by === by);
      return names.length === 0
        ? []
        : [
            clause(
              kind,
              names.map(({ name }) => name),
              by,
            ),
          ];
    }),
  );
  const text = enumerated(clauses);
  return text && `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}

/** Keeps what happened until it may be told. */
export class Happenings {
  private waiting_: Happening[] = [];
  private told_ms_ = -Infinity;

  add(happening: Happening): void {
    this.waiting_.push(happening);
  }

  clear(): void {
    this.waiting_ = [];
  }

  /** @return a sentence that is due now; undefined: nothing happened, or too little time has passed */
  take(now_ms: number): string | undefined {
    if (this.waiting_.length === 0 || now_ms - this.told_ms_ < kEvery_ms) return undefined;
    this.told_ms_ = now_ms;
    const text = sentence_of(this.waiting_);
    this.clear();
    return text;
  }
}
