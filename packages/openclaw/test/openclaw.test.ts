import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import plugin from '../src/openclaw.js'
import { TOOL_NAMES } from '../src/tools.js'

it('the manifest describes a memory plugin with the registered id and tools', () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../openclaw.plugin.json', import.meta.url), 'utf8'))
  expect(manifest).toMatchObject({
    id: plugin.id,
    kind: plugin.kind,
    contracts: { tools: TOOL_NAMES },
    configSchema: { additionalProperties: false },
  })
})
