// What to search for: objective, sides, poses and budget. What the server says of one of them stands below it.
import type { Gait_Symmetry } from '../../gen/promenade/v1/gait_pb';
import { kObjectives, kSymmetries, usual_symmetry } from '../../state/learn/objectives';
import { read_number } from '../../state/values/number_text';
import { needs } from '../page/context';
import type { Problem } from '../editor/live_document';
import { NumberField } from '../editor/number_field';
import { h, write } from '../parts/dom';

export interface Wish {
  readonly objective: string;
  readonly symmetry: Gait_Symmetry;
  readonly states: number;
  readonly budget: bigint;
}

interface Field {
  readonly control: HTMLElement;
  readonly row: HTMLElement;
  readonly note: HTMLElement;
}

const kUsual = { states: 4, budget: 3000 } as const;
let fields = 0;

/** A control below its label, with a line for what is wrong with it. */
function noted(label: string, control: HTMLElement): Field {
  const id = `learn-${++fields}`;
  control.id = id;
  control.setAttribute('aria-describedby', `${id}-note`);
  const note = h('span', { class: 'learn-wrong', attributes: { id: `${id}-note` } });
  note.hidden = true;
  const row = h(
    'div',
    { class: 'learn-field' },
    h('label', { text: label, attributes: { for: id } }),
    control,
    note,
  );
  return { control, row, note };
}

/** What a field holds, also while it is being typed; the server says what is out of range. */
function whole({ element }: NumberField, usual: number): number {
  return Math.max(0, Math.round(read_number(element.value) ?? usual));
}

function number_field(label: string, test: string, min: number, max: number): NumberField {
  const one = new NumberField(label, { min: String(min), max: String(max), 'data-test': test });
  one.element.removeAttribute('aria-label'); // it has a label of its own
  return one;
}

export class SearchForm {
  readonly element: HTMLFormElement;
  on_start: () => void = () => {};
  private readonly objective_ = h(
    'select',
    { attributes: { 'data-test': 'learn-objective' }, on: { change: () => this.suit() } },
    ...kObjectives.map(({ title, objectives }) =>
      h(
        'optgroup',
        { attributes: { label: title } },
        ...objectives.map((one) =>
          h('option', { text: one.title, attributes: { value: one.name } }),
        ),
      ),
    ),
  );
  private readonly symmetry_ = h(
    'select',
    { attributes: { 'data-test': 'learn-symmetry' } },
    ...kSymmetries.map(({ of, title }) =>
      h('option', { text: title, attributes: { value: String(of) } }),
    ),
  );
  private readonly states_ = number_field('Poses', 'learn-states', 1, 16);
  private readonly budget_ = number_field('Candidates', 'learn-budget', 10, 50_000);
  private readonly start_ = h('button', {
    class: 'learn-start',
    text: 'Start',
    title: 'Begin the search; the character shows the best gait so far',
    attributes: { type: 'submit', 'data-test': 'learn-start' },
  });
  private readonly general_ = h('p', { class: 'learn-wrong', attributes: { role: 'alert' } });
  private readonly fields_: Readonly<Record<string, Field>>;
  private sides_ = true;

  constructor() {
    const objective = noted('Wanted', this.objective_);
    this.fields_ = {
      objective,
      definition: objective,
      symmetry: noted('Left and right', this.symmetry_),
      states: noted('Poses', this.states_.element),
      budget: noted('Candidates', this.budget_.element),
    };
    this.states_.show(String(kUsual.states));
    this.budget_.show(String(kUsual.budget));
    for (const one of [this.states_, this.budget_])
      one.on_change = (value) => one.show(String(Math.round(value)));
    this.objective_.value = 'trot';
    this.suit();
    needs('operator', this.objective_, this.symmetry_, this.start_);
    needs('operator', this.states_.element, this.budget_.element);
    this.element = h(
      'form',
      {
        class: 'learn-form',
        attributes: { novalidate: '' },
        on: {
          submit: (event) => {
            event.preventDefault();
            this.on_start();
          },
        },
      },
      ...new Set(Object.values(this.fields_).map(({ row }) => row)),
      this.start_,
      this.general_,
    );
    this.tell(undefined);
  }

  /** @param sides whether the body that is to learn has a left and a right */
  set_sides(sides: boolean): void {
    if (sides === this.sides_) return;
    this.sides_ = sides;
    this.objective_.value = sides ? 'trot' : 'speed';
    this.suit();
  }

  get wish(): Wish {
    return {
      objective: this.objective_.value,
      symmetry: Number(this.symmetry_.value) as Gait_Symmetry,
      states: whole(this.states_, kUsual.states),
      budget: BigInt(whole(this.budget_, kUsual.budget)),
    };
  }

  /** There is no second start while one is under way. */
  set_busy(busy: boolean): void {
    this.element.classList.toggle('busy', busy);
    this.start_.setAttribute('aria-busy', String(busy));
  }

  /** Shows what the server said, at the field that it is about. */
  tell(problem: Problem | undefined): void {
    const about = problem?.field.split('.').at(-1) ?? '';
    const at = this.fields_[about];
    for (const { control, note } of new Set(Object.values(this.fields_))) {
      const wrong = problem !== undefined && note === at?.note;
      note.hidden = !wrong;
      write(note, wrong ? problem.text : '');
      if (wrong) control.setAttribute('aria-invalid', 'true');
      else control.removeAttribute('aria-invalid');
    }
    const rest = problem && !at ? problem.text : '';
    this.general_.hidden = rest === '';
    write(this.general_, rest);
    if (at) at.control.focus();
  }

  private suit(): void {
    this.symmetry_.value = String(usual_symmetry(this.objective_.value, this.sides_));
  }
}
