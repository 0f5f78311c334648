import { defineConfig } from 'vite';
import { collectForSbom, sbom } from './scripts/sbom';

// In development the page is served by Vite and the socket and API by a running `promenade serve`.
const server = process.env['PROMENADE_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: './',
  plugins: [sbom()],
  worker: { format: 'es', plugins: () => [collectForSbom()] },
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 1100,
    modulePreload: {
      // Browsers without modulepreload load the same files a little later: no code for them in the first view.
      polyfill: false,
      // Nor the names of what later parts need: those come when the browser has time, one after the other.
      resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
    },
  },
  server: {
    proxy: {
      '/ws': { target: server, ws: true },
      '/api': { target: server },
    },
  },
});
