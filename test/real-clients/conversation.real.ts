import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHome, type Home } from './home.js'
import { type ScriptedModel, startScriptedModel } from './scripted-model.js'

// A decision stated in one real client is in the model requests of the others, in the same project and nowhere else.
const NAMES = ['claude', 'codex', 'gemini', 'opencode'] as const
type Name = (typeof NAMES)[number]

const DECISION = 'We decided to use pnpm, not npm, in this repository.'
const QUESTION = 'Which package manager do we use in this repository, npm or pnpm?'
const DECISION_TEXT = 'We decided to use pnpm, not npm'

let home: Home
let model: ScriptedModel
let widget = ''
let elsewhere = ''
beforeAll(async () => {
  home = createHome(NAMES)
  model = await startScriptedModel()
  widget = home.folder('widget', 'git@github.com:acme/widget.git')
  elsewhere = home.folder('elsewhere', 'git@github.com:acme/elsewhere.git')
  const put = (file: string, content: string): void => {
    mkdirSync(join(home.path, file, '..'), { recursive: true })
    writeFileSync(join(home.path, file), content)
  }
  put('.claude.json', JSON.stringify({ hasCompletedOnboarding: true }))
  put(
    '.codex/config.toml',
    `model = "scripted"\nmodel_provider = "scripted"\n\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${model.url}/v1"\nwire_api = "responses"\nenv_key = "SCRIPTED_KEY"\n`,
  )
  put('.gemini/settings.json', JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }))
  put('.gemini/trustedFolders.json', JSON.stringify({ [widget]: 'TRUST_FOLDER', [elsewhere]: 'TRUST_FOLDER' }))
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'scripted',
    options: { baseURL: `${model.url}/v1`, apiKey: 'x' },
    models: { scripted: { name: 'scripted' } },
  }
  put('.config/opencode/opencode.json', JSON.stringify({ model: 'scripted/scripted', provider: { scripted: provider } }, null, 2))
  expect(home.mneme(['install', '--hooks']).out).toContain('"works":true')
}, 900_000)
afterAll(async () => {
  await model.close()
  home.remove()
})

const START: Readonly<Record<Name, (prompt: string) => readonly string[]>> = {
  claude: (prompt) => ['-p', prompt],
  codex: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', prompt],
  gemini: (prompt) => ['-p', prompt, '--skip-trust'],
  opencode: (prompt) => ['run', prompt],
}

/** The requests of a client's model when a person types the prompt. */
async function ask(
  name: Name,
  prompt: string,
  cwd: string,
): Promise<{ readonly asked: string; readonly calls: number; readonly out: string }> {
  const before = model.asked().length
  const env = {
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'sk-ant-scripted',
    GOOGLE_GEMINI_BASE_URL: model.url,
    GEMINI_API_KEY: 'scripted',
    SCRIPTED_KEY: 'scripted',
  }
  const out = await home.run(name, START[name](prompt), { cwd, env })
  const requested = model.asked().slice(before)
  return { asked: requested.join('\n'), calls: requested.length, out }
}

describe.each(NAMES)('a decision stated in %s', (first) => {
  it('reaches the others in the same project and no other project', async ({ skip }) => {
    skip(home.missing(first) !== undefined, home.missing(first))
    const statement = await ask(first, first === 'claude' ? DECISION_TEXT : `${DECISION} And we use ${first} to say so.`, widget)
    expect(statement.calls, statement.out).toBeGreaterThan(0)
    expect(home.mneme(['list', '--output', 'text']).out).toContain(DECISION_TEXT)
    for (const other of NAMES.filter((name) => name !== first && home.missing(name) === undefined)) {
      const here = await ask(other, QUESTION, widget)
      expect(here.asked.includes(DECISION_TEXT), `${other}: ${here.out}`).toBe(true)
    }
  })

  it('and is absent in another project', async ({ skip }) => {
    skip(home.missing(first) !== undefined, home.missing(first))
    const there = await ask(first, QUESTION, elsewhere)
    expect(there.calls, there.out).toBeGreaterThan(0)
    expect(there.asked).not.toContain(DECISION_TEXT)
  })
})

it('an answer that is over stays over: no client calls its model again because of a hook', async ({ skip }) => {
  skip(home.missing('claude') !== undefined, home.missing('claude'))
  const { calls } = await ask('claude', 'Say hello.', widget)
  expect(calls).toBeLessThanOrEqual(2)
})
