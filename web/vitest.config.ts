import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/served/**'], // these need a server: vitest.served.config.ts
    environment: 'node',
  },
});
