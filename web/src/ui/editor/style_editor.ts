// Editor of the selected character's style: curves over the phase of a step, and the numbers of the walk.
import type { Style } from '../../gen/promenade/v1/style_pb';
import type { Points } from '../../state/edit/curve_points';
import { curve_spot, within_definition } from '../../state/edit/field_path';
import {
  bounds_of,
  type CurveRef,
  is_symmetric,
  kFootSlot,
  kSlots,
  kStyleNumbers,
  make_asymmetric,
  make_symmetric,
  points_of,
  refs_in,
  type Slot,
  type Step,
  with_new_curve,
  with_number,
  with_points,
} from '../../state/edit/style_doc';
import { h, write } from '../parts/dom';
import type { Toasts } from '../parts/toasts';
import { CurvePlot, type CurveView } from './curve_plot';
import { FootLiftRow } from './foot_lift_row';
import type { LiveDocument } from './live_document';
import { PointRow } from './point_row';
import { SliderRow } from './slider_row';
import { SlotGrid } from './slot_grid';
import { SpeedFactor } from './speed_factor';

const kCaptions = ['foot lifts', 'foot lands'] as const;

export interface StyleNow {
  readonly phase: number; // of the step
  readonly step: Step; // the side whose foot is the stance foot
  readonly speed: number; // m/s, forward
  readonly walking: boolean;
}

export class StyleEditor {
  readonly element: HTMLElement;
  readonly numbers = new Map<string, SliderRow>();
  private readonly plot_ = new CurvePlot('Curve over the phase of the step', 'style-curve');
  private readonly point_row_ = new PointRow(this.plot_);
  private readonly factor_ = new SpeedFactor();
  private readonly grid_ = new SlotGrid();
  private readonly lift_: FootLiftRow;
  private readonly title_ = h('h3', {});
  private readonly symmetric_ = h('input', {
    attributes: { type: 'checkbox', 'data-test': 'style-symmetric' },
  });
  private readonly sides_ = h(
    'div',
    { class: 'segmented', attributes: { role: 'group', 'aria-label': 'Step' } },
    this.side('left', 'Left'),
    this.side('right', 'Right'),
  );
  private readonly layers_ = h('div', { class: 'segmented' });
  private readonly problem_ = h('p', { class: 'field-problem', attributes: { role: 'alert' } });
  private slot_: Slot = kFootSlot;
  private step_: Step = 'left';
  private layer_ = 0;
  private enabled_ = false;

  constructor(
    private readonly current_: () => LiveDocument<Style> | undefined,
    private readonly toasts_: Toasts,
  ) {
    this.lift_ = new FootLiftRow(current_);
    this.add_numbers();
    const sliders = [...this.numbers.values()].map(({ element }) => element);
    sliders.splice(2, 0, this.lift_.element);
    this.element = h(
      'div',
      { class: 'style-editor' },
      h(
        'div',
        { class: 'curve-head' },
        this.title_,
        this.layers_,
        this.sides_,
        h(
          'label',
          { class: 'switch', title: 'Change left and right steps together' },
          this.symmetric_,
          'Symmetric',
        ),
      ),
      this.plot_.element,
      this.problem_,
      this.point_row_.element,
      this.grid_.element,
      ...this.factor_.elements,
      h('div', { class: 'sliders' }, ...sliders),
    );
    this.problem_.hidden = true;
    this.listen();
  }

  /** @param enabled whether this viewer may change anything */
  refresh(enabled: boolean): void {
    this.enabled_ = enabled;
    const current = this.current_();
    const doc = current?.doc;
    this.element.inert = doc === undefined;
    if (!doc) {
      this.plot_.show(undefined);
      return;
    }
    const symmetric = is_symmetric(doc);
    if (symmetric) this.step_ = 'left';
    this.symmetric_.checked = symmetric;
    this.symmetric_.disabled = !enabled;
    this.sides_.hidden = symmetric;
    for (const button of this.sides_.children)
      button.setAttribute(
        'aria-pressed',
        String((button as HTMLElement).dataset['step'] === this.step_),
      );
    this.show_problems(doc);
    this.show_curve(doc);
    for (const { key, field } of kStyleNumbers) {
      const row = this.numbers.get(field);
      row?.show(doc[key]);
      row?.set_enabled(enabled);
    }
    this.lift_.show(doc, enabled);
  }

  /** Moves the markers to the character's present phase and speed, as the picture shows them. */
  set_now(now: StyleNow | undefined): void {
    const doc = this.current_()?.doc;
    const counts = doc !== undefined && (is_symmetric(doc) || now?.step === this.step_);
    this.plot_.set_now(now?.walking ? now.phase : undefined, counts);
    this.factor_.set_now(now?.walking ? now.speed : undefined);
  }

  /** Cancels a drag. @return whether there was one */
  cancel(): boolean {
    return this.plot_.cancel() || this.factor_.cancel();
  }

  private side(step: Step, text: string): HTMLElement {
    return h('button', {
      text,
      title: `Steps on the ${step} foot`,
      attributes: { type: 'button', 'data-step': step },
      on: {
        click: () => {
          this.step_ = step;
          this.layer_ = 0;
          this.refresh(this.enabled_);
        },
      },
    });
  }

  /** Makes a slider for each number of a style. */
  private add_numbers(): void {
    for (const { key, field, title, unit, low, high, step, hint } of kStyleNumbers) {
      const row = new SliderRow({ title, unit, low, high, step, hint, test: field });
      this.numbers.set(field, row);
      row.on_change = (value, held) => {
        const doc = this.current_()?.doc;
        if (doc) this.current_()?.edit(with_number(doc, key, value), held ? field : undefined);
      };
      row.on_end = () => this.current_()?.end_gesture();
    }
  }

