import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.js'

/** npm run test:postgres: tests that know nothing of the database, with one on a server in the place of each file. */
export default mergeConfig(base, defineConfig({ test: { setupFiles: ['test/postgres/everywhere/setup.ts'] } }))
