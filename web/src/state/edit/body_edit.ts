// Sizes and masses of an edited body, by the server's laws (server/creature/creature_edit.cpp), so that the figure
// follows the pointer before the server answers. Gains are not computed here: only the server needs them.
import type {
  BodyEdit,
  Creature,
  Joint,
  Link,
  Ornament,
  Shape,
} from '../../gen/promenade/v1/creature_pb';

type Three = [number, number, number];
const kOne: Three = [1, 1, 1];

function three(values: readonly number[]): Three {
  return [values[0] ?? 0, values[1] ?? 0, values[2] ?? 0];
}
function times(a: readonly number[], b: Three): Three {
  const [x, y, z] = three(a);
  return [x * b[0], y * b[1], z * b[2]];
}
function or_one(factor: number): number {
  return factor === 0 ? 1 : factor;
}

/** 0, 1 or 2: a link's length is along x, y or z. @param joint the one it hangs on; none for the root */
export function long_axis(joint: Joint | undefined): 0 | 1 | 2 {
  if (!joint) return 2;
  const [x, y, z] = three(joint.atChildM).map(Math.abs) as Three;
  const axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  return [x, y, z][axis] ? axis : 2;
}

/** The factor by which the radius of a round shape grows: its volume grows by the product of the factors. */
function radius_factor(from_m: readonly number[], to_m: readonly number[], factors: Three): number {
  const product = factors[0] * factors[1] * factors[2];
  const from = three(from_m);
  const along = three(to_m).map((x, k) => Math.abs(x - (from[k] as number))) as Three;
  const longest = Math.max(...along);
  return longest <= 0
    ? Math.cbrt(product)
    : Math.sqrt(product / (factors[along.indexOf(longest)] as number));
}

function scaled_shape(shape: Shape, factors: Three): Shape {
  switch (shape.kind.case) {
    case 'capsule': {
      const { value } = shape.kind;
      return {
        ...shape,
        kind: {
          case: 'capsule',
          value: {
            ...value,
            fromM: times(value.fromM, factors),
            toM: times(value.toM, factors),
            radiusM: value.radiusM * radius_factor(value.fromM, value.toM, factors),
          },
        },
      };
    }
    case 'cylinder': {
      const { value } = shape.kind;
      return {
        ...shape,
        kind: {
          case: 'cylinder',
          value: {
            ...value,
            fromM: times(value.fromM, factors),
            toM: times(value.toM, factors),
            radiusM: value.radiusM * radius_factor(value.fromM, value.toM, factors),
          },
        },
      };
    }
    case 'sphere': {
      const { value } = shape.kind;
      return {
        ...shape,
        kind: {
          case: 'sphere',
          value: {
            ...value,
            centerM: times(value.centerM, factors),
            radiusM: value.radiusM * Math.cbrt(factors[0] * factors[1] * factors[2]),
          },
        },
      };
    }
    case 'box': {
      const { value } = shape.kind;
      const centerM = times(value.centerM, factors);
      return {
        ...shape,
        kind: { case: 'box', value: { ...value, centerM, halfM: times(value.halfM, factors) } },
      };
    }
    case undefined:
      return shape;
  }
}

function scaled_ornament(ornament: Ornament, factors: Three): Ornament {
  const thicker = Math.cbrt(factors[0] * factors[1] * factors[2]);
  return {
    ...ornament,
    fromM: times(ornament.fromM, factors),
    toM: ornament.toM.length > 0 ? times(ornament.toM, factors) : [],
    radiusM: ornament.radiusM * thicker,
    tipM: ornament.tipM * thicker,
  };
}

/** @return the body with links, anchors, shapes and masses as the server will make them */
export function apply_edit(base: Creature, edit: BodyEdit | undefined): Creature {
  if (!edit) return base;
  const edits = new Map(edit.links.map((link) => [link.link, link]));
  const joint_of = new Map(base.joints.map((joint) => [joint.child, joint]));
  const scale = or_one(edit.scale);
  const factors_of = new Map<string, Three>();
  const links = base.links.map((link): Link => {
    const own = edits.get(link.name);
    const across = scale * or_one(own?.width ?? 0);
    const factors: Three = [across, across, across];
    factors[long_axis(joint_of.get(link.name))] = scale * or_one(own?.length ?? 0);
    factors_of.set(link.name, factors);
    return {
      ...link,
      massKg: link.massKg * factors[0] * factors[1] * factors[2] * or_one(own?.density ?? 0),
      shapes: link.shapes.map((shape) => scaled_shape(shape, factors)),
    };
  });
  const offsets = new Map(edit.joints.map(({ joint, offsetM }) => [joint, three(offsetM)]));
  const moved = (at: Three, offset: Three | undefined): Three =>
    offset ? [at[0] + offset[0], at[1] + offset[1], at[2] + offset[2]] : at;
  const joints = base.joints.map((joint): Joint => {
    const offset = offsets.get(joint.name);
    return {
      ...joint,
      atParentM: moved(times(joint.atParentM, factors_of.get(joint.parent) ?? kOne), offset),
      atChildM: moved(times(joint.atChildM, factors_of.get(joint.child) ?? kOne), offset),
    };
  });
  const ornaments = base.ornaments.map((one) =>
    scaled_ornament(one, factors_of.get(one.link) ?? kOne),
  );
  return { ...base, links, joints, ornaments };
}
