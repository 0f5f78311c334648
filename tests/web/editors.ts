// Acts of the editors' tests in the page, and their questions to the server.
import type { Browser, Page } from 'playwright-core';
import { open_page, open_tab, until } from './page.ts';
import type { Server } from './server.ts';

// Without a GPU every pixel counts.
export const kWide = { viewport: { width: 800, height: 640 } } as const;

export interface StyleJson {
  readonly name: string;
  readonly lean_deg: number;
  readonly step_time_s: number;
  readonly foot_height_m: { readonly points: readonly { phase: number; value: number }[] };
  readonly right_foot_height_m?: { readonly points: readonly { value: number }[] };
  readonly curves: readonly { side: string }[];
}
export interface BodyJson {
  readonly definition: { readonly name: string; readonly base: string };
  readonly resolved: { readonly links: readonly { name: string; mass_kg: number }[] };
}

export async function get<T>(server: Server, path: string): Promise<T> {
  const response = await fetch(`${server.url}/api/v1/${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
export async function style_of(server: Server, id: number): Promise<StyleJson> {
  return (await get<{ definition: StyleJson }>(server, `rooms/main/characters/${id}/style`))
    .definition;
}
export async function body_of(server: Server, id: number): Promise<BodyJson> {
  return get<BodyJson>(server, `rooms/main/characters/${id}/body`);
}
/** How high the foot swings, in metres: the value of the point that kTop is the handle of. */
export function top_of(style: StyleJson): number {
  return style.foot_height_m.points[1]?.value ?? Number.NaN;
}
export function near(value: number | undefined, other: number): boolean {
  return value !== undefined && Math.abs(value - other) < 1e-6;
}
export function mass_of({ resolved }: BodyJson): number {
  return resolved.links.reduce((sum, link) => sum + link.mass_kg, 0);
}

/** Asks the server again and again until its answer fits. @param what for the message when it does not */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T>,
  fits: (value: T) => boolean,
  timeout_ms = 10_000,
): Promise<T> {
  let last: T | undefined;
  const deadline = Date.now() + timeout_ms;
  while (Date.now() < deadline) {
    last = await ask();
    if (fits(last)) return last;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not within ${timeout_ms} ms: ${what}; the server has ${JSON.stringify(last)}`);
}

export async function open_editor(
  browser: Browser,
  server: Server,
  tab: 'style' | 'body',
): Promise<{ page: Page; id: number }> {
  const page = await open_page(browser, server.url, kWide);
  await until(page, 'somebody', ({ characters, tick }) => characters === 1 && tick > 5);
  const id = await open_tab(page, tab);
  if (tab === 'style') await page.locator('[data-point="1"]').first().waitFor();
  else await page.locator('[data-handle="left_thigh.length"]').waitFor();
  return { page, id };
}

export const kTop = '[data-test="style-curve"] [data-point="1"]'; // the foot's highest point

export async function press(page: Page, test: string): Promise<void> {
  await page.locator(`[data-test="${test}"]`).click();
}

export async function set_number(page: Page, row: string, value: number): Promise<void> {
  const field = page.locator(`[data-test="${row}"] input.number`);
  await field.fill(String(value));
  await field.press('Enter');
}

/** Confirms the name that is typed, or offered; the server says which version that became. */
export async function confirm_save(
  page: Page,
  editor: 'style' | 'body',
  version: number,
): Promise<void> {
  await press(page, `${editor}-save-confirm`);
  await page.locator('.toast', { hasText: `version ${version}` }).waitFor();
}

export function file(name: string, content: string) {
  return { name, mimeType: 'application/json', buffer: Buffer.from(content) };
}
