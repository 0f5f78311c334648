import { defineConfig } from 'vite';
import { collectForSbom, sbom } from './scripts/sbom';

// In development the page is served by Vite and the socket and API by a running `promenade serve`.
const server = process.env['PROMENADE_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: './',
  plugins: [sbom()],
  worker: { format: 'es', plugins: () => [collectForSbom()] },
  build: { target: 'es2022', chunkSizeWarningLimit: 1100 },
  server: {
    proxy: {
      '/ws': { target: server, ws: true },
      '/api': { target: server },
    },
  },
});
