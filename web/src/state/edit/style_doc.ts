// A style as the editor sees it: the numbers, and the slots in which curves can lie. Styles are values:
// every change makes a new one.
import { create, fromJsonString, toJson } from '@bufbuild/protobuf';
import {
  Axis,
  CurveSchema,
  CurveSide,
  JointCurveSchema,
  type JointCurve,
  type Style,
  StyleSchema,
} from '../../gen/promenade/v1/style_pb';
import type { Bounds, Points } from './curve_points';

export type Step = 'left' | 'right';

/** The numbers of a style, in the order of the editor. Ranges are the server's (control/style.cpp). */
export const kStyleNumbers = [
  { key: 'stepTimeS', field: 'step_time_s', title: 'Step time', unit: 's', low: 0.2, high: 1.2, step: 0.01, hint: 'One step of a human; longer legs take longer' },
  { key: 'stepWidthM', field: 'step_width_m', title: 'Step width', unit: 'm', low: 0, high: 0.5, step: 0.01, hint: 'Distance between the feet, for legs of 0.86 m' },
  { key: 'speedMps', field: 'speed_mps', title: 'Speed', unit: 'm/s', low: 0.1, high: 3, step: 0.05, hint: 'Speed that suits the style; used on strolls and paths' },
  { key: 'leanDeg', field: 'lean_deg', title: 'Lean', unit: '°', low: -45, high: 45, step: 0.5, hint: 'Lean of the whole trunk; positive is forward' },
  { key: 'crouchDeg', field: 'crouch_deg', title: 'Crouch', unit: '°', low: 0, high: 70, step: 1, hint: 'Bend of the stance knee' },
  { key: 'twistDeg', field: 'twist_deg', title: 'Twist', unit: '°', low: -40, high: 40, step: 1, hint: 'Twist of the swing leg; positive is bow-legged, negative is knock-kneed' },
  { key: 'armSwing', field: 'arm_swing', title: 'Arm swing', unit: '×', low: -3, high: 5, step: 0.1, hint: 'How far the arms swing with speed' },
] as const; // prettier-ignore

export type StyleNumber = (typeof kStyleNumbers)[number]['key'];

const kFootHeight = 'foot_height_m';

/** Where curves can lie: the foot's height, or an axis of a joint. */
export interface Slot {
  readonly key: string; // as in 'stance_knee.PITCH'
  readonly joint: string; // '' for the foot's height
  readonly axis: Axis;
  readonly title: string;
}

export interface SlotGroup {
  readonly title: string;
  readonly slots: readonly Slot[];
}

const kAxisName = { [Axis.ROLL]: 'roll', [Axis.PITCH]: 'pitch', [Axis.YAW]: 'yaw' } as const;
type TurnAxis = keyof typeof kAxisName;

export const kFootSlot: Slot = {
  key: kFootHeight,
  joint: '',
  axis: Axis.AXIS_UNSPECIFIED,
  title: 'Foot height',
};

function group(title: string, joint: string, ...axes: TurnAxis[]): SlotGroup {
  return {
    title,
    slots: axes.map((axis) => ({
      key: `${joint}.${Axis[axis]}`,
      joint,
      axis,
      title: `${title}, ${kAxisName[axis]}`,
    })),
  };
}

const { ROLL, PITCH, YAW } = Axis;
export const kSlotGroups: readonly SlotGroup[] = [
  { title: 'Foot height', slots: [kFootSlot] },
  group('Stance knee', 'stance_knee', PITCH),
  group('Pelvis', 'pelvis', ROLL, PITCH, YAW),
  group('Lower back', 'lower_back', ROLL, PITCH, YAW),
  group('Upper back', 'upper_back', ROLL, PITCH, YAW),
  group('Stance shoulder', 'stance_shoulder', ROLL, PITCH, YAW),
  group('Swing shoulder', 'swing_shoulder', ROLL, PITCH, YAW),
  group('Stance elbow', 'stance_elbow', PITCH),
  group('Swing elbow', 'swing_elbow', PITCH),
  group('Stance ankle', 'stance_ankle', ROLL, PITCH),
  group('Swing ankle', 'swing_ankle', ROLL, PITCH),
  group('Stance toe', 'stance_toe', PITCH),
  group('Swing toe', 'swing_toe', PITCH),
  group('Neck', 'neck', ROLL, PITCH, YAW),
];
export const kSlots: readonly Slot[] = kSlotGroups.flatMap(({ slots }) => slots);

