// The tool in hand while a flow is edited: one that paints, one that selects and moves, or the alarm; and what the
// picture shows of the flow.
import { draw_flow } from '../../scene/flow/flow_marks';
import type { Marks } from '../../scene/overlays/marks';
import type { Viewport } from '../../scene/picture/viewport';
import type { ItemId, Point } from '../../state/flow/flow';
import type { FlowDoc } from '../../state/flow/flow_doc';
import { add_point, item_of, list_of, type Tool } from '../../state/flow/flow_shapes';
import { Signal } from '../../state/values/signal';
import { GroundTool, type GroundWork } from '../hand/ground_tool';

export type Hand = Tool | 'select' | 'alarm' | 'none';

const kReach_px = 12; // beside an item that is clicked

export class FlowPainter {
  readonly hand = new Signal<Hand>('none');
  /** Which item the server refused. */
  wrong: ItemId | undefined;
  on_alarm: (p: Point) => void = () => {};
  on_full: () => void = () => {};
  private tool_: GroundTool | undefined;
  private marks_: Marks | undefined;
  private stroke_: Point[] = [];
  private frame_ = 0;

  constructor(
    private readonly doc_: FlowDoc,
    private readonly viewport_: Viewport,
  ) {
    this.hand.watch((hand) => this.take(hand));
  }

  /** Shows the items on the ground, or does not any more. */
  show(on: boolean): void {
    if (!on) this.hand.set('none');
    if (on === (this.marks_ !== undefined)) return;
    cancelAnimationFrame(this.frame_);
    this.marks_?.dispose();
    this.marks_ = on ? this.viewport_.more_marks() : undefined;
    if (!on) return;
    const draw = () => {
      this.draw();
      this.frame_ = requestAnimationFrame(draw);
    };
    draw();
  }

  /** Puts an item where the picture's middle is, as the keyboard does. */
  put_in_the_middle(tool: Tool): void {
    const spot = this.viewport_.middle();
    if (spot && !this.doc_.add(tool, [[spot.point[0], spot.point[1]]])) this.on_full();
  }

  private get canvas_(): HTMLElement {
    return this.viewport_.stage.renderer.domElement;
  }

  private ground(x: number, y: number): Point | undefined {
    const box = this.canvas_.getBoundingClientRect();
    const [u, v] = [((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2];
    const point = this.viewport_.ground_at(this.viewport_.rig.ray(u, v))?.point;
    return point && [point[0], point[1]];
  }

  private take(hand: Hand): void {
    this.tool_?.dispose();
    this.tool_ = undefined;
    this.stroke_ = [];
    this.canvas_.classList.toggle('painting', hand !== 'none');
    if (hand === 'none') return;
    const work = hand === 'select' ? this.selecting() : this.painting(hand);
    this.tool_ = new GroundTool(this.canvas_, (x, y) => this.ground(x, y), work);
  }

  private painting(hand: Tool | 'alarm'): GroundWork {
    const cancel = () => (this.stroke_ = []);
    return {
      begin: (p) => (this.stroke_ = [p]),
      move: (p) => {
        const lines = hand === 'wall' || hand === 'queue';
        if (lines) add_point(this.stroke_, p);
        else this.stroke_ = [this.stroke_[0] ?? p, p];
      },
      end: () => {
        const stroke = this.stroke_;
        cancel();
        if (hand !== 'alarm') {
          if (!this.doc_.add(hand, stroke)) this.on_full();
          return;
        }
        this.hand.set('none');
        if (stroke[0]) this.on_alarm(stroke[0]);
      },
      cancel,
    };
  }

  private selecting(): GroundWork {
    let held: ItemId | undefined;
    let from: Point | undefined;
    return {
      begin: (p) => {
        const [x, y] = p;
        const z = this.viewport_.ground_below(x, y)?.point[2] ?? 0;
        const eye = this.viewport_.rig.view.from;
        const away = Math.hypot(x - eye[0], y - eye[1], z - eye[2]);
        held = this.doc_.item_at(p, kReach_px * this.viewport_.stage.frame.pixel_m * away);
        this.doc_.separate();
        this.doc_.selected.set(held);
        from = p;
      },
      move: (p) => {
        if (!held || !from) return;
        const [dx, dy] = [p[0] - from[0], p[1] - from[1]];
        if (Math.hypot(dx, dy) < 0.05) return;
        this.doc_.move(held, dx, dy);
        from = p;
      },
      end: () => {
        held = undefined;
        this.doc_.separate();
      },
      cancel: () => (held = undefined),
    };
  }

  private draw(): void {
    const { marks_: marks, doc_: doc } = this;
    const { value: flow } = doc.flow;
    if (!marks) return;
    marks.begin(this.viewport_.rig.view.from, this.viewport_.stage.frame.pixel_m);
    const { value: hand } = this.hand;
    const paints = hand !== 'none' && hand !== 'select' && hand !== 'alarm';
    const draft =
      paints && this.stroke_.length > 0
        ? { list: list_of(hand), item: item_of(hand, this.stroke_, doc.middle) }
        : undefined;
    const heights = new Map<string, number>();
    const ground = (x: number, y: number) => {
      const key = `${x.toFixed(1)} ${y.toFixed(1)}`;
      let z = this.heights_.get(key);
      if (z === undefined) z = this.viewport_.ground_below(x, y)?.point[2] ?? 0;
      heights.set(key, z);
      return z;
    };
    if (flow)
      draw_flow({ flow, selected: doc.selected.value, wrong: this.wrong, draft, ground }, marks);
    this.heights_ = heights; // of what is drawn now: the ground seldom moves
    marks.end();
  }
  private heights_ = new Map<string, number>();
}
