import { Signal } from '../values/signal';

export const kOverlays = [
  { key: 'names', title: 'Names', hint: 'Name and number over each head' },
  { key: 'footprints', title: 'Footprints', hint: 'Where feet came down' },
  { key: 'com', title: 'Centre of mass', hint: 'With its shadow on the ground' },
  { key: 'capture', title: 'Capture point', hint: 'Where a step would bring the body to rest' },
  { key: 'support', title: 'Support polygon', hint: 'Ground area under and between the feet' },
  {
    key: 'target',
    title: 'Foot target',
    hint: 'Where the swing foot will land, and its way there',
  },
  {
    key: 'velocity',
    title: 'Desired velocity',
    hint: 'The velocity to reach, and the path to walk',
  },
  {
    key: 'forces',
    title: 'Contact forces',
    hint: 'Force of the ground on each foot, in body weights (bw)',
  },
  { key: 'shapes', title: 'Collision shapes', hint: 'Shapes that the physics uses' },
] as const;

export type OverlayKey = (typeof kOverlays)[number]['key'];
export type OverlayState = Readonly<Record<OverlayKey, boolean>>;
export type Theme = 'auto' | 'light' | 'dark';

const kStorage = 'promenade.settings';
const kDefaults: OverlayState = {
  names: false,
  footprints: true,
  com: false,
  capture: false,
  support: false,
  target: false,
  velocity: true,
  forces: false,
  shapes: false,
};

interface Kept {
  readonly overlays: Partial<OverlayState>;
  readonly theme: Theme;
  readonly full_detail: boolean;
  readonly tells: boolean;
  readonly picture_keys: boolean;
}

/** These overlays and no others. */
function only(keys: readonly OverlayKey[]): OverlayState {
  const shown = kOverlays.map(({ key }) => [key, keys.includes(key)] as const);
  return Object.fromEntries(shown) as Record<OverlayKey, boolean>;
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
    this.own_ = { ...kDefaults, ...saved.overlays };
    this.overlays = new Signal<OverlayState>(given ? only(given) : this.own_);
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
  show_also(keys: readonly string[]): void {
    this.before_show_ ??= this.overlays.value;
    const more = kOverlays.flatMap(({ key }) => (keys.includes(key) ? [[key, true]] : []));
    this.overlays.set({ ...this.overlays.value, ...(Object.fromEntries(more) as object) });
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
