import { expect, test } from 'vitest';
import { base_path_of } from '../src/net/base_path';

test('what the page asks for is below the path that it was loaded from', () => {
  for (const [address, path] of [
    ['https://example.org/', ''],
    ['https://example.org/?room=lab#invite=1', ''],
    ['https://example.org/sim/a/', '/sim/a'],
    ['https://example.org/sim/a/index.html?scene=one', '/sim/a'],
    ['http://localhost:8080/a/?next=/b/', '/a'],
  ] as const) {
    expect(base_path_of(address)).toBe(path);
  }
});
