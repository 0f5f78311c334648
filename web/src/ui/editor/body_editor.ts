// Editor of the selected character's body: a figure whose lengths and widths are dragged, and sliders with the numbers.
import type { Creature } from '../../gen/promenade/v1/creature_pb';
import { type Figure, make_figure } from '../../scene/figure/figure';
import { looks_of } from '../../scene/figure/looks';
import {
  factor_of,
  is_symmetric,
  kLinkNumbers,
  kScale,
  link_title,
  make_symmetric,
  scale_of,
  with_factor,
  with_scale,
} from '../../state/edit/body_doc';
import { apply_edit } from '../../state/edit/body_edit';
import { make_outline, type Outline } from '../../state/edit/body_outline';
import { mass_warning, mass_words } from '../../state/edit/body_warning';
import { link_spot, within_definition } from '../../state/edit/field_path';
import { make_skeleton, type Look, type Skeleton } from '../../state/figure/skeleton';
import { fill_select, h, write } from '../parts/dom';
import { BodyFigure } from './body_figure';
import type { LiveDocument } from './live_document';
import { SliderRow } from './slider_row';

/** The character whose body is edited: facts told of the earlier body are taken to hold for the edited one. */
export interface Wearer {
  readonly id: number;
  readonly color: string;
  readonly skeleton: Skeleton;
}

export class BodyEditor {
  readonly element: HTMLElement;
  private readonly figure_ = new BodyFigure();
  private readonly whole_: SliderRow;
  private readonly rows_ = new Map<string, SliderRow>();
  private readonly part_ = h('select', {
    attributes: { 'aria-label': 'Part of the body', 'data-test': 'body-part' },
  });
  private readonly symmetric_ = h('input', {
    attributes: { type: 'checkbox', 'data-test': 'body-symmetric' },
  });
  private readonly mass_ = h('strong', { attributes: { 'data-test': 'body-mass' } });
  private readonly legs_ = h('strong', {});
  private readonly legs_row_ = h('span', {}, ' · legs ', this.legs_);
  private readonly part_mass_ = h('span', { class: 'faint' });
  private readonly warning_ = h('p', {
    class: 'editor-note',
    attributes: { role: 'status', 'data-test': 'mass-warning' },
  });
  private readonly problem_ = h('p', { class: 'field-problem', attributes: { role: 'alert' } });
  private selected_ = 'left_thigh';
  private uneven_ = false; // the user has switched Symmetric off
  private shown_:
    | {
        doc: Creature;
        base: Creature;
        look: Look;
        outline: Outline;
        figure: Figure;
        body: Creature;
      }
    | undefined;

  /**
   * @param base_ gives the resolved body that has a name; undefined while that body is being fetched
   * @param walks_ whether there is a controller that walks with a body
   */
  constructor(
    private readonly current_: () => LiveDocument<Creature> | undefined,
    private readonly base_: (name: string) => Creature | undefined,
    private readonly wearer_: () => Wearer | undefined,
    private readonly walks_: (body: Skeleton | undefined) => boolean,
  ) {
    this.whole_ = new SliderRow({
      title: 'Whole body',
      unit: '×',
      ...kScale,
      hint: 'Scales the whole body; mass grows with the cube of the size',
      test: 'scale',
    });
    this.whole_.on_change = (value, held) => {
      const doc = this.current_()?.doc;
      if (doc) this.current_()?.edit(with_scale(doc, value), held ? 'scale' : undefined);
    };
    for (const { key, title, low, high, step, hint } of kLinkNumbers) {
      const row = new SliderRow({ title, unit: '×', low, high, step, hint, test: key });
      row.on_change = (value, held) =>
        this.edit(this.selected_, key, value, held ? key : undefined);
      row.on_end = () => this.current_()?.end_gesture();
      this.rows_.set(key, row);
    }
    this.whole_.on_end = () => this.current_()?.end_gesture();
    this.figure_.on_change = (link, key, factor, gesture) => this.edit(link, key, factor, gesture);
    this.figure_.on_end = () => this.current_()?.end_gesture();
    this.figure_.on_select = (link) => this.select(link);
    this.part_.addEventListener('change', () => this.select(this.part_.value));
    this.symmetric_.addEventListener('change', () => {
      this.uneven_ = !this.symmetric_.checked;
      const doc = this.current_()?.doc;
      if (doc && !this.uneven_ && !is_symmetric(doc)) this.current_()?.edit(make_symmetric(doc));
      else this.current_()?.on_change();
    });
    this.element = h(
      'div',
      { class: 'body-editor' },
      h(
        'div',
        { class: 'curve-head' },
        h('span', { class: 'body-figures' }, this.mass_, this.legs_row_),
        h(
          'label',
          { class: 'switch', title: 'Change left and right together' },
          this.symmetric_,
          'Symmetric',
        ),
      ),
      this.figure_.element,
      this.warning_,
      this.problem_,
      h(
        'div',
        { class: 'sliders' },
        this.whole_.element,
        h('div', { class: 'part-row' }, this.part_, this.part_mass_),
        ...[...this.rows_.values()].map(({ element }) => element),
      ),
    );
    this.problem_.hidden = true;
  }

