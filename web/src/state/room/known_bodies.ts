import type { Creature } from '../../gen/promenade/v1/creature_pb';
import type { CatalogueEntry } from '../../gen/promenade/v1/wire_pb';
import type { FromWorker } from '../../net/messages';
import { make_skeleton, type Skeleton } from '../figure/skeleton';
import type { Kit } from '../hand/build';

/** The bodies that have come, by their ids, from any scene and connection: an id always means the same body. */
export class KnownBodies {
  private readonly creatures_ = new Map<bigint, Creature>();
  private readonly skeletons_ = new Map<bigint, Skeleton>();

  add({ id, body, families, hands }: Omit<Extract<FromWorker, { kind: 'body' }>, 'kind'>): void {
    const limits = hands && {
      ...{ lift_kg: hands.liftKg, width_m: hands.widthM, reach_up_m: hands.reachUpM },
    };
    this.creatures_.set(id, body);
    this.skeletons_.set(id, make_skeleton(body, { families, hands: limits }));
  }

  /** Forgets bodies, which may come again. */
  forget(ids: readonly bigint[]): void {
    for (const id of ids) {
      this.creatures_.delete(id);
      this.skeletons_.delete(id);
    }
  }

  creature(id: bigint): Creature | undefined {
    return this.creatures_.get(id);
  }

  skeleton(id: bigint): Skeleton | undefined {
    return this.skeletons_.get(id);
  }

  get skeletons(): ReadonlyMap<bigint, Skeleton> {
    return this.skeletons_;
  }

  /** The entries of a list that can be placed. @param thing whether the list is one of things, not of creatures */
  kits(list: readonly CatalogueEntry[] | undefined, thing: boolean): readonly Kit[] {
    return (list ?? []).map(({ name, title, body }) => {
      const skeleton = this.skeletons_.get(body);
      return { name, title: title || name, thing, skeleton };
    });
  }
}
