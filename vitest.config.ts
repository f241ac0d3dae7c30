import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/build-setup.mjs'],
    pool: 'forks',
    maxWorkers: 2,
    // They end a test that hangs. How long anything takes is for the benches: tests pass on a busy machine too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
