// Whether the picture shows that it has the focus. Browsers draw a ring after any key, also where the pointer chose the
// picture; here it is for visitors who come with Tab, until they use the pointer.

/** Marks `element` with data-key-focus while the focus that came by Tab is on it. */
export function mark_key_focus(element: HTMLElement): void {
  let by_tab = false;
  const options = { capture: true };
  window.addEventListener('keydown', ({ key }) => (by_tab = key === 'Tab'), options);
  window.addEventListener(
    'pointerdown',
    () => {
      by_tab = false;
      delete element.dataset['keyFocus'];
    },
    options,
  );
  element.addEventListener('focus', () => {
    if (by_tab) element.dataset['keyFocus'] = '';
  });
  element.addEventListener('blur', () => delete element.dataset['keyFocus']);
}
