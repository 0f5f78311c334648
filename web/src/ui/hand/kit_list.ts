// The list of things and creatures that can be put down.
import type { Kit, Spot } from '../../state/hand/build';
import type { Skeleton } from '../../state/figure/skeleton';
import { apply_rights, type Context, needs, sends } from '../page/context';
import { controller_choice, type ControllerChoice } from '../character/controller_choice';
import { h } from '../parts/dom';

/** The parts of the picture that the list needs. */
export interface Scenery {
  /** Calls `told` with the address of a small picture of a body, once that is drawn. */
  portrait(skeleton: Skeleton, told: (url: string) => void): void;
  /** The ground in the middle of the picture. */
  middle(): Spot | undefined;
  focus(): void;
}

type Hand = 'mouse' | 'finger' | 'keyboard';

function hand_of(event: MouseEvent): Hand {
  // A click that was made with the keyboard has a press count of 0.
  if (event.detail === 0) return 'keyboard';
  return event instanceof PointerEvent && event.pointerType === 'touch' ? 'finger' : 'mouse';
}

/** A field that finds bodies by their names, and a tile for each body that has such a name. */
export class KitList {
  readonly elements: readonly HTMLElement[];
  private readonly search_ = h('input', {
    class: 'kit-search',
    attributes: {
      type: 'search',
      placeholder: 'Find a thing or a creature',
      'aria-label': 'Find a thing or a creature',
      'data-test': 'kit-search',
    },
  });
  private readonly list_ = h('div', { class: 'kits', attributes: { 'data-test': 'kits' } });
  private readonly none_ = h('p', {
    class: 'faint',
    text: 'No thing or creature has this name.',
  });
  private readonly mover_: ControllerChoice; // of the creatures that are put down

  constructor(
    private readonly context_: Context,
    private readonly scenery_: () => Scenery,
  ) {
    const { build, world } = context_;
    this.elements = [this.search_, this.list_, this.none_];
    this.mover_ = controller_choice(world, 'kit-controller', 'Automatic');
    const { select } = this.mover_;
    sends('set_controller', select);
    // The next scene may not offer the chosen controller; the select has dropped it then.
    world.scene.watch(() => build.controller.set(select.value));
    select.addEventListener('change', () => {
      build.controller.set(select.value);
      this.show();
    });
    build.tool.watch(() => this.mark());
    this.search_.addEventListener('input', () => this.show());
  }

  /** Makes the tiles anew. */
  show(): void {
    const { world } = this.context_;
    const words = this.search_.value.trim().toLowerCase();
    const kits = world.kits.filter(
      ({ name, title }) =>
        words === '' || name.includes(words) || title.toLowerCase().includes(words),
    );
    const things = kits.filter(({ thing }) => thing);
    const creatures = kits.filter(({ thing }) => !thing);
    this.list_.replaceChildren(
      ...this.group('Things', things),
      ...this.group('Creatures', creatures, this.mover_.row),
    );
    this.none_.hidden = kits.length > 0;
    this.mark();
    apply_rights(this.list_, world);
  }

  /** @param before stands between the title and the tiles */
  private group(title: string, kits: readonly Kit[], ...before: HTMLElement[]): HTMLElement[] {
    if (kits.length === 0) return [];
    const tiles = kits.map((kit) => this.tile(kit));
    return [h('h3', { text: title }), ...before, h('div', { class: 'kit-grid' }, ...tiles)];
  }

  private tile(kit: Kit): HTMLElement {
    const refusal = this.refused(kit);
    const button = h(
      'button',
      {
        class: 'kit',
        title: refusal ?? `Place: ${kit.title}`,
        attributes: {
          'aria-pressed': 'false',
          'data-kit': kit.name,
          'data-thing': String(kit.thing),
        },
        on: { click: (event) => this.take(kit, hand_of(event)) },
      },
      this.portrait(kit),
      h('span', { text: kit.title }),
    );
    if (refusal) button.disabled = true;
    else needs('operator', button);
    return button;
  }

  private portrait({ skeleton }: Kit): HTMLElement {
    if (!skeleton) return h('i', { class: 'kit-blank' });
    const picture = h('img', { attributes: { alt: '' } });
    this.scenery_().portrait(skeleton, (url) => (picture.src = url));
    return picture;
  }

  /** Why a body can not be put down now; undefined if it can. */
  private refused({ thing, skeleton, title }: Kit): string | undefined {
    if (thing) return undefined;
    const { build, world } = this.context_;
    const { families } = world;
    const chosen = families.get(build.controller.value);
    const able = families.that_drive(skeleton);
    if (chosen.name ? able.includes(chosen) : able.length > 0) return undefined;
    return chosen.name
      ? `${title} cannot use “${chosen.title}”, which needs ${chosen.needs}`
      : `${title} cannot be placed: no controller in this room can move it`;
  }

  /** Takes a body in hand; one that is in hand already is put away. */
  private take(kit: Kit, hand: Hand): void {
    const { build } = this.context_;
    const tool = build.tool.value;
    if (tool.kind === 'place' && tool.kit.name === kit.name && tool.kit.thing === kit.thing) {
      build.end();
      return;
    }
    // Without a mouse pointer over the picture the body is shown in the middle of the picture.
    build.take(kit, hand === 'mouse' ? undefined : this.scenery_().middle());
    if (hand === 'keyboard') this.scenery_().focus();
  }

  /** Marks the body that is in hand. */
  private mark(): void {
    const tool = this.context_.build.tool.value;
    for (const button of this.list_.querySelectorAll<HTMLElement>('.kit')) {
      const held =
        tool.kind === 'place' &&
        tool.kit.name === button.dataset['kit'] &&
        String(tool.kit.thing) === button.dataset['thing'];
      button.setAttribute('aria-pressed', String(held));
    }
  }
}
