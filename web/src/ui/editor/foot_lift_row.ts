// The slider "Foot height", which scales the whole curve of the swing foot.
import type { Style } from '../../gen/promenade/v1/style_pb';
import { foot_lift, scale_foot_height } from '../../state/edit/style_doc';
import type { LiveDocument } from './live_document';
import { SliderRow } from './slider_row';

/**
 * State of a drag of the slider. Each change starts from the style as it was when the drag began, because rounding
 * would add up otherwise.
 */
interface HeldLift {
  readonly of: LiveDocument<Style>;
  readonly from: Style;
  readonly to: Style; // as the last change left it; a style that differs from this was changed from elsewhere
}

export class FootLiftRow {
  private readonly row_ = new SliderRow({
    title: 'Foot height',
    unit: 'cm',
    low: 1,
    high: 40,
    step: 0.5,
    hint: 'How high the swing foot rises; scales its curve',
    test: 'foot_lift',
  });
  readonly element = this.row_.element;
  private held_: HeldLift | undefined;

  constructor(private readonly current_: () => LiveDocument<Style> | undefined) {
    this.row_.on_change = (value, held) => this.change(value, held);
    this.row_.on_end = () => {
      this.held_ = undefined;
      this.current_()?.end_gesture();
    };
  }

  /** @param enabled whether this viewer may change anything */
  show(doc: Style, enabled: boolean): void {
    const lift_cm = foot_lift(doc) * 100;
    this.row_.show(Math.round(lift_cm * 10) / 10);
    this.row_.set_enabled(enabled && lift_cm > 0);
  }

  private change(lift_cm: number, held: boolean): void {
    const current = this.current_();
    const doc = current?.doc;
    if (!current || !doc) return;
    // A slider that is let go where it was taken fires no event at the end, so a drag may still be noted here.
    const last = this.held_;
    const from = held && last?.of === current && last.to === doc ? last.from : doc;
    const lift = foot_lift(from);
    if (lift <= 0) return;
    const to = scale_foot_height(from, lift_cm / 100 / lift);
    this.held_ = { of: current, from, to };
    current.edit(to, held ? 'foot_lift' : undefined);
  }
}