  /** @param enabled whether this viewer may change anything */
  refresh(enabled: boolean): void {
    const doc = this.current_()?.doc;
    const whole = doc !== undefined && !doc.base;
    const base = doc && (whole ? doc : this.base_(doc.base));
    this.element.inert = !doc || !base;
    if (!doc || !base) return;
    if (this.shown_?.doc !== doc || this.shown_.base !== base) {
      const body = { ...apply_edit(base, doc.edit), look: doc.look || base.look };
      const skeleton = make_skeleton(body);
      this.shown_ = {
        doc,
        base,
        body,
        look: skeleton.look,
        outline: make_outline(skeleton),
        figure: make_figure(skeleton),
      };
    }
    const { body, figure, look, outline } = this.shown_;
    if (!outline.links.some(({ name }) => name === this.selected_))
      this.selected_ = outline.links[0]?.name ?? '';
    const can = enabled && !whole;
    const symmetric = !this.uneven_ && is_symmetric(doc);
    this.symmetric_.checked = symmetric;
    this.symmetric_.disabled = !can;
    const wearer = this.wearer_();
    this.figure_.show({
      outline,
      figure,
      looks: looks_of(wearer?.color ?? body.color, wearer?.id ?? 0, look),
      factor: (link, key) => factor_of(doc, link, key),
      symmetric,
      enabled: can,
      selected: this.selected_,
    });
    write(this.mass_, mass_words(outline.mass));
    const base_kg = base.links.reduce((sum, { massKg }) => sum + massKg, 0);
    const warning = whole ? '' : mass_warning(outline.mass, base_kg, base.title || base.name);
    this.warning_.hidden = !warning;
    write(this.warning_, warning);
    const { left, right } = outline.legs;
    this.legs_row_.hidden = !this.walks_(wearer?.skeleton);
    write(
      this.legs_,
      Math.abs(left - right) < 0.0005
        ? `${left.toFixed(2)} m`
        : `${left.toFixed(2)} m left, ${right.toFixed(2)} m right`,
    );
    fill_select(
      this.part_,
      outline.links.map(({ name }) => ({ value: name, text: link_title(name) })),
    );
    this.part_.value = this.selected_;
    const mass = body.links.find(({ name }) => name === this.selected_)?.massKg ?? 0;
    write(this.part_mass_, `${mass.toFixed(2)} kg`);
    this.whole_.show(scale_of(doc));
    this.whole_.set_enabled(can);
    for (const { key } of kLinkNumbers) {
      this.rows_.get(key)?.show(factor_of(doc, this.selected_, key));
      this.rows_.get(key)?.set_enabled(can);
    }
    this.show_problems(doc, whole && enabled);
  }

  cancel(): boolean {
    return this.figure_.cancel();
  }

  private select(link: string): void {
    if (link === this.selected_) return;
    this.selected_ = link;
    this.current_()?.on_change();
  }

  private edit(
    link: string,
    key: 'length' | 'width' | 'density',
    factor: number,
    gesture: string | undefined,
  ): void {
    const doc = this.current_()?.doc;
    if (!doc) return;
    const both = !this.uneven_ && is_symmetric(doc);
    this.current_()?.edit(with_factor(doc, link, key, factor, both), gesture);
  }

  private show_problems(doc: Creature, whole: boolean): void {
    const problem = this.current_()?.problem.value;
    const path = problem ? within_definition(problem.field) : '';
    const spot = link_spot(path);
    const link = spot && doc.edit?.links[spot.index]?.link;
    for (const [key, row] of this.rows_)
      row.show_problem(link === this.selected_ && spot?.key === key ? problem?.text : undefined);
    this.whole_.show_problem(path === 'edit.scale' ? problem?.text : undefined);
    const text = problem
      ? path === 'edit.scale'
        ? ''
        : link
          ? `${link_title(link)}, ${spot.key}: ${problem.text}`
          : path
            ? `${path}: ${problem.text}`
            : problem.text
      : whole
        ? 'This body cannot be edited yet. Save it under a name first.'
        : '';
    this.problem_.hidden = !text;
    write(this.problem_, text);
  }
}
