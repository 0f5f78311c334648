// The number of characters in the room, their bodies and styles, with controls to add and remove some.
import type { CatalogueEntry } from '../../gen/promenade/v1/wire_pb';
import type { Skeleton } from '../../state/figure/skeleton';
import type { Cast } from '../../state/room/roster';
import { least_role } from '../../state/room/command_rules';
import type { Family } from '../../state/room/families';
import type { World } from '../../state/room/world';
import { type Context, needs, sends } from '../page/context';
import { controller_choice, type ControllerChoice } from '../character/controller_choice';
import { field, fill_select, h, write } from '../parts/dom';

const kRandom = '';

function one_of<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)];
}

/** The number of characters, and how many there are of each body. */
function head_count(world: World): readonly HTMLElement[] {
  const count = h('output', { class: 'big-number', text: '0' });
  const mix = h('p', { class: 'mix' });
  world.cast.watch((cast) => {
    write(count, String(cast.members.length));
    write(mix, kinds_of(cast));
  });
  return [
    h('div', { class: 'row' }, count, h('span', { class: 'faint', text: 'in the room' })),
    mix,
  ];
}

/** How many there are of each body, in words; the most frequent comes first. */
function kinds_of(cast: Cast): string {
  const kinds = new Map<string, number>();
  for (const { skeleton } of cast.members)
    kinds.set(skeleton.title, (kinds.get(skeleton.title) ?? 0) + 1);
  return [...kinds]
    .sort((a, b) => b[1] - a[1])
    .map(([title, n]) => `${n} ${title}`)
    .join(' · ');
}

/** Fills a select with entries of the catalogue, and with the choice of any of them. */
function offer(
  select: HTMLSelectElement,
  any: string,
  entries: readonly CatalogueEntry[] | undefined,
): void {
  fill_select(select, [
    { value: kRandom, text: any },
    ...(entries ?? []).map(({ name, title }) => ({ value: name, text: title || name })),
  ]);
}

export class PeopleControls {
  readonly elements: readonly HTMLElement[];
  private readonly body_ = h('select');
  private readonly style_ = h('select');
  private readonly style_row_ = field('Style', this.style_);
  private readonly mover_: ControllerChoice;

  constructor(private readonly context_: Context) {
    const { world } = context_;
    this.mover_ = controller_choice(world, 'crowd-controller', 'Automatic');
    this.body_.addEventListener('change', () => this.refresh());
    this.mover_.select.addEventListener('change', () => this.refresh());
    sends('spawn', this.body_, this.style_);
    sends('set_controller', this.mover_.select);
    const buttons = this.make_buttons();
    world.catalogue.watch((catalogue) => {
      offer(this.body_, 'Any body', catalogue?.bodies);
      this.refresh();
      offer(this.style_, 'Any style', catalogue?.styles);
    });
    this.elements = [
      ...head_count(world),
      field('Body', this.body_),
      this.mover_.row,
      this.style_row_,
      buttons,
    ];
  }

  private make_buttons(): HTMLElement {
    const add_one = h('button', {
      text: 'Add 1',
      attributes: { 'data-test': 'add-one' },
      on: { click: () => void this.add(1) },
    });
    const add_ten = h('button', { text: 'Add 10', on: { click: () => void this.add(10) } });
    const remove_one = h('button', { text: 'Remove 1', on: { click: () => void this.remove(1) } });
    const remove_ten = h('button', {
      text: 'Remove 10',
      on: { click: () => void this.remove(10) },
    });
    const reset_all = h('button', {
      text: 'Reset all',
      title: 'Everyone goes back to their starting place and first task',
      attributes: { 'data-test': 'reset-all' },
      on: {
        click: () => void this.context_.actions.send({ case: 'reset', value: { character: 0 } }),
      },
    });
    sends('spawn', add_one);
    needs('operator', add_ten); // a player may add one
    sends('remove', remove_one, remove_ten);
    needs(least_role('reset', true), reset_all);
    return h('div', { class: 'buttons' }, add_one, add_ten, remove_one, remove_ten, reset_all);
  }

  /** The body that is chosen; undefined: any. */
  private get chosen(): Skeleton | undefined {
    return this.body_.value ? this.context_.world.skeleton_of(this.body_.value) : undefined;
  }

  /** The family of the controller that the next one is added with. */
  private get family(): Family {
    const { families } = this.context_.world;
    const { value: named } = this.mover_.select;
    return named ? families.get(named) : families.own_of(this.chosen);
  }

  private refresh(): void {
    this.mover_.offer(this.chosen);
    this.style_row_.hidden = !this.family.styled;
  }

  /** Adds some, one after another, until the room refuses one. */
  private async add(n: number): Promise<void> {
    const { actions, selection, world } = this.context_;
    const scene = world.scene.value;
    if (!scene) return;
    const { family } = this;
    const dealt = world.built_in_skeletons.filter((skeleton) =>
      world.families.that_drive(skeleton).includes(family),
    );
    for (let i = 0; i < n; ++i) {
      const outcome = await actions.send({
        case: 'spawn',
        value: {
          body: this.body_.value || (one_of(dealt)?.name ?? ''),
          style: family.styled ? this.style_.value || (one_of(scene.styles)?.name ?? '') : '',
          headingRad: Math.random() * 2 * Math.PI,
          wander: family.walks,
          controller: this.mover_.select.value,
        },
      });
      if (outcome.kind !== 'done') return;
      if (n === 1) selection.choose(outcome.character);
    }
  }

  /** Removes the characters that came last, until the room refuses it. */
  private async remove(n: number): Promise<void> {
    const { actions, world } = this.context_;
    for (const member of world.cast.value.members.slice(-n).reverse()) {
      const outcome = await actions.send({ case: 'remove', value: { character: member.id } });
      if (outcome.kind !== 'done') return;
    }
  }
}
