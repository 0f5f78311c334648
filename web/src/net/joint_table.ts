// The table of the kinds of joints.
import { JointKind } from '../gen/promenade/v1/creature_pb';

export type JointName = 'hinge' | 'universal' | 'ball' | 'slider';

interface JointRow {
  readonly size: number; // degrees of freedom: coordinates in a frame
  readonly unit: 'rad' | 'm';
}

export const kJoints: Readonly<Record<JointName, JointRow>> = {
  hinge: { size: 1, unit: 'rad' },
  universal: { size: 2, unit: 'rad' },
  ball: { size: 3, unit: 'rad' },
  slider: { size: 1, unit: 'm' },
};

/** The entry of a kind; throws if this page does not know it. @param joint name of the joint, for the error message */
export function joint_name(kind: JointKind, joint: string): JointName {
  switch (kind) {
    case JointKind.HINGE:
      return 'hinge';
    case JointKind.UNIVERSAL:
      return 'universal';
    case JointKind.BALL:
      return 'ball';
    case JointKind.SLIDER:
      return 'slider';
    case JointKind.JOINT_KIND_UNSPECIFIED:
      throw new Error(`joint ${joint} has no kind`);
  }
  // A number that is not in the enum: the server is newer than this page.
  throw new Error(`joint ${joint} has the unknown kind ${String(kind)}; reload the page`);
}