export const kAngleBounds: Bounds = { phase: [0, 1], value: [-170, 170] };
export const kHeightBounds: Bounds = { phase: [0, 1], value: [-0.1, 0.5] };
export const kFactorBounds: Bounds = { phase: [-5, 5], value: [-20, 20] };

/** The foot height that the server uses where a style has none (control/style.cpp). */
const kDefaultFootHeight: Points = [
  { phase: 0, value: 0 },
  { phase: 0.5, value: 0.05 },
  { phase: 1, value: -0.01 },
];
const kMostCurves = 64;

export function bounds_of(slot: Slot): Bounds {
  return slot.joint === '' ? kHeightBounds : kAngleBounds;
}

function to_curve(points: Points) {
  return create(CurveSchema, { points: points.map(({ phase, value }) => ({ phase, value })) });
}

/** A style in which numbers that were left out have the server's defaults. */
export function completed(style: Style): Style {
  return {
    ...style,
    stepTimeS: style.stepTimeS || 0.6,
    speedMps: style.speedMps || 0.8,
    footHeightM: style.footHeightM?.points.length
      ? style.footHeightM
      : to_curve(kDefaultFootHeight),
  };
}

export function with_number(style: Style, key: StyleNumber, value: number): Style {
  return { ...style, [key]: value };
}

export function with_name(style: Style, name: string, title: string): Style {
  return { ...style, name, title };
}

export function is_symmetric(style: Style): boolean {
  return (
    (style.rightFootHeightM?.points.length ?? 0) === 0 &&
    style.curves.every(({ side }) => side === CurveSide.BOTH)
  );
}

/**
 * Both steps get curves of their own, at first the same.
 * @return undefined if that would be more curves than a style may have
 */
export function make_asymmetric(style: Style): Style | undefined {
  const curves = style.curves.flatMap((curve) =>
    curve.side === CurveSide.BOTH
      ? [
          { ...curve, side: CurveSide.LEFT_STEP },
          { ...curve, side: CurveSide.RIGHT_STEP },
        ]
      : [curve],
  );
  if (curves.length > kMostCurves) return undefined;
  const height = style.rightFootHeightM?.points.length ? style.rightFootHeightM : style.footHeightM;
  const { rightFootHeightM: _, ...rest } = style;
  return { ...rest, curves, ...(height ? { rightFootHeightM: height } : {}) };
}

/** Both steps get the curves of one of them. */
export function make_symmetric(style: Style, kept: Step): Style {
  const dropped = kept === 'left' ? CurveSide.RIGHT_STEP : CurveSide.LEFT_STEP;
  const { rightFootHeightM: right, ...rest } = style;
  return {
    ...rest,
    ...(kept === 'right' && right?.points.length ? { footHeightM: right } : {}),
    curves: style.curves
      .filter(({ side }) => side !== dropped)
      .map((curve) => ({ ...curve, side: CurveSide.BOTH })),
  };
}

/** Indices of the curves that lie in a slot and count in that step. */
export function curves_in(style: Style, slot: Slot, step: Step): number[] {
  const other = step === 'left' ? CurveSide.RIGHT_STEP : CurveSide.LEFT_STEP;
  return style.curves.flatMap(({ joint, axis, side }, i) =>
    joint === slot.joint && axis === slot.axis && side !== other ? [i] : [],
  );
}

