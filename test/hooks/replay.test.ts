import { expect, it } from 'vitest'
import { computeContentKey } from '../../src/core/facts/duplicates.js'
import { secretForms } from '../secrets/forms.js'
import { openDesk } from './conversation.js'
import { KEPT, NOTHING_TO_KEEP } from './labelled-turns.js'

const CONVERSATIONS = 30
const TURNS = 8

/** A day of work: statements that come again in later conversations, secrets, and prompts that hold what was injected before. */
it('a day of 30 conversations leaves no duplicate, no secret and nothing of its own injections', { timeout: 600_000 }, async () => {
  const desk = await openDesk({ capture: 'turns' })
  const secrets = secretForms(7).slice(0, 60)
  expect(secrets).toHaveLength(60)
  for (let n = 0; n < CONVERSATIONS; n++) {
    const at = { session_id: `day-${n}`, cwd: n % 3 === 0 ? desk.other : n % 3 === 1 ? desk.widget : desk.widgetClone }
    let injected = (await desk.hook('SessionStart', at)) ?? ''
    for (let turn = 0; turn < TURNS; turn++) {
      const said = (turn % 2 === 0 ? KEPT[(n * 5 + turn) % KEPT.length] : NOTHING_TO_KEEP[(n * TURNS + turn) % NOTHING_TO_KEEP.length])
        ?.turn
      const secret = secrets[(n * TURNS + turn) % secrets.length]?.text
      // As one client does it: the prompt holds what the hooks have added so far.
      const prompt = `<hook_context>${injected}</hook_context>\n\n${said}\n${turn % 3 === 0 ? secret : ''}`
      const told = await desk.hook('UserPromptSubmit', { ...at, prompt })
      await desk.hook('beforeSubmitPrompt', { conversation_id: at.session_id, workspace_roots: [at.cwd], prompt }, 'cursor')
      injected += told ?? ''
      await desk.hook('PostToolUse', { ...at, tool_name: 'Edit', tool_input: { file_path: `/w/src/part-${turn}.ts` } })
      await desk.hook('PostToolUse', { ...at, tool_name: 'mcp__mneme__recall', tool_input: { query: 'x' }, tool_response: injected })
      await desk.hook('Stop', { ...at, last_assistant_message: `Done with part ${turn}. ${secret}` })
    }
  }
  const facts = await desk.world.backend.store.listFacts({ limit: 10_000, offset: 0 })
  const statements = facts.filter(({ kind, metadata }) => kind !== 'episodic' && typeof metadata.captured === 'string')
  expect(statements.length).toBeGreaterThan(40)
  expect(new Set(statements.map(computeContentKey)).size).toBe(statements.length)
  expect(facts.filter(({ metadata }) => metadata.captured === 'card')).toHaveLength(CONVERSATIONS)
  const turns = facts.filter(({ metadata }) => metadata.captured === 'turn')
  expect(new Set(turns.map((fact) => `${fact.session} ${computeContentKey(fact)}`)).size).toBe(turns.length)
  const all = JSON.stringify(facts)
  expect(secrets.filter(({ secret }) => all.includes(JSON.stringify(secret).slice(1, -1))).map(({ name }) => name)).toEqual([])
  expect(all).not.toMatch(/mneme-memory|hook_context|Where the last work stood|not instructions/)
  await desk.close()
})
