// Functions are short enough to be read at one look.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const kMost_lines = 80;

/** Functions with a body that are longer, as "file:line: lines". */
function long_functions(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const line_at = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const first = line_at(node.getStart(source));
      const lines = line_at(node.end) - first + 1;
      if (lines > kMost_lines) found.push(`${file}:${first}: ${lines}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('no function of the page is long', () => {
  const root = path.resolve(import.meta.dirname, '../src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('gen'),
  );
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) =>
    long_functions(file, readFileSync(path.join(root, file), 'utf8')),
  );
  expect(found).toEqual([]);
  const long = `const f = () => {\n${'g();\n'.repeat(kMost_lines)}};`;
  expect(long_functions('f.ts', long)).toEqual([`f.ts:1: ${kMost_lines + 2}`]);
});
