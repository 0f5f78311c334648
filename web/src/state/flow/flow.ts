// The people who come and go, in the server's JSON (crowd.proto): only the fields that the editor reads. Others stay
// in the objects as it came.

export interface Area {
  center_m: number[]; // [2] world frame
  size_m: number[]; // [2] full extents
  yaw_deg?: number;
}
export interface Rate {
  at_s?: number; // time of day
  per_minute?: number; // people
}
export interface Entrance {
  name?: string;
  area: Area;
  heading_deg?: number; // in which people come in
  rates: Rate[];
}
export interface Exit {
  name?: string;
  area: Area;
  weight?: number; // 0 means 1
}
export interface Place {
  name?: string;
  kind?: 'BENCH' | 'SIGHT';
  center_m: number[]; // [2]
  facing_deg?: number; // of a bench
  distance_m?: number; // from a sight; 0 means 1.5
  people?: number; // at once
  least_stay_s?: number;
  most_stay_s?: number;
  weight?: number;
}
export interface Queue {
  name?: string;
  counter_m: number[]; // [2]
  facing_deg?: number; // of the first one
  spacing_m?: number;
  people?: number; // in the line
  line_m?: number[]; // [2 k] points after the counter
  service_s?: number;
  spread?: number;
  weight?: number;
}
export interface Wall {
  points_m: number[]; // [2 k]
  thickness_m?: number; // 0 means 0.1
}
export interface Gathering {
  center_m: number[]; // [2]
  radius_m: number;
  people: number;
}
export interface Flow {
  entrances: Entrance[];
  exits: Exit[];
  places: Place[];
  queues: Queue[];
  walls: Wall[];
  gatherings: Gathering[];
  least_stops?: number;
  most_stops?: number;
  most_people?: number;
  present_at_start?: number;
  start_of_day_s?: number;
  [other: string]: unknown;
}

/** The lists of a flow that are painted on the ground. */
export const kLists = ['entrances', 'exits', 'places', 'queues', 'walls', 'gatherings'] as const;
export type List = (typeof kLists)[number];
export type ItemOf = {
  entrances: Entrance;
  exits: Exit;
  places: Place;
  queues: Queue;
  walls: Wall;
  gatherings: Gathering;
};
export type Item = ItemOf[List];
/** An item by its list and its number there. */
export interface ItemId {
  readonly list: List;
  readonly index: number;
}
export type Point = readonly [x: number, y: number]; // m, world frame

/** A flow from JSON: lists that are left out are empty. */
export function flow_from(json: Partial<Flow> | undefined): Flow {
  const flow = { ...structuredClone(json ?? {}) } as Flow;
  for (const list of kLists) flow[list] ??= [] as never;
  return flow;
}

/** The item that a field of a refusal is about: exits[1] of "set_flow.flow.exits[1].area.center_m". */
export function item_of_field(field: string): ItemId | undefined {
  const found = /^set_flow\.flow\.(\w+)\[(\d+)\]/.exec(field);
  const list = kLists.find((one) => one === found?.[1]);
  return list && { list, index: Number(found?.[2]) };
}

export function same_item(a: ItemId | undefined, b: ItemId | undefined): boolean {
  return a?.list === b?.list && a?.index === b?.index;
}

/** People a minute of an entrance at a time of day, s after midnight: straight between the rows of its table. */
export function rate_at({ rates }: Entrance, time_s: number): number {
  const of = (row: Rate | undefined) => row?.per_minute ?? 0;
  const next = rates.findIndex(({ at_s = 0 }) => at_s > time_s);
  if (next === 0) return of(rates[0]);
  if (next < 0) return of(rates[rates.length - 1]);
  const [a, b] = [rates[next - 1] as Rate, rates[next] as Rate];
  const share = (time_s - (a.at_s ?? 0)) / ((b.at_s ?? 0) - (a.at_s ?? 0));
  return of(a) + share * (of(b) - of(a));
}
