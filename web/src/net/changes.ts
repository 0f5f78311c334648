// Whole rosters and catalogues from the last one and what has changed since, see docs/protocol.md.
import { create } from '@bufbuild/protobuf';
import {
  CatalogueSchema,
  RosterSchema,
  VisitorsSchema,
  type Catalogue,
  type CatalogueChange,
  type Roster,
  type RosterChange,
  type Visitors,
  type VisitorsChange,
} from '../gen/promenade/v1/wire_pb';

/** The list without what was removed, with what is new or changed, in the order of its keys again. */
function merged<T, K extends number | string>(
  known: readonly T[],
  removed: ReadonlySet<K>,
  fresh: readonly T[],
  key: (entry: T) => K,
): T[] {
  if (removed.size === 0 && fresh.length === 0) return [...known];
  const by_key = new Map(known.map((entry) => [key(entry), entry]));
  for (const gone of removed) by_key.delete(gone);
  for (const entry of fresh) by_key.set(key(entry), entry);
  // Names are compared by their code points, as the server does: they are ASCII.
  return [...by_key.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}

/** Throws if the change is from another version. */
export function changed_roster(roster: Roster, change: RosterChange): Roster {
  if (roster.version !== change.fromVersion)
    throw new Error(`a change from roster ${change.fromVersion}, here is ${roster.version}`);
  const gone = new Set(change.removed);
  const id = (entry: { readonly id: number }) => entry.id;
  const course = change.course ?? roster.course;
  return create(RosterSchema, {
    version: change.version,
    entries: merged(roster.entries, gone, change.entries, id),
    things: merged(roster.things, gone, change.things, id),
    ties: merged(roster.ties, new Set(change.removedTies), change.ties, id),
    ...(course && { course }),
  });
}

/** Throws if the change is from another revision. */
export function changed_catalogue(catalogue: Catalogue, change: CatalogueChange): Catalogue {
  if (catalogue.revision !== change.fromRevision)
    throw new Error(
      `a change from catalogue ${change.fromRevision}, here is ${catalogue.revision}`,
    );
  const name = (entry: { readonly name: string }) => entry.name;
  return create(CatalogueSchema, {
    revision: change.revision,
    styles: merged(catalogue.styles, new Set(change.removedStyles), change.styles, name),
    bodies: merged(catalogue.bodies, new Set(change.removedBodies), change.bodies, name),
    gaits: merged(catalogue.gaits, new Set(change.removedGaits), change.gaits, name),
  });
}

/** Throws if the change is from another version. */
export function changed_visitors(before: Visitors, change: VisitorsChange): Visitors {
  if (before.version !== change.fromVersion)
    throw new Error(`a change from visitors ${change.fromVersion}, here is ${before.version}`);
  const number = (entry: { readonly number: number }) => entry.number;
  const gone = new Set(change.removed);
  return create(VisitorsSchema, {
    version: change.version,
    visitors: merged(before.visitors, gone, change.visitors, number),
  });
}
