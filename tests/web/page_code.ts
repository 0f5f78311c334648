// Code of the page in node, which knows neither its imports without endings nor all of its TypeScript: Vite turns it into
// what node knows.
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const kWeb = path.resolve(import.meta.dirname, '../../web');
const vite = createRequire(path.join(kWeb, 'package.json')).resolve('vite');

/** @param file in web/ */
export async function page_code<Code>(file: string): Promise<Code> {
  const { runnerImport } = (await import(pathToFileURL(vite).href)) as typeof import('vite');
  const options = { root: kWeb, configFile: false, logLevel: 'error' } as const;
  return (await runnerImport<Code>(path.join(kWeb, file), options)).module;
}
