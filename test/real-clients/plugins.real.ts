import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHome, type Home } from './home.js'

// The clients' own validators and installation, offline from this folder.
const ROOT = resolve('.')
let home: Home
beforeAll(() => {
  home = createHome(['claude', 'codex', 'gemini'])
}, 900_000)
afterAll(() => home.remove())

describe('the plugins pass the validators of their clients', () => {
  const cases = [
    { client: 'claude', args: ['plugin', 'validate', ROOT], says: /Validation passed/ },
    { client: 'claude', args: ['plugin', 'validate', resolve('plugins/mneme')], says: /Validation passed/ },
    { client: 'claude', args: ['plugin', 'marketplace', 'add', ROOT], says: /Successfully added marketplace/ },
    { client: 'claude', args: ['plugin', 'install', 'mneme@mneme'], says: /Successfully installed plugin/ },
    { client: 'codex', args: ['plugin', 'marketplace', 'add', ROOT], says: /Added marketplace/ },
    { client: 'codex', args: ['plugin', 'add', 'mneme@mneme'], says: /Added plugin/ },
    { client: 'gemini', args: ['extensions', 'validate', resolve('plugins/gemini')], says: /successfully validated/ },
  ]
  it.for(cases)('$client $args', async ({ client, args, says }, { skip }) => {
    skip(home.missing(client) !== undefined, home.missing(client))
    expect(await home.run(client, args)).toMatch(says)
  })
})
