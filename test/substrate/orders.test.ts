import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { openWorld } from '../graph/world.js'
import { runs } from '../runs.js'
import { PROGRAM } from '../wire/program.js'
import { KNOWLEDGE, openSubstrate } from './bench.js'

const RUNS = runs(5, 12)

/** A claim and its scopes. */
interface Claim {
  readonly subject: number
  readonly value: number
  readonly scopes: readonly string[]
}

const claim: fc.Arbitrary<Claim> = fc.record({
  subject: fc.nat(1),
  value: fc.nat(2),
  scopes: fc.subarray(['scope:a', 'scope:b'], { minLength: 1 }),
})

const inputOf = ({ subject, value, scopes }: Claim) => ({
  ...KNOWLEDGE,
  payload: { subject: `node:${subject}`, predicate: 'is', value },
  scope_refs: scopes,
})

interface Outcome {
  /** The claim's status; rejected ones have none. */
  readonly status: 'active' | 'contested' | 'refused'
  /** Claims that it duplicates or contests, by position. */
  readonly rivals: readonly number[]
}

const meet = (a: Claim, b: Claim): boolean => a.subject === b.subject && a.scopes.some((scope) => b.scopes.includes(scope))

/** The expected outcome of consecutive claims. */
function expected(claims: readonly Claim[]): readonly Outcome[] {
  const outcomes: Outcome[] = []
  for (const [index, claim] of claims.entries()) {
    const standing = claims
      .slice(0, index)
      .flatMap((other, i) => (outcomes[i]?.status !== 'refused' && meet(claim, other) ? [{ other, i }] : []))
    const same = standing.filter(({ other }) => other.value === claim.value).map(({ i }) => i)
    const different = standing.filter(({ other }) => other.value !== claim.value).map(({ i }) => i)
    if (same.length > 0) outcomes.push({ status: 'refused', rivals: same })
    else outcomes.push({ status: different.length > 0 ? 'contested' : 'active', rivals: different })
  }
  return outcomes
}

const written = z.object({ knowledge_id: z.string(), status: z.enum(['active', 'contested']), conflicts_with: z.array(z.string()) })

it('claims are rejected or contested by earlier ones, in any order and from either of two processes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(claim, { minLength: 3, maxLength: 8 }).chain((claims) => fc.shuffledSubarray(claims, { minLength: claims.length })),
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      async (claims, turns) => {
        const substrate = await openSubstrate({ embedder: 'none' })
        const { directory, clock } = substrate.world
        const other = await openWorld({ embedder: 'none' }, { directory, clock })
        try {
          const ids: string[] = []
          const outcomes: Outcome[] = []
          for (const [index, claim] of claims.entries()) {
            const args = { mode: 'knowledge', input_data: inputOf(claim) }
            const { call } = turns[index] === true ? other : substrate.world
            const placesOf = (known: readonly string[]): readonly number[] => known.map((id) => ids.indexOf(id)).sort((a, b) => a - b)
            try {
              const answer = written.parse(await call('substrate/memory_remember', { args }))
              ids.push(answer.knowledge_id)
              outcomes.push({ status: answer.status, rivals: placesOf(answer.conflicts_with) })
            } catch (failure) {
              const [, named = ''] = /^duplicate knowledge exists: (.*)$/u.exec(failure instanceof Error ? failure.message : '') ?? []
              ids.push(`refused ${index}`)
              outcomes.push({ status: 'refused', rivals: placesOf(named.split(', ')) })
            }
          }
          expect(outcomes).toEqual(expected(claims))
        } finally {
          await other.close()
          await substrate.close()
        }
      },
    ),
    { numRuns: RUNS },
  )
})

it('two processes with the same claims in different orders: each is stored once, and every contradiction is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-orders-'))
  const args = [PROGRAM, 'mcp', '--profile', 'substrate', '--data-dir', folder, '--embedder', 'none']
  const clients = await Promise.all(
    [1, 2].map(async (number) => {
      const client = new Client({ name: `writer ${number}`, version: '0' })
      await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { MNEME_SHARED: 'off' }, stderr: 'ignore' }))
      return client
    }),
  )
  try {
    const claims: Claim[] = [0, 1, 2].flatMap((subject) => [0, 1, 2].map((value) => ({ subject, value, scopes: ['scope:a'] })))
    const say = async (client: Client, list: readonly Claim[]): Promise<number> => {
      let taken = 0
      for (const claim of list) {
        const answer = await client.callTool({
          name: 'memory_remember',
          arguments: { args: { mode: 'knowledge', input_data: inputOf(claim) } },
        })
        if (answer.isError === true) expect(JSON.stringify(answer.content)).toContain('duplicate knowledge exists: know:')
        else taken++
      }
      return taken
    }
    const [first, second] = clients
    if (first === undefined || second === undefined) throw new Error('There are not two.')
    const taken = await Promise.all([say(first, claims), say(second, [...claims].reverse())])
    expect(taken[0] + taken[1]).toBe(claims.length)
    const found = await first.callTool({
      name: 'memory_query',
      arguments: { args: { mode: 'recent', input_data: {}, options: { max_items: 50, filters: { object_type: 'knowledge' } } } },
    })
    const { items } = z
      .object({ data: z.object({ items: z.array(z.object({ id: z.string(), status: z.string() })) }) })
      .parse(found.structuredContent).data
    expect(items.map(({ status }) => status).sort()).toEqual([...Array(3).fill('active'), ...Array(6).fill('contested')])
  } finally {
    await Promise.all(clients.map((client) => client.close()))
    rmSync(folder, { recursive: true, force: true })
  }
})
