// Warnings about an edited body that the server accepts all the same.

const kTimes = 2.5; // beyond this, times the mass of the body that it began as

/** Masses for people to read: 72.4 kg, 1,900 kg. */
export function mass_words(mass_kg: number): string {
  if (mass_kg >= 1000) return `${Math.round(mass_kg).toLocaleString('en')} kg`;
  return `${mass_kg.toFixed(1)} kg`;
}

/** @return a warning about a mass that its legs were not made for; empty where there is nothing to warn of */
export function mass_warning(mass_kg: number, base_kg: number, base_title: string): string {
  const times = mass_kg / base_kg;
  if (!Number.isFinite(times) || times <= 0) return '';
  if (times > kTimes)
    return `This body weighs ${mass_words(mass_kg)}, ${times.toFixed(times < 10 ? 1 : 0)} times as much as “${base_title}”. It may fall, and it will knock over whatever it bumps into.`;
  if (times < 1 / kTimes)
    return `This body weighs ${mass_words(mass_kg)}, only ${(100 * times).toFixed(times < 0.1 ? 1 : 0)}% of “${base_title}”. A light push knocks it over.`;
  return '';
}
