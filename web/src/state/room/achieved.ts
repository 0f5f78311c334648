// The achieved values of a character, as panels show them. The figures of its last steps say nothing once it has stopped.
import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';

/**
 * Speed along its heading, m/s: the mean of the last two steps while it walks, that of its centre of mass otherwise,
 * as the steps that it took before it stood tell nothing of what it does now.
 */
export function achieved_speed(details: CharacterDetails): number {
  if (details.state === 'walking') return details.speedMps;
  const [x = 0, y = 0] = details.comVelocityMps;
  return x * Math.cos(details.headingRad) + y * Math.sin(details.headingRad);
}

/** The length of its last step as a text; a step that set the foot down behind the other one is told as such. */
export function step_length_text({ state, stepLengthM, stepTimeS }: CharacterDetails): string {
  if (state !== 'walking' || stepTimeS <= 0) return '–';
  const length = Math.abs(stepLengthM).toFixed(2);
  return stepLengthM < 0 && Number(length) > 0 ? `${length} m back` : `${length} m`;
}