  private listen(): void {
    this.grid_.on_choose = (slot) => {
      this.slot_ = slot;
      this.layer_ = 0;
      this.refresh(this.enabled_);
    };
    this.plot_.on_change = (points, gesture) => this.edit_curve(points, gesture);
    this.factor_.on_change = (points, gesture) => this.edit_factor(points, gesture);
    for (const curve of [this.plot_, this.factor_])
      curve.on_end = () => this.current_()?.end_gesture();
    this.symmetric_.addEventListener('change', () => this.toggle_symmetry());
  }

  private edit_curve(points: Points, gesture: string | undefined): void {
    const current = this.current_();
    const doc = current?.doc;
    if (!current || !doc) return;
    const ref = this.ref(doc);
    const next = ref
      ? with_points(doc, ref, points)
      : with_new_curve(doc, this.slot_, this.step_, points);
    if (next) current.edit(next, gesture);
    else this.toasts_.show('A style has at most 64 curves; remove one first.', 'error');
  }

  private edit_factor(points: Points, gesture: string | undefined): void {
    const current = this.current_();
    const doc = current?.doc;
    const ref = doc && this.ref(doc);
    if (!current || !doc || ref?.kind !== 'angle') return;
    current.edit(with_points(doc, { kind: 'by_speed', index: ref.index }, points), gesture);
  }

  private toggle_symmetry(): void {
    const current = this.current_();
    const doc = current?.doc;
    if (!current || !doc) return;
    if (this.symmetric_.checked) {
      current.edit(make_symmetric(doc, this.step_));
      return;
    }
    const uneven = make_asymmetric(doc);
    if (uneven) {
      current.edit(uneven);
    } else {
      this.symmetric_.checked = true;
      this.toasts_.show(
        'A style has at most 64 curves. Remove some before each step can have its own.',
        'error',
      );
    }
  }

  private ref(doc: Style): CurveRef | undefined {
    return refs_in(doc, this.slot_, this.step_)[this.layer_];
  }

  private show_curve(doc: Style): void {
    const slot = this.slot_;
    const refs = refs_in(doc, slot, this.step_);
    this.layer_ = Math.min(this.layer_, Math.max(0, refs.length - 1));
    const ref = refs[this.layer_];
    write(this.title_, slot.title);
    this.show_layers(refs.length);
    const other = this.step_ === 'left' ? 'right' : 'left';
    const ghosts = [
      ...refs.filter((_, i) => i !== this.layer_),
      ...(is_symmetric(doc) ? [] : refs_in(doc, slot, other)),
    ].map((one) => points_of(doc, one));
    const height = slot.joint === '';
    const view: CurveView = {
      points: ref ? points_of(doc, ref) : [],
      ghosts,
      bounds: bounds_of(slot),
      // Without points the server uses default heights, and for the right foot those of the left, so one must stay.
      fewest: height ? 1 : 0,
      least_span: height ? 0.1 : 20,
      abscissa: 'phase',
      across: 'phase of the step',
      up: height ? 'height of the swing foot, cm' : 'angle, °',
      unit: height ? 'cm' : '°',
      factor: height ? 100 : 1,
      digits: 1,
      step: height ? 0.2 : 0.5,
      captions: kCaptions,
      problem: this.problem_point(doc, ref, false),
    };
    this.plot_.set_enabled(this.enabled_);
    this.plot_.show(view);
    this.point_row_.show(view, this.enabled_);
    const factors =
      ref?.kind === 'angle' ? points_of(doc, { kind: 'by_speed', index: ref.index }) : undefined;
    this.factor_.show(!height, factors, this.problem_point(doc, ref, true), this.enabled_);
  }

  private show_layers(count: number): void {
    this.layers_.hidden = count < 2;
    this.layers_.replaceChildren(
      ...Array.from({ length: count < 2 ? 0 : count }, (_, i) =>
        h('button', {
          text: String(i + 1),
          title: `Curve ${i + 1} of ${count}; the curves are added`,
          attributes: { type: 'button', 'aria-pressed': String(i === this.layer_) },
          on: {
            click: () => {
              this.layer_ = i;
              this.refresh(this.enabled_);
            },
          },
        }),
      ),
    );
  }

  private show_problems(doc: Style): void {
    const problem = this.current_()?.problem.value;
    const path = problem ? within_definition(problem.field) : '';
    for (const [field, row] of this.numbers)
      row.show_problem(path === field ? problem?.text : undefined);
    const spot = curve_spot(path);
    this.problem_.hidden = !problem || this.numbers.has(path);
    write(
      this.problem_,
      problem ? (spot || !path ? problem.text : `${path}: ${problem.text}`) : '',
    );
    const curve = spot?.curve === undefined ? undefined : doc.curves[spot.curve];
    const slot = curve
      ? kSlots.find(({ joint, axis }) => joint === curve.joint && axis === curve.axis)
      : spot
        ? kFootSlot
        : undefined;
    this.grid_.show(doc, this.slot_, this.step_, slot);
  }

  private problem_point(
    doc: Style,
    ref: CurveRef | undefined,
    by_speed: boolean,
  ): number | undefined {
    const problem = this.current_()?.problem.value;
    const spot = problem && curve_spot(within_definition(problem.field));
    if (!spot || !ref) return undefined;
    if (ref.kind === 'height') {
      const list = ref.step === 'left' ? 'foot_height_m' : 'right_foot_height_m';
      return spot.list === list ? spot.point : undefined;
    }
    const same = spot.list === 'curves' && spot.curve === ref.index && ref.index in doc.curves;
    return same && spot.by_speed === by_speed ? spot.point : undefined;
  }
}
