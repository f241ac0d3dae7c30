import { defineConfig } from 'vitest/config'

/** The real clients: fetched from npm, hundreds of megabytes, so not a part of `npm test`. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/real-clients/**/*.real.ts'],
    globalSetup: ['test/build-setup.mjs'],
    env: { MNEME_SHARED: 'off' },
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 900_000,
  },
})
