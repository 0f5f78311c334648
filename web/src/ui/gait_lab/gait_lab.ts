// The gait lab: how the selected character walks, held against people, over the gait cycle.
import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';
import { GaitCycles } from '../../state/gait/gait_cycle';
import { GaitSampler } from '../../state/gait/gait_sample';
import { has_gait_cycles, leg_length_of } from '../../state/figure/legs';
import type { Member } from '../../state/room/roster';
import { kSource, people_at } from '../../state/gait/walk_reference';
import { kRootSize } from '../../net/frame';
import type { Context } from '../page/context';
import { kLegColors } from './cycle_plot';
import { h, write } from '../parts/dom';
import { gait_figures } from './gait_figures';
import { LabPlots } from './lab_plots';
import { LabSpeed } from './lab_speed';
import type { Sheet, SheetWork } from '../parts/later';
import '../style/gait_lab.css';

const kSlowest_mps = 0.1; // asked of people: slower is no walk

/** The character whose walk is read, and the reader. */
interface Subject {
  readonly sampler: GaitSampler;
  readonly id: number;
  readonly skeleton: Member['skeleton'];
  readonly leg_length: number; // m
}

function legend(): HTMLElement {
  const key = (kind: string, text: string, color: string, title: string) => {
    const element = h('span', { class: `lab-key lab-key-${kind}`, text, title });
    element.style.setProperty('--key', `var(${color})`);
    return element;
  };
  return h(
    'div',
    { class: 'lab-legend' },
    key('line', 'left', kLegColors[0], 'Thick: the present cycle. Thin: mean of the last five'),
    key('line', 'right', kLegColors[1], 'Thick: the present cycle. Thin: mean of the last five'),
    key(
      'band',
      'real people ± 1 SD',
      '--people',
      `At this speed, with legs of this length. ${kSource}`,
    ),
    key('mark', 'foot off', '--faint', 'Where the foot leaves the ground; dashed: real people'),
  );
}

export function gait_lab(context: Context, sheet: Sheet): SheetWork {
  return new GaitLab(context, sheet);
}

class GaitLab implements SheetWork {
  private readonly cycles_ = new GaitCycles();
  private readonly plots_ = new LabPlots();
  private readonly figures_ = gait_figures();
  private readonly speed_: LabSpeed;
  private readonly who_ = h('span', { class: 'lab-who' });
  private readonly strides_ = h('span', {
    class: 'faint lab-strides',
    attributes: { 'data-test': 'lab-strides' },
  });
  private readonly note_ = h('p', {
    class: 'lab-note',
    text: 'Select someone who walks on two legs. The plots show the first one selected.',
  });
  private subject_: Subject | undefined;

  constructor(
    private readonly context_: Context,
    private readonly sheet_: Sheet,
  ) {
    const { selection, steering, world } = context_;
    this.speed_ = new LabSpeed(steering);
    this.fill();
    const refresh = () => this.refresh();
    sheet_.open.watch(refresh);
    selection.ids.watch(refresh);
    world.cast.watch(refresh);
    world.details.watch((all) => {
      const now = sheet_.open.value ? this.member : undefined;
      const live = now && all.get(now.id);
      if (live) this.read(now, live.details, live.tick);
    });
  }

  draw(): void {
    if (!this.sheet_.open.value || !this.subject_) return;
    const own = this.cycles_.figures();
    const { leg_length } = this.subject_;
    const people = own && people_at(Math.max(kSlowest_mps, own.speed), leg_length);
    this.figures_.show(own, people, this.speed_.asked_mps);
    const count = this.cycles_.count;
    write(
      this.strides_,
      count > 0 ? `thin lines: mean of ${count} cycles` : 'waiting for a full gait cycle …',
    );
    this.strides_.dataset['count'] = String(count);
    this.plots_.draw(this.cycles_, people);
  }

  private fill(): void {
    const { element, open } = this.sheet_;
    const close = h('button', {
      class: 'quiet',
      text: '×',
      title: 'Close the gait lab',
      attributes: { 'aria-label': 'Close the gait lab', 'data-test': 'lab-close' },
      on: { click: () => open.set(false) },
    });
    element.append(
      h(
        'header',
        { class: 'lab-head' },
        h('h2', { text: 'Gait lab' }),
        this.who_,
        this.speed_.element,
        legend(),
        this.strides_,
        close,
      ),
      this.note_,
      h(
        'div',
        // It scrolls where it is narrow: by arrow keys, too.
        { class: 'lab-grid', attributes: { tabindex: '0', role: 'group', 'aria-label': 'Plots' } },
        ...this.plots_.elements,
        h('div', { class: 'lab-figures-box' }, this.figures_.element),
      ),
    );
  }

  /** The first selected character, where it walks on two legs. */
  private get member(): Member | undefined {
    const { selection, world } = this.context_;
    const id = selection.first;
    const found = id === undefined ? undefined : world.cast.value.by_id.get(id);
    return found && found.complete && has_gait_cycles(found) ? found : undefined;
  }

  /** Turns to the first selected character; no walk is read while the lab is closed. */
  private refresh(): void {
    const now = this.sheet_.open.value ? this.member : undefined;
    this.note_.hidden = now !== undefined;
    this.sheet_.element.classList.toggle('nobody', now === undefined);
    write(this.who_, now ? `${now.skeleton.title} ${now.id}` : '');
    if (now && now.id === this.subject_?.id && now.skeleton === this.subject_.skeleton) return;
    this.cycles_.clear();
    this.subject_ = now && {
      sampler: new GaitSampler(now.skeleton),
      id: now.id,
      skeleton: now.skeleton,
      leg_length: leg_length_of(now.skeleton),
    };
  }

  /** Reads a moment of the walk. @param tick of the details */
  private read(now: Member, details: CharacterDetails, tick: number): void {
    const { frame, hello } = this.context_.world;
    const { value: poses } = frame;
    // The details of a frame come right after it; those of another one do not fit its poses.
    if (!this.subject_ || !poses || poses.tick !== tick) return;
    const sample = this.subject_.sampler.push(
      tick * (hello.value?.tick_s ?? 1 / 60),
      poses.roots,
      kRootSize * now.index,
      poses.joints,
      now.coordinate,
      details,
    );
    if (sample) this.cycles_.add(sample);
    this.speed_.follow(details);
  }
}
