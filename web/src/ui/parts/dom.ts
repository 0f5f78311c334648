type Child = Node | string;
type Listeners = {
  readonly [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void;
};

interface Options {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly on?: Listeners;
}

/** Makes an element: h('button', { text: 'Stop', on: { click } }). */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: Options = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  // An output is read out whenever it changes; those of the page change all the time.
  if (tag === 'output') element.setAttribute('aria-live', 'off');
  if (options.class) element.className = options.class;
  if (options.text !== undefined) element.textContent = options.text;
  if (options.title) element.title = options.title;
  for (const [name, value] of Object.entries(options.attributes ?? {}))
    element.setAttribute(name, value);
  for (const [name, listener] of Object.entries(options.on ?? {})) {
    element.addEventListener(name, listener as EventListener);
  }
  element.append(...children);
  return element;
}

/** A button with a sign, and the word that says what it does below it. */
export function signed_button(sign: string, word: string, options: Options): HTMLButtonElement {
  return h(
    'button',
    { ...options, class: `signed ${options.class ?? ''}`.trim() },
    h('i', { text: sign, attributes: { 'aria-hidden': 'true' } }),
    h('span', { text: word }),
  );
}

/** Writes a text only when it differs, so that a panel without changes costs nothing. */
export function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

let labels = 0;

/** A control with its label in one row. */
export function field(label: string, control: HTMLElement, value?: HTMLElement): HTMLElement {
  control.id ||= `field-${++labels}`;
  return h(
    'div',
    { class: 'field' },
    h('label', { text: label, attributes: { for: control.id } }),
    control,
    ...(value ? [value] : []),
  );
}

/** A part of a panel that can be folded. */
export function section(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  const element = h(
    'details',
    { class: 'section' },
    h('summary', {}, h('h2', { text: title })),
    h('div', { class: 'section-body' }, ...children),
  );
  element.open = open;
  return element;
}

/** Fills a select; keeps what was chosen if it is still there. */
export function fill_select(
  select: HTMLSelectElement,
  choices: readonly { value: string; text: string }[],
): void {
  const chosen = select.value;
  select.replaceChildren(
    ...choices.map(({ value, text }) => h('option', { text, attributes: { value } })),
  );
  if (choices.some(({ value }) => value === chosen)) select.value = chosen;
}

/** A function that calls `call` at most once in `wait_ms`; of several calls in that time the last is made. */
export function throttled<T extends readonly unknown[]>(
  wait_ms: number,
  call: (...args: T) => void,
): (...args: T) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  return (...args) => {
    clearTimeout(timer);
    const wait = last + wait_ms - performance.now();
    if (wait <= 0) {
      last = performance.now();
      call(...args);
    } else {
      timer = setTimeout(() => {
        last = performance.now();
        call(...args);
      }, wait);
    }
  };
}
