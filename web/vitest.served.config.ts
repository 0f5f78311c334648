import { defineConfig } from 'vitest/config';

// Tests of the page's code against a real server: npm run test:served, with PROMENADE_BINARY.
export default defineConfig({
  test: {
    include: ['test/served/**/*.test.ts'],
    environment: 'node',
    maxConcurrency: 4, // each test has a server, and waits for it half of the time
    hookTimeout: 60_000,
    retry: 1, // a server may be late on a machine that does other things too; a mistake is there again
  },
});
