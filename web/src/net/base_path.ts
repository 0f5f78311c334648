// Where a server is one of several below one name, as https://example.org/sim/a/, the page was loaded from below /sim/a,
// and all that it asks for is there, too.

/** The path below which a page at this address was loaded, without its last slash: '' or '/sim/a'. */
export function base_path_of(address: string): string {
  return new URL(address).pathname.replace(/\/[^/]*$/, '');
}

/** That of this page. Workers have the address of their script: they are told it. */
export function base_path(): string {
  return typeof document === 'undefined' ? '' : base_path_of(document.baseURI);
}
