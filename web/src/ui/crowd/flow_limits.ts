// The sliders of a flow as a whole: how many people there may be, and how often somebody stops on the way.
import type { Flow } from '../../state/flow/flow';
import type { FlowDoc } from '../../state/flow/flow_doc';
import { SliderRow } from '../editor/slider_row';
import { sends } from '../page/context';

const kUsualPeople = 5000; // that a flow lets in at once where it does not say

export class FlowLimits {
  readonly elements: readonly HTMLElement[];
  private readonly most_ = new SliderRow({
    ...{ title: 'Most people', unit: '', low: 1, high: 2000, step: 1, test: 'flow-most' },
    hint: 'How many may be here at once',
  });
  private readonly stops_ = new SliderRow({
    ...{ title: 'Stops', unit: '', low: 0, high: 6, step: 1, test: 'flow-stops' },
    hint: 'Benches, sights and queues that somebody visits, at most',
  });

  constructor(doc: FlowDoc) {
    this.most_.on_change = (value) =>
      doc.change('most', (flow) => {
        flow.most_people = value;
        flow.present_at_start = Math.min(value, flow.present_at_start ?? 0);
      });
    this.stops_.on_change = (value) =>
      doc.change('stops', (flow) => {
        flow.most_stops = value;
        flow.least_stops = Math.min(value, flow.least_stops ?? 0);
      });
    for (const row of [this.most_, this.stops_]) row.on_end = () => doc.separate();
    sends('set_flow', this.most_.slider, this.stops_.slider);
    this.elements = [this.most_.element, this.stops_.element];
  }

  show(flow: Flow | undefined): void {
    this.most_.show(flow?.most_people || kUsualPeople);
    this.stops_.show(flow?.most_stops ?? 0);
  }
}
