import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import plugin from '../src/openclaw.js'

it('the plugin is described as a memory under the name it registers', () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../openclaw.plugin.json', import.meta.url), 'utf8'))
  expect(manifest).toMatchObject({ id: plugin.id, kind: plugin.kind, configSchema: { additionalProperties: false } })
})
