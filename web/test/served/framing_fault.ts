// When a picture counts as framed. For tests with a browser and without one.
import type { Framing, InPicture } from '../../src/ui/page/framing';

const kLeastAlone = 0.2; // of the free height, for a person who stands
const kLeastAloneUpright = 0.15; // in a picture that is much higher than wide
const kLeastAmongMany = 0.05;
const kLeastSeen = 0.5; // of head, chest, hips and feet
const kLeastShown = 0.5; // of those in a shot
const kLeastOfCrowd = 0.4; // of more than kCrowd, as some stand before others
const kLeastUpright = 0.25; // where the picture is narrow, which leaves out the sides of a place
const kCrowd = 8;
const kEdge_px = 6;

/** The fault of a picture; undefined: none. @param upright whether the picture is much higher than wide */
export function fault({ directed, free, people }: Framing, upright: boolean): string | undefined {
  if (!directed) return 'the scene does not direct the camera';
  const high = free.bottom - free.top;
  const who = people.filter(({ thing }) => !thing);
  const [first] = who;
  if (!first) return 'nobody is shown';
  const share = (one: InPicture) => one.high / high;
  const inside = ({ box }: InPicture) =>
    box.left > free.left - kEdge_px &&
    box.right < free.right + kEdge_px &&
    box.top > free.top - kEdge_px &&
    box.bottom < free.bottom + kEdge_px;
  const told = (one: InPicture) =>
    `${one.id} from ${Object.values(one.box).map(Math.round).join()}, ${share(one).toFixed(2)} high, ` +
    `${one.seen.toFixed(2)} seen, of ${Object.values(free).map(Math.round).join()}`;
  if (who.length === 1) {
    if (!inside(first)) return `not in the picture: ${told(first)}`;
    if (share(first) < (upright ? kLeastAloneUpright : kLeastAlone))
      return `too small: ${told(first)}`;
    return first.seen < kLeastSeen ? `hidden: ${told(first)}` : undefined;
  }
  const shown = who.filter((one) => inside(one) && one.seen >= kLeastSeen);
  const least = upright ? kLeastUpright : who.length > kCrowd ? kLeastOfCrowd : kLeastShown;
  if (shown.length < least * who.length)
    return `${shown.length} of ${who.length} are seen: ${who.map(told).join('; ')}`;
  const middle = shown.map(share).sort((a, b) => a - b)[shown.length >> 1] ?? 0;
  return middle < kLeastAmongMany ? `too small: ${told(shown[0] as InPicture)}` : undefined;
}
