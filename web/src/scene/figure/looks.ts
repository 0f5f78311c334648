// The colours of a character, from the colour the server gave it and its number.
import * as THREE from 'three';
import type { Look } from '../../state/figure/skeleton';

export const kTints = [
  'skin',
  'hair',
  'shirt',
  'sleeve',
  'trousers',
  'shoe',
  'sole',
  'dark',
  'light',
  'given',
  'trim',
  'metal',
] as const;
export type Tint = (typeof kTints)[number];

export type Looks = Readonly<Record<Tint, THREE.Color>>;

const kSkin = ['#e8bb95', '#e0ac80', '#c68a5e', '#9c6644', '#6f4630', '#ecc6a6'];
const kHair = ['#2b2320', '#4a3224', '#7a4a2a', '#b98a4b', '#8c8780', '#1d1f26', '#a3492f'];
const kTrousers = ['#33405a', '#4b4640', '#5e6a72', '#3c514c', '#6d5a48', '#2c313b', '#7b6f5e'];
// Replacements for colours that would look like bare skin.
const kShirts = [
  '#3f6fa3',
  '#a8433a',
  '#4d8f6b',
  '#c4953a',
  '#6f5aa0',
  '#2f6f73',
  '#9c5570',
  '#5f7386',
];
const kShoes = ['#e9e2d3', '#3a2f2a', '#8c5a36', '#2f3640', '#6b4a3a', '#b5533c'];

/** A brown that is further off is no fur any more. */
const kFurHues = 0.012;

/** A 32-bit number that looks random: fixed for each character, different for each `salt`. */
export function hash(id: number, salt: number): number {
  let h = Math.imul(id + 1, 2654435761) ^ Math.imul(salt + 7, 40503);
  h = Math.imul(h ^ (h >>> 15), 2246822519);
  return (h ^ (h >>> 13)) >>> 0;
}

function pick(list: readonly string[], id: number, salt: number): THREE.Color {
  return new THREE.Color(list[hash(id, salt) % list.length]);
}

/** -1 to 1 */
function spread(id: number, salt: number): number {
  return hash(id, salt) / 2147483648 - 1;
}

/**
 * A shade of a colour, slightly different for each character and never glaring.
 * @param hues how far the hue may be another, of 360 degrees
 */
function akin(color: THREE.Color, id: number, hues = 0.045): THREE.Color {
  const { h, s, l } = color.getHSL({ h: 0, s: 0, l: 0 }, THREE.SRGBColorSpace);
  return new THREE.Color().setHSL(
    h + spread(id, 5) * hues,
    Math.min(0.5, s * (1 + spread(id, 6) * 0.3)),
    THREE.MathUtils.clamp(l + spread(id, 7) * 0.12, 0.25, 0.72),
    THREE.SRGBColorSpace,
  );
}

function skin_like(color: THREE.Color): boolean {
  const { h, s, l } = color.getHSL({ h: 0, s: 0, l: 0 }, THREE.SRGBColorSpace);
  return h > 0.02 && h < 0.1 && s > 0.2 && l > 0.3;
}

/**
 * @param color "#rrggbb", as the server gave it
 * @param id of the character: two characters of the same colour get different shades
 */
export function looks_of(color: string, id: number, look: Look): Looks {
  const given = new THREE.Color(/^#[0-9a-f]{6}$/i.test(color) ? color : '#8899aa');
  const near = akin(given, id, look === 'beast' ? kFurHues : undefined);
  const shirt = look === 'person' && skin_like(near) ? akin(pick(kShirts, id, 8), id) : near;
  const tone = shirt.getHSL({ h: 0, s: 0, l: 0 }, THREE.SRGBColorSpace);
  const shade = (l: number, s = 1) =>
    new THREE.Color().setHSL(
      tone.h,
      Math.min(1, tone.s * s),
      THREE.MathUtils.clamp(tone.l * l, 0.05, 0.9),
      THREE.SRGBColorSpace,
    );
  const common = {
    shirt,
    sleeve: shade(0.92),
    dark: new THREE.Color('#1b1d22'),
    light: new THREE.Color('#f4f1ea'),
    given,
    trim: given.clone().multiplyScalar(0.62),
    metal: new THREE.Color('#7d848b'),
  };
  switch (look) {
    case 'machine':
      return {
        ...common,
        skin: new THREE.Color('#cfd6dc'),
        hair: shade(0.8),
        trousers: new THREE.Color('#59636e'),
        shoe: new THREE.Color('#2d333b'),
        sole: shirt,
        light: new THREE.Color('#7fe7ff'),
      };
    case 'beast':
      return {
        ...common,
        skin: shade(1.25, 0.8),
        hair: shade(0.55),
        trousers: shade(0.8),
        sleeve: shade(0.9),
        shoe: shade(0.45),
        sole: shade(0.3),
      };
    case 'plain':
      return {
        ...common,
        shirt: given,
        skin: given,
        hair: shade(0.6),
        trousers: shade(0.85),
        sleeve: shade(0.92),
        shoe: shade(0.55),
        sole: shade(0.4),
      };
    case 'insect':
      return {
        ...common,
        shirt: given,
        skin: shade(1.12),
        hair: shade(0.5),
        trousers: shade(0.72),
        sleeve: shade(0.8),
        shoe: shade(0.5),
        sole: shade(0.4),
      };
    case 'person':
      return {
        ...common,
        skin: pick(kSkin, id, 1),
        hair: pick(kHair, id, 2),
        trousers: pick(kTrousers, id, 3),
        shoe: pick(kShoes, id, 4),
        sole: new THREE.Color('#f0ece2'),
      };
  }
}
