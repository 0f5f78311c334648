import { DemonstrationStep_Overlay as Overlay } from '../../gen/promenade/v1/demonstration_pb';
import { Signal } from '../values/signal';

/** Overlays that can be drawn over the picture; `shown` unless the visitor has chosen otherwise. */
const kAll = {
  [Overlay.NAMES]: {
    key: 'names',
    title: 'Names',
    shown: false,
    hint: 'Name and number over each head',
  },
  [Overlay.FOOTPRINTS]: {
    key: 'footprints',
    title: 'Footprints',
    shown: true,
    hint: 'Where feet came down',
  },
  [Overlay.COM]: {
    key: 'com',
    title: 'Centre of mass',
    shown: false,
    hint: 'With its shadow on the ground',
  },
  [Overlay.CAPTURE]: {
    key: 'capture',
    title: 'Capture point',
    shown: false,
    hint: 'Where a step would bring the body to rest',
  },
  [Overlay.SUPPORT]: {
    key: 'support',
    title: 'Support polygon',
    shown: false,
    hint: 'Ground area under and between the feet',
  },
  [Overlay.TARGET]: {
    key: 'target',
    title: 'Foot target',
    shown: false,
    hint: 'Where the swing foot will land, and its way there',
  },
  [Overlay.VELOCITY]: {
    key: 'velocity',
    title: 'Desired velocity',
    shown: true,
    hint: 'The velocity to reach, and the path to walk',
  },
  [Overlay.FORCES]: {
    key: 'forces',
    title: 'Contact forces',
    shown: false,
    hint: 'Force of the ground on each foot, in body weights (bw)',
  },
  [Overlay.SHAPES]: {
    key: 'shapes',
    title: 'Collision shapes',
    shown: false,
    hint: 'Shapes that the physics uses',
  },
} as const satisfies Record<Exclude<Overlay, Overlay.NO_OVERLAY>, object>;

export const kOverlays = Object.values(kAll);

export type OverlayKey = (typeof kOverlays)[number]['key'];
export type OverlayState = Readonly<Record<OverlayKey, boolean>>;
export type Theme = 'auto' | 'light' | 'dark';

const kStorage = 'promenade.settings';

interface Kept {
  readonly overlays: Partial<OverlayState>;
  readonly theme: Theme;
  readonly full_detail: boolean;
  readonly tells: boolean;
  readonly picture_keys: boolean;
}

/** The state of all overlays. */
function state_of(shown: (overlay: (typeof kOverlays)[number]) => boolean): OverlayState {
  const states = kOverlays.map((overlay) => [overlay.key, shown(overlay)] as const);
  return Object.fromEntries(states) as Record<OverlayKey, boolean>;
}

/** The user's settings of this page, kept in the browser. */
export class Settings {
  readonly overlays: Signal<OverlayState>;
  readonly theme: Signal<Theme>;
  readonly full_detail: Signal<boolean>; // also where pictures come slowly
  readonly tells: Signal<boolean>; // whether screen readers are told what happens
  readonly picture_keys: Signal<boolean>; // keys of one character are heeded only in the picture
  readonly follow = new Signal(false);
  readonly followed_part = new Signal(''); // name of a limb; '' the whole body
  readonly path_tool = new Signal(false);

  private lent_: { readonly key: OverlayKey; readonly before: boolean } | undefined;
  private before_show_: OverlayState | undefined; // while a demonstration shows more
  private given_: boolean; // whether the overlays are those of the address
  private readonly own_: OverlayState;

  /** @param given the overlays of the page's address: they are kept only once the user changes one */
  constructor(
    private readonly storage_: Storage | undefined,
    given?: readonly OverlayKey[],
  ) {
    const saved = this.load();
    this.given_ = given !== undefined;
    this.own_ = { ...state_of(({ shown }) => shown), ...saved.overlays };
    this.overlays = new Signal<OverlayState>(
      given ? state_of(({ key }) => given.includes(key)) : this.own_,
    );
    this.theme = new Signal<Theme>(saved.theme ?? 'auto');
    this.full_detail = new Signal(saved.full_detail ?? false);
    this.tells = new Signal(saved.tells ?? false);
    this.picture_keys = new Signal(saved.picture_keys ?? false);
    const save = () => this.save();
    this.overlays.watch(save);
    this.theme.watch(save);
    for (const one of [this.full_detail, this.tells, this.picture_keys]) one.watch(save);
  }

  set_overlay(key: OverlayKey, shown: boolean): void {
    this.given_ = false;
    this.end_show();
    if (this.lent_?.key === key) this.lent_ = undefined; // the user's choice from here on
    this.overlays.set({ ...this.overlays.value, [key]: shown });
  }

  /**
   * Shows an overlay for as long as a scene is about what it shows; then it is as it was before.
   * @param key undefined: none any more
   */
  lend_overlay(key: OverlayKey | undefined): void {
    const own = this.own_overlays();
    this.before_show_ = undefined;
    this.lent_ = key && !own[key] ? { key, before: own[key] } : undefined;
    this.overlays.set(key ? { ...own, [key]: true } : own);
  }

  /** Shows overlays beside those that are on, until `end_show`; they are not kept. */
  show_also(more: readonly Overlay[]): void {
    this.before_show_ ??= this.overlays.value;
    const before = this.overlays.value;
    const wanted: ReadonlySet<object> = new Set(
      more.flatMap((one) => (one === Overlay.NO_OVERLAY ? [] : [kAll[one]])),
    );
    this.overlays.set(state_of((one) => before[one.key] || wanted.has(one)));
  }

  end_show(): void {
    const { before_show_ } = this;
    this.before_show_ = undefined;
    if (before_show_) this.overlays.set(before_show_);
  }

  private own_overlays(): OverlayState {
    const { lent_ } = this;
    const shown = this.before_show_ ?? this.overlays.value;
    return lent_ ? { ...shown, [lent_.key]: lent_.before } : shown;
  }

  private save(): void {
    const kept: Kept = {
      overlays: this.given_ ? this.own_ : this.own_overlays(),
      theme: this.theme.value,
      full_detail: this.full_detail.value,
      tells: this.tells.value,
      picture_keys: this.picture_keys.value,
    };
    this.storage_?.setItem(kStorage, JSON.stringify(kept));
  }

  private load(): Partial<Kept> {
    try {
      return JSON.parse(this.storage_?.getItem(kStorage) ?? '{}') as Partial<Kept>;
    } catch {
      return {}; // not an entry of this page: use the defaults
    }
  }
}
