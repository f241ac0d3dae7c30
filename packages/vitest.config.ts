import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url))

/** Real frameworks with scripted models: `npm run test:integrations`. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: { alias: { 'mneme/client': source('client/connect.ts'), mneme: source('library.ts') } },
  test: {
    environment: 'node',
    include: ['*/test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { MNEME_CHECK_ANSWERS: '1', MEM0_TELEMETRY: 'false', ADK_DISABLE_TELEMETRY: 'true' },
  },
})
