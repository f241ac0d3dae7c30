import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import plugin from '../src/openclaw.js'

it('the manifest describes a memory plugin with the registered id', () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../openclaw.plugin.json', import.meta.url), 'utf8'))
  expect(manifest).toMatchObject({ id: plugin.id, kind: plugin.kind, configSchema: { additionalProperties: false } })
})
