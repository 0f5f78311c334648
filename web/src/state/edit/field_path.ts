// The server names what is wrong by its path in the message; an editor shows it at the control.

/** The path within the definition: 'set_style.definition.curves[2].axis' is 'curves[2].axis'. */
export function within_definition(field: string): string {
  return field.replace(/^(set_style|set_body)\.(definition\.?)?/, '').replace(/^definition\.?/, '');
}

export interface CurveSpot {
  readonly list: 'foot_height_m' | 'right_foot_height_m' | 'curves';
  readonly curve: number | undefined; // index in `curves`
  readonly by_speed: boolean;
  readonly point: number | undefined;
}

/** Which curve and point a path is about; undefined if it is about none. */
export function curve_spot(path: string): CurveSpot | undefined {
  const parts = /^(foot_height_m|right_foot_height_m|curves)(?:\[(\d+)\])?(.*)$/.exec(path);
  if (!parts) return undefined;
  const [, list, curve, rest = ''] = parts;
  const point = /points\[(\d+)\]/.exec(rest)?.[1];
  return {
    list: list as CurveSpot['list'],
    curve: curve === undefined ? undefined : Number(curve),
    by_speed: rest.startsWith('.by_speed'),
    point: point === undefined ? undefined : Number(point),
  };
}

/** The index in a path like 'edit.links[3].length'; undefined if it is none. */
export function link_spot(path: string): { index: number; key: string } | undefined {
  const parts = /^edit\.links\[(\d+)\](?:\.(\w+))?/.exec(path);
  return parts ? { index: Number(parts[1]), key: parts[2] ?? '' } : undefined;
}
