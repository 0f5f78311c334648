// The families of controllers of a room, as its scene tells them: which bodies each can drive, and what it does with them.
import type { FamilyInfo } from '../../gen/promenade/v1/wire_pb';
import type { Skeleton } from '../figure/skeleton';
import { enumerated } from '../values/sentence';

export type Family = Readonly<Omit<FamilyInfo, '$typeName' | '$unknown'>>;

/** Stands in for a family that the room has not told of, and for that of a thing, which nothing drives. */
function unknown_family(name: string): Family {
  return {
    ...{ name, title: name, description: '', needs: '' },
    ...{
      styled: false,
      walks: false,
      light: false,
      tasks: false,
      stands: false,
      playsGaits: false,
    },
  };
}

export const kNoFamily = unknown_family('');

export class Families {
  private readonly by_name_: ReadonlyMap<string, Family>;
  private readonly unknown_ = new Map<string, Family>(); // names that were asked for and that the room has not told of

  /** @param all in the order in which they are offered; the first is that of a body of unknown shape */
  constructor(readonly all: readonly Family[]) {
    this.by_name_ = new Map(all.map((family) => [family.name, family]));
  }

  /** The family of this name: the same object each time. One that the room has not told of can do nothing. */
  get(name: string): Family {
    const known = this.by_name_.get(name) ?? this.unknown_.get(name);
    if (known) return known;
    const unknown = unknown_family(name);
    this.unknown_.set(name, unknown);
    return unknown;
  }

  /** The families that can drive a body. @param skeleton of unknown shape: all; the room refuses families that cannot */
  that_drive(skeleton: Skeleton | undefined): readonly Family[] {
    const able = skeleton?.families;
    return able ? this.all.filter(({ name }) => able.includes(name)) : this.all;
  }

  /** The family that drives a body unless another is named. */
  own_of(skeleton: Skeleton | undefined): Family {
    const name = skeleton?.families?.[0];
    return name === undefined ? (this.all[0] ?? kNoFamily) : this.get(name);
  }

  /** “Walk” or “Pendulum”: the titles of those that can do something. */
  titles(can: (family: Family) => boolean): string {
    const titles = this.all.filter(can).map(({ title }) => `“${title}”`);
    return enumerated(titles, 'or');
  }
}
