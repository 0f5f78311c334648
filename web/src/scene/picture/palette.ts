// The light of the square: by day with the light theme, at dusk with the dark one.
import * as THREE from 'three';

export interface Palette {
  readonly zenith: THREE.Color;
  readonly horizon: THREE.Color;
  readonly glow: THREE.Color; // of the sky around the sun
  readonly sun: THREE.Color;
  readonly sun_power: number;
  readonly sky_light: THREE.Color;
  readonly ground_light: THREE.Color;
  readonly fill_power: number;
  readonly environment_power: number;
  readonly exposure: number;
  readonly sun_direction: THREE.Vector3; // towards the sun, world frame
  readonly shade: THREE.Color; // what is left of the ground's colours in the sun's shadow, as the screen shows them
  readonly stone: THREE.Color;
  readonly lamp: number; // how brightly windows shine
}

const color = (hex: string) => new THREE.Color(hex);

export const kDay: Palette = {
  zenith: color('#5f9fd8'),
  horizon: color('#e6ebe8'),
  glow: color('#fff0cf'),
  sun: color('#ffeccb'),
  sun_power: 2.9,
  sky_light: color('#cfe2f5'),
  ground_light: color('#c9b79c'),
  fill_power: 1.7,
  environment_power: 0.45,
  exposure: 1.0,
  sun_direction: new THREE.Vector3(-0.42, 0.62, 0.66).normalize(),
  shade: new THREE.Color(0.72, 0.75, 0.8),
  stone: color('#cdbfa6'),
  lamp: 0,
};

export const kDusk: Palette = {
  zenith: color('#2b3a6b'),
  horizon: color('#a58fa0'),
  glow: color('#ff9d5c'),
  sun: color('#ffc08a'),
  sun_power: 3.0,
  sky_light: color('#93a7e6'),
  ground_light: color('#75656a'),
  fill_power: 2.1,
  environment_power: 0.6,
  exposure: 1.05,
  sun_direction: new THREE.Vector3(-0.55, 0.72, 0.4).normalize(),
  shade: new THREE.Color(0.66, 0.74, 0.86),
  stone: color('#aba8a6'),
  lamp: 1,
};
