// Two characters held against each other: the second selected one over the first or beside it.
import type { Viewport } from '../../scene/picture/viewport';
import { Compare } from '../../state/recording/compare';
import { name_of } from '../../state/recording/marks';
import { Signal } from '../../state/values/signal';
import type { Strides } from '../../state/gait/strides';
import type { Member } from '../../state/room/roster';
import type { Context } from '../page/context';
import { h, write } from '../parts/dom';
import type { Sheet, SheetWork } from '../parts/later';

const kGhost = 0.5; // opacity of the body that is drawn over the first
const kSelectTwo = 'Select two characters to compare them.';
const kByShift = ' Shift-click or I adds the second.';

export function compare_sheet(context: Context, viewport: Viewport, sheet: Sheet): SheetWork {
  return new CompareSheet(context, viewport, sheet);
}

class CompareSheet implements SheetWork {
  private readonly aside_ = new Signal(false);
  private readonly aligned_ = h('input', {
    attributes: { type: 'checkbox', id: 'compare-aligned', 'data-test': 'compare-aligned' },
  });
  private readonly told_ = h('output', {
    class: 'compare-told',
    attributes: { 'data-test': 'compare-told' },
  });
  private readonly ask_ = matchMedia('(pointer: coarse)').matches
    ? kSelectTwo
    : kSelectTwo + kByShift;
  private compare_: Compare | undefined;
  private drawn_ = false;

  constructor(
    private readonly context_: Context,
    private readonly viewport_: Viewport,
    private readonly sheet_: Sheet,
  ) {
    this.aligned_.checked = true;
    this.fill();
    viewport_.guest = () => this.guest();
    sheet_.open.watch(() => this.choose());
  }

  draw(): void {
    if (!this.sheet_.open.value) return;
    this.sheet_.element.dataset['drawn'] = String(this.drawn_);
    const compare = this.compare_;
    write(
      this.told_,
      compare ? `${this.line(compare.first)} · ${this.line(compare.second)}` : this.ask_,
    );
  }

  private fill(): void {
    const { element, open } = this.sheet_;
    element.append(
      h(
        'div',
        { class: 'segmented', attributes: { role: 'group', 'aria-label': 'How they are shown' } },
        this.choice('Over each other', false, 'compare-over'),
        this.choice('Side by side', true, 'compare-aside'),
      ),
      h(
        'label',
        {
          title: 'Show both at the same moment of their stride',
          attributes: { for: 'compare-aligned' },
        },
        this.aligned_,
        ' in step',
      ),
      this.told_,
      h('button', {
        class: 'quiet',
        text: '×',
        title: 'Close',
        attributes: { 'aria-label': 'Close the comparison' },
        on: { click: () => open.set(false) },
      }),
    );
  }

  private choice(text: string, aside: boolean, test: string): HTMLElement {
    const button = h('button', {
      text,
      attributes: { 'data-test': test },
      on: { click: () => this.aside_.set(aside) },
    });
    this.aside_.watch((now) => button.setAttribute('aria-pressed', String(now === aside)));
    return button;
  }

  /** The second character as the picture is to show it; undefined: nobody is compared. */
  private guest(): ReturnType<Viewport['guest']> {
    this.choose();
    const { value: aside } = this.aside_;
    const options = { aligned: this.aligned_.checked, aside };
    const guest = this.compare_?.guest(this.context_.world.shown_ms, options);
    this.drawn_ = guest !== undefined;
    return guest && { ...guest, opacity: aside ? 1 : kGhost };
  }

  /** Compares the first two selected characters, while the sheet is open; the camera goes to the first. */
  private choose(): void {
    const { settings, world } = this.context_;
    const [first, second] = this.pair();
    const fresh = this.sheet_.open.value && first !== undefined && second !== undefined;
    if (fresh && this.compare_?.first.id === first && this.compare_.second.id === second) return;
    this.compare_ = fresh ? new Compare(world.recording, first, second) : undefined;
    if (!fresh) return;
    this.viewport_.show(first);
    settings.follow.set(true);
  }

  /** The first two selected characters; things are left out. */
  private pair(): readonly (number | undefined)[] {
    const { value: ids } = this.context_.selection.ids;
    return ids.filter((id) => this.member_of(id)?.thing === false);
  }

  private member_of(id: number): Member | undefined {
    const { cast, pose } = this.context_.world;
    return pose.cast.by_id.get(id) ?? cast.value.by_id.get(id);
  }

  /** The character's name and how long its stride takes. */
  private line(strides: Strides): string {
    const stride = strides.at(this.context_.world.shown_ms);
    const member = this.member_of(strides.id);
    const name = member ? name_of(member) : String(strides.id);
    if (!stride) return `${name}: no full stride`;
    return `${name}: ${((stride.to_ms - stride.from_ms) / 1000).toFixed(2)} s per stride`;
  }
}