/** Where a curve is kept: the foot's height of a step, or one of the joints' curves. */
export type CurveRef =
  | { readonly kind: 'height'; readonly step: Step }
  | { readonly kind: 'angle'; readonly index: number }
  | { readonly kind: 'by_speed'; readonly index: number };

/** The curves of a slot in a step; none if it is empty. */
export function refs_in(style: Style, slot: Slot, step: Step): CurveRef[] {
  if (slot.joint === '') {
    const own = step === 'right' && (style.rightFootHeightM?.points.length ?? 0) > 0;
    return [{ kind: 'height', step: own ? 'right' : 'left' }];
  }
  return curves_in(style, slot, step).map((index) => ({ kind: 'angle', index }));
}

export function points_of(style: Style, ref: CurveRef): Points {
  switch (ref.kind) {
    case 'height':
      return (ref.step === 'left' ? style.footHeightM : style.rightFootHeightM)?.points ?? [];
    case 'angle':
      return style.curves[ref.index]?.curveDeg?.points ?? [];
    case 'by_speed':
      return style.curves[ref.index]?.bySpeed?.points ?? [];
  }
}

function with_curve(style: Style, index: number, change: (curve: JointCurve) => JointCurve): Style {
  return {
    ...style,
    curves: style.curves.map((curve, i) => (i === index ? change(curve) : curve)),
  };
}

/** Gives a curve other points. A joint's curve without any is taken away. */
export function with_points(style: Style, ref: CurveRef, points: Points): Style {
  const curve = to_curve(points);
  switch (ref.kind) {
    case 'height':
      if (points.length === 0) return style; // the foot needs a height
      return ref.step === 'left'
        ? { ...style, footHeightM: curve }
        : { ...style, rightFootHeightM: curve };
    case 'angle':
      if (points.length === 0)
        return { ...style, curves: style.curves.filter((_, i) => i !== ref.index) };
      return with_curve(style, ref.index, (old) => ({ ...old, curveDeg: curve }));
    case 'by_speed':
      return with_curve(style, ref.index, ({ bySpeed: _, ...old }) =>
        points.length === 0 ? old : { ...old, bySpeed: curve },
      );
  }
}

/**
 * A first curve in an empty slot; in an uneven style for that step only.
 * @return undefined if the style is full
 */
export function with_new_curve(
  style: Style,
  slot: Slot,
  step: Step,
  points: Points,
): Style | undefined {
  if (style.curves.length >= kMostCurves) return undefined;
  const own = step === 'left' ? CurveSide.LEFT_STEP : CurveSide.RIGHT_STEP;
  const curve = create(JointCurveSchema, {
    joint: slot.joint,
    axis: slot.axis,
    side: is_symmetric(style) ? CurveSide.BOTH : own,
    curveDeg: to_curve(points),
  });
  return { ...style, curves: [...style.curves, curve] };
}

/** Raises or lowers the foot by a factor over its whole height, in both steps. */
export function scale_foot_height(style: Style, factor: number): Style {
  const [low, high] = kHeightBounds.value;
  const scaled = (points: Points) =>
    to_curve(
      points.map(({ phase, value }) => ({
        phase,
        value: Math.round(Math.min(high, Math.max(low, value * factor)) * 1e5) / 1e5,
      })),
    );
  const right = style.rightFootHeightM;
  return {
    ...style,
    footHeightM: scaled(style.footHeightM?.points ?? kDefaultFootHeight),
    ...(right ? { rightFootHeightM: scaled(right.points) } : {}),
  };
}

/** The foot's greatest height, m. */
export function foot_lift(style: Style): number {
  return Math.max(0, ...(style.footHeightM?.points ?? []).map(({ value }) => value));
}

/** The file of a style, as the server's own are written. */
export function print_style(style: Style): string {
  return `${JSON.stringify(toJson(StyleSchema, style, { useProtoFieldName: true }), null, 2)}\n`;
}

/** Reads a style's file. Throws an Error that says what is wrong with the text. */
export function parse_style(text: string): Style {
  return completed(fromJsonString(StyleSchema, text));
}
