import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { HeavyFirst } from './test/heavy-first.js'

export default defineConfig({
  // Adapters import the client as their users do.
  resolve: { alias: { 'mneme/client': fileURLToPath(new URL('src/client/connect.ts', import.meta.url)) } },
  test: {
    environment: 'node',
    globalSetup: ['test/build-setup.mjs', 'test/postgres-setup.mjs'],
    // An answer that its schema does not allow fails the call, here and in every process that a test starts.
    // Tests of the shared process turn it on; any other must leave no process behind.
    env: { MNEME_CHECK_ANSWERS: '1', MNEME_SHARED: 'off' },
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: HeavyFirst },
    // They end a test that hangs. How long anything takes is for the benches: tests pass on a busy machine too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      // Tests next to their module start no program, so they share a process and the modules it has loaded.
      { extends: true, test: { name: 'src', include: ['src/**/*.test.ts'], isolate: false } },
      { extends: true, test: { name: 'test', include: ['test/**/*.test.ts'] } },
    ],
  },
})
