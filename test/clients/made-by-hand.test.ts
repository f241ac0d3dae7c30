import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { homeWith, install } from './workbench.js'

describe('repair 14: entry created with the commands of the README', () => {
  it.each([
    ['.cursor/mcp.json', 'cursor', '{"mcpServers":{"mneme":{"command":"mneme","args":["mcp"]}}}'],
    ['.cursor/mcp.json', 'cursor', '{"mcpServers":{"mneme":{"type":"stdio","command":"mneme","args":["mcp"],"env":{}}}}'],
    ['.gemini/settings.json', 'gemini', '{"mcpServers":{"mneme":{"httpUrl":"http://127.0.0.1:7077/mcp"}}}'],
    ['.config/opencode/opencode.json', 'opencode', '{"mcp":{"mneme":{"type":"local","command":["mneme","mcp"],"enabled":true}}}'],
  ])('in %s is taken for its own', async (file, client, content) => {
    const { installer } = homeWith({ [file]: content })
    expect((await install(installer(), { names: [client] })).changes).toMatchObject([{ client, action: 'updated' }])
  })

  it('another server with that name is still rejected', async () => {
    const { installer } = homeWith({ '.cursor/mcp.json': '{"mcpServers":{"mneme":{"command":"docker","args":["run","mneme","mcp"]}}}' })
    expect((await install(installer(), { names: ['cursor'] })).changes).toMatchObject([{ action: 'refused' }])
  })

  it('the data directory is created private with every umask', async () => {
    const { home, installer } = homeWith({ '.cursor/mcp.json': '{}' })
    await install(installer(), { names: ['cursor'] })
    expect(statSync(join(home, '.mneme')).mode & 0o777).toBe(0o700)
  })
})
