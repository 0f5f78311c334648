// The editor of people who come and go: tools that paint on the ground, the list of painted items, and plots of what comes
// of it.
import type { Api } from '../../net/api';
import type { Viewport } from '../../scene/picture/viewport';
import type { Flow, Point } from '../../state/flow/flow';
import { FlowDoc } from '../../state/flow/flow_doc';
import { FlowRates } from '../../state/flow/flow_rates';
import { least_role } from '../../state/room/command_rules';
import { kLookingBack } from '../room/actions';
import { apply_rights, type Context, sends } from '../page/context';
import { h, write } from '../parts/dom';
import { FlowHandBar } from './flow_hand_bar';
import { FlowItems } from './flow_items';
import { FlowLimits } from './flow_limits';
import { FlowLink, type Refusal } from './flow_link';
import { FlowPainter } from './flow_painter';
import { FlowPlots } from './flow_plots';
import { FlowTools, kAlarm_m } from './flow_tools';

const kPollEvery_ms = 1000;

export class FlowEditor {
  readonly element: HTMLElement;
  private readonly doc_ = new FlowDoc();
  private readonly rates_ = new FlowRates();
  private readonly plots_ = new FlowPlots();
  private readonly limits_ = new FlowLimits(this.doc_);
  private readonly painter_: FlowPainter;
  private readonly tools_: FlowTools;
  private readonly items_: FlowItems;
  private readonly link_: FlowLink;
  private readonly undo_ = h('button', {
    text: '↶',
    title: 'Undo (Ctrl Z)',
    attributes: { 'aria-label': 'Undo', 'data-test': 'flow-undo' },
    on: { click: () => this.doc_.undo() },
  });
  private readonly redo_ = h('button', {
    text: '↷',
    title: 'Redo (Ctrl Shift Z)',
    attributes: { 'aria-label': 'Redo', 'data-test': 'flow-redo' },
    on: { click: () => this.doc_.redo() },
  });
  private readonly status_ = h('p', {
    class: 'flow-status',
    attributes: { role: 'status', 'data-test': 'flow-status' },
  });
  private readonly close_ = h('button', {
    text: 'Let everybody leave',
    title: 'Nobody comes in any more; all who are here go to an exit',
    attributes: { 'data-test': 'flow-close' },
    on: { click: () => this.let_everybody_leave() },
  });
  private taken_ = false; // while a loaded flow is taken over, which is not to be sent back
  private timer_: ReturnType<typeof setInterval> | undefined;

  /** @param panel the section that the editor is in: it works while that is open */
  constructor(
    private readonly context_: Context,
    api: Api,
    viewport: Viewport,
    panel: HTMLDetailsElement,
  ) {
    const { world } = context_;
    const rights = (element: HTMLElement) => apply_rights(element, world);
    this.painter_ = new FlowPainter(this.doc_, viewport);
    this.painter_.on_full = () =>
      context_.toasts.show('There are as many of these as there may be.', 'error');
    this.painter_.on_alarm = (place) => void this.raise_alarm(place);
    this.link_ = new FlowLink(api, this.doc_, () => this.reason_not_to_send());
    this.tools_ = new FlowTools(this.painter_);
    sends('set_flow', this.close_);
    this.items_ = new FlowItems(this.doc_, () => viewport.away, rights);
    this.doc_.flow.watch((flow) => this.refresh(flow));
    this.link_.refusal.watch((refusal) => this.show_refusal(refusal));
    panel.addEventListener('toggle', () => this.turn(panel.open));
    if (panel.open) this.turn(true);
    world.scene.watch(() => {
      this.painter_.hand.set('none');
      this.plots_.clear();
      if (this.timer_) void this.load();
    });
    listen_for_undo(panel, this.doc_);
    this.element = this.make_element();
    new FlowHandBar(this.painter_, this.doc_, rights);
    listen_for_hand(this.painter_, this.doc_);
  }

