// Two pages that edit the style of one character at the same time, each as fast as the other shows what it has changed.
import type { Page } from 'playwright-core';
import { stop_drawing, until } from './page.ts';

export interface Edited {
  /** ms from each edit until the other page showed it, sorted. */
  readonly seen_ms: readonly number[];
  /** Edits that were not seen, or are not the same in both pages in the end. */
  readonly lost: readonly string[];
}

/** A row of the editor, and the numbers that it is given, one after the other. */
interface Row {
  readonly row: string;
  readonly low: number;
  readonly step: number;
  readonly count: number;
}

// Each page has its own numbers, and one that both change.
const kOwn: readonly (readonly Row[])[] = [
  [
    { row: 'lean_deg', low: 1, step: 0.5, count: 12 },
    { row: 'crouch_deg', low: 2, step: 1, count: 12 },
  ],
  [
    { row: 'twist_deg', low: 1, step: 1, count: 12 },
    { row: 'arm_swing', low: 0.5, step: 0.1, count: 12 },
  ],
];
const kBoth: Row = { row: 'step_width_m', low: 0.05, step: 0.01, count: 12 };
const kBothEvery = 5; // edits
const kPatience_ms = 15_000;

/** Runs in a page: gives a row a number, as a visitor does who types it. @return when, ms since 1970 */
function type_number([row, value]: readonly [string, number]): number {
  const field = document.querySelector<HTMLInputElement>(`[data-test="${row}"] input.number`);
  if (!field) throw new Error(`no ${row}`);
  field.value = String(value);
  const now = performance.timeOrigin + performance.now();
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return now;
}

/** Runs in a page: waits until a row shows a number. @return when, ms since 1970; 0 if it does not */
function wait_for_number([row, value, patience_ms]: readonly [
  string,
  number,
  number,
]): Promise<number> {
  return new Promise((resolve) => {
    const field = document.querySelector<HTMLInputElement>(`[data-test="${row}"] input.number`);
    const until_ms = performance.now() + patience_ms;
    const look = () => {
      const now = performance.now();
      if (field && Math.abs(Number(field.value) - value) < 1e-6)
        resolve(performance.timeOrigin + now);
      else if (now > until_ms) resolve(0);
      else setTimeout(look, 2);
    };
    look();
  });
}

const number_of = ({ low, step, count }: Row, i: number) =>
  Number((low + step * (i % count)).toFixed(3));

/**
 * @param pages of the same room, with the editor of the style of the same character open
 * @param count edits of each page
 */
export async function edit_together(pages: readonly [Page, Page], count: number): Promise<Edited> {
  const seen_ms: number[] = [];
  const lost: string[] = [];
  const last = new Map<string, number>();
  const shared = new Set<number>();
  const edits_of = async (me: 0 | 1) => {
    const [page, other] = [pages[me], pages[1 - me] as Page];
    for (let i = 1; i <= count; ++i) {
      if (i % kBothEvery === 0) {
        // Both at once, and nobody waits: the last one counts, whichever that is.
        const value = number_of(kBoth, i + me);
        shared.add(value);
        await page.evaluate(type_number, [kBoth.row, value] as const);
        continue;
      }
      const row = kOwn[me]?.[i % 2] as Row;
      const value = number_of(row, i);
      last.set(row.row, value);
      const seen = other.evaluate(wait_for_number, [row.row, value, kPatience_ms] as const);
      const edited = await page.evaluate(type_number, [row.row, value] as const);
      const when = await seen;
      if (when === 0) lost.push(`edit ${i} of page ${me + 1}: ${row.row} ${value} was not seen`);
      else seen_ms.push(when - edited);
    }
  };
  await Promise.all([edits_of(0), edits_of(1)]);
  // Each page has its own last numbers and those of the other.
  for (const [row, value] of last)
    for (const page of pages)
      if ((await page.evaluate(wait_for_number, [row, value, kPatience_ms] as const)) === 0)
        lost.push(`${row} is not ${value} in the end`);
  const both = await settled(pages);
  if (both === undefined || (shared.size > 0 && !shared.has(both)))
    lost.push(`${kBoth.row}, which both changed, is ${both}`);
  return { seen_ms: seen_ms.sort((a, b) => a - b), lost };
}

/** The value that both pages show of the number that both have changed; undefined if they do not agree. */
async function settled(pages: readonly [Page, Page]): Promise<number | undefined> {
  const deadline = Date.now() + kPatience_ms;
  const shown = (page: Page) =>
    page.locator(`[data-test="${kBoth.row}"] input.number`).inputValue();
  while (Date.now() < deadline) {
    const [a, b] = await Promise.all(pages.map(shown));
    if (a !== undefined && a === b) return Number(a);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return undefined;
}

/** Opens the editor of the style on a page, and draws no more pictures: what is measured are edits. */
export async function open_style(page: Page): Promise<number> {
  await until(page, 'somebody', ({ characters, tick }) => characters === 1 && tick > 5);
  if ((await page.locator('.tabs [data-tab="style"]:visible').count()) === 0)
    await page.keyboard.press(']');
  await page.locator('.tabs [data-tab="style"]').click();
  await page.locator('[data-point="1"]').first().waitFor();
  await stop_drawing(page);
  const { selected } = await until(page, 'selected', (now) => now.selected.length === 1);
  return selected[0] as number;
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
