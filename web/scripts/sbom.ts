// A software bill of materials (CycloneDX 1.5) of the packages whose code the page holds, written as
// sbom.cdx.json beside it. Packages that only build the page are no part of it.
import { readFileSync } from 'node:fs';
import type { Plugin, Rollup } from 'vite';

const held = new Map<string, { version: string; license: string }>();

function collect(context: Rollup.PluginContext): void {
  for (const id of context.getModuleIds()) {
    const found = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id.replace(/^\0/, ''));
    if (!found?.[1] || !found[2]) continue;
    held.set(found[2], JSON.parse(readFileSync(`${found[1]}/package.json`, 'utf8')));
  }
}

/** For a worker's bundle, which is made before the page's. */
export function collectForSbom(): Plugin {
  return {
    name: 'sbom-of-worker',
    generateBundle() {
      collect(this);
    },
  };
}

/** For the page's bundle. */
export function sbom(): Plugin {
  return {
    name: 'sbom',
    generateBundle() {
      collect(this);
      const components = [...held].sort().map(([name, { version, license }]) => {
        const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
        const licenses = [{ expression: license }];
        return { type: 'library', 'bom-ref': purl, name, version, purl, licenses };
      });
      const bill = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components };
      const source = `${JSON.stringify(bill, null, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: 'sbom.cdx.json', source });
    },
  };
}