  private make_element(): HTMLElement {
    const { select, alarm, painting } = this.tools_;
    return h(
      'div',
      { class: 'flow' },
      h('h3', { text: 'People who come and go' }),
      h('div', { class: 'buttons flow-main' }, select, this.undo_, this.redo_, alarm),
      h(
        'div',
        { class: 'buttons flow-tools', attributes: { 'data-test': 'flow-tools' } },
        ...painting,
      ),
      this.status_,
      ...this.limits_.elements,
      this.items_.element,
      this.close_,
      ...this.plots_.elements,
    );
  }

  private async raise_alarm([x, y]: Point): Promise<void> {
    const value = { centerM: [x, y], radiusM: kAlarm_m };
    const { kind } = await this.context_.actions.send({ case: 'alarm', value });
    if (kind === 'done') this.context_.toasts.show(`Alarm: all within ${kAlarm_m} m flee.`);
  }

  private let_everybody_leave(): void {
    this.doc_.change(undefined, (flow) => {
      for (const entrance of flow.entrances) entrance.rates = [{ at_s: 0, per_minute: 0 }];
      flow.places = [];
      flow.queues = [];
      flow.gatherings = [];
      flow.least_stops = flow.most_stops = 0;
    });
  }

  /** Why what is edited is not sent to the room now; undefined: it is. */
  private reason_not_to_send(): string | undefined {
    const { world } = this.context_;
    if (world.lookback.on.value) return kLookingBack;
    const role = least_role('set_flow');
    return world.may(role) ? undefined : `Changing who comes and goes needs the ${role} role.`;
  }

  /** Shows a flow that was edited or loaded; an edited one goes to the server. */
  private refresh(flow: Flow | undefined): void {
    const doc = this.doc_;
    this.undo_.toggleAttribute('disabled', !doc.can_undo);
    this.redo_.toggleAttribute('disabled', !doc.can_redo);
    const may = this.context_.world.may(least_role('set_flow'));
    this.close_.toggleAttribute('disabled', !doc.complete || !may);
    // Only people who come and go flee.
    this.tools_.offer_alarm(doc.complete);
    this.limits_.show(flow);
    // A flow that was loaded has nothing to undo or redo.
    if (!this.taken_ && (doc.can_undo || doc.can_redo)) this.link_.changed();
  }

  private show_refusal(refusal: Refusal | undefined): void {
    this.items_.refuse(refusal);
    this.painter_.wrong = refusal?.item;
    this.status_.classList.toggle('wrong', refusal !== undefined);
    write(
      this.status_,
      refusal && !refusal.item ? refusal.text : refusal ? 'Not taken over: see below.' : '',
    );
  }

  /** Begins to work when the section is opened, and ends when it is closed. */
  private turn(on: boolean): void {
    this.painter_.show(on);
    clearInterval(this.timer_);
    this.timer_ = undefined;
    if (!on) {
      this.link_.forget();
      return;
    }
    void this.load().then(() => this.poll());
    this.timer_ = setInterval(() => void this.poll(), kPollEvery_ms);
  }

  private async load(): Promise<void> {
    this.taken_ = true;
    const problem = await this.link_.load();
    this.taken_ = false;
    write(this.status_, problem ?? '');
  }

  /** Asks how many come and go, and shows it. */
  private async poll(): Promise<void> {
    if (document.hidden) return;
    const figures = await this.link_.figures();
    if (!figures || !this.timer_) return;
    if (this.rates_.add(figures)) this.plots_.add(this.rates_, figures);
    this.items_.tell(this.rates_, figures);
    this.plots_.draw();
  }
}

function listen_for_undo(panel: HTMLElement, doc: FlowDoc): void {
  panel.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) doc.redo();
    else doc.undo();
  });
}

/** While a tool is in hand Esc puts it down, and Delete removes the selected item. */
function listen_for_hand(painter: FlowPainter, doc: FlowDoc): void {
  // Before the picture's own meaning of these keys.
  window.addEventListener(
    'keydown',
    (event) => {
      if (painter.hand.value === 'none') return;
      const { value: id } = doc.selected;
      if (event.key === 'Escape') painter.hand.set('none');
      else if (event.key === 'Delete' && id && event.target instanceof HTMLCanvasElement)
        doc.remove(id);
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
