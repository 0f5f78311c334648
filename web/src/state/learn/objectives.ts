// What a search for a gait can ask for: files of server/data/objectives/gaits, in words, and the symmetry that suits each.
import { Gait_Symmetry } from '../../gen/promenade/v1/gait_pb';

export interface Objective {
  readonly name: string; // of its file
  readonly title: string;
  readonly symmetry: Gait_Symmetry; // that a visitor begins with, of a body with a left and a right
}

export interface ObjectiveGroup {
  readonly title: string;
  readonly objectives: readonly Objective[];
}

const { NONE, IN_PHASE, OUT_OF_PHASE } = Gait_Symmetry;

export const kObjectives: readonly ObjectiveGroup[] = [
  {
    title: 'Any body',
    objectives: [
      { name: 'speed', title: 'Fast', symmetry: OUT_OF_PHASE },
      { name: 'straight', title: 'Fast and straight on', symmetry: OUT_OF_PHASE },
      { name: 'thrift', title: 'Far on little work', symmetry: OUT_OF_PHASE },
      { name: 'calm', title: 'With little rocking', symmetry: OUT_OF_PHASE },
      { name: 'high', title: 'Upright', symmetry: OUT_OF_PHASE },
    ],
  },
  {
    title: 'One or two legs',
    objectives: [
      { name: 'hop', title: 'Hop', symmetry: NONE },
      { name: 'run', title: 'Run', symmetry: OUT_OF_PHASE },
    ],
  },
  {
    title: 'Two or four legs',
    objectives: [{ name: 'walk', title: 'Walk', symmetry: OUT_OF_PHASE }],
  },
  {
    title: 'Four legs',
    objectives: [
      { name: 'trot', title: 'Trot', symmetry: OUT_OF_PHASE },
      { name: 'rack', title: 'Rack', symmetry: OUT_OF_PHASE },
      { name: 'bound', title: 'Bound', symmetry: IN_PHASE },
      { name: 'gallop', title: 'Gallop', symmetry: NONE },
    ],
  },
  {
    title: 'Six legs or eight',
    objectives: [
      { name: 'tripod', title: 'Tripod', symmetry: OUT_OF_PHASE },
      { name: 'tetrapod', title: 'Tetrapod', symmetry: OUT_OF_PHASE },
      { name: 'wave', title: 'Wave', symmetry: IN_PHASE },
    ],
  },
];

export const kSymmetries: readonly { readonly of: Gait_Symmetry; readonly title: string }[] = [
  { of: OUT_OF_PHASE, title: 'Half a stride apart' },
  { of: IN_PHASE, title: 'Together' },
  { of: NONE, title: 'Free of each other' },
];

export function objective_of(name: string): Objective | undefined {
  return kObjectives.flatMap(({ objectives }) => objectives).find((one) => one.name === name);
}

/** An objective in words; one that the page does not know by its name. */
export function objective_title(name: string): string {
  return objective_of(name)?.title ?? name.replaceAll('_', ' ');
}

/** @param links names of the body's. The server mirrors left_... and right_... */
export function has_sides(links: readonly string[]): boolean {
  return links.some((name) => name.startsWith('left_'));
}

/** The symmetry that suits an objective, of a body with sides or without. */
export function usual_symmetry(objective: string, sides: boolean): Gait_Symmetry {
  return sides ? (objective_of(objective)?.symmetry ?? OUT_OF_PHASE) : NONE;
}
