const kLongest = 40;

/**
 * A name as the server wants it (1 to 40 of [a-z0-9_-]), made of the text that the user typed; '' if nothing is
 * left.
 */
export function name_from(title: string): string {
  return title
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, kLongest)
    .replaceAll(/-+$/g, '');
}
