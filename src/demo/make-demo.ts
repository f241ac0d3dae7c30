import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.js'
import type { NewFact } from '../core/facts/fact.js'
import { DAY_US } from '../core/facts/lifecycle.js'
import { projectOwner } from '../core/hooks/project.js'
import type { Context } from '../engine/context.js'
import { relate } from '../engine/edges/relations.js'
import { createEntity } from '../engine/entities/create-entity.js'
import { remember } from '../engine/facts/remember.js'
import { replaceFact } from '../engine/facts/replace.js'
import { invalidate } from '../engine/facts/revise.js'
import { MIN_RELEVANCE } from '../engine/hooks/brief.js'
import { recallWithCode } from '../engine/recall/recall-with-code.js'
import { MemoryError } from '../errors.js'
import type { openEngine } from '../open.js'
import { readPhrases, readWorld, readWritten, type Written } from './demo-phrases.js'
import { type InventedFact, inventFacts } from './invent-facts.js'

/** Whom facts belong to that belong to no project. */
const OWNER = 'default'
const HOUR = DAY_US / 24
const DEMO_DAYS = 120

const addresses = new Map(readPhrases().projects.map(({ name, address }) => [name, address]))

function ownerOf(project: string | null): string {
  const address = project === null ? undefined : addresses.get(project)
  return address === undefined ? OWNER : projectOwner(address)
}

const unknown = (id: string): MemoryError => new MemoryError('internal', `The example memory ${id} is missing.`)

type PlannedFact = (Written | InventedFact) & { readonly at: number }

interface DemoOptions {
  readonly config: Config
  readonly open: typeof openEngine
  /** A folder that does not exist yet, for a small repository. */
  readonly repository: string
  report(message: string): void
  /** The instant that dates count back from; now unless given. */
  readonly until?: number
}

interface Step {
  readonly at: number
  readonly run: () => Promise<void>
}

/**
 * Fills an empty store with about 2,000 example memories, in the order of four months. They are the same on every run but
 * for their dates, which count back from an instant.
 */
export async function makeDemo({ config, open, repository, report: tell, until = Date.now() * 1000 }: DemoOptions): Promise<void> {
  let now = until - DEMO_DAYS * DAY_US
  let lastId = 0
  const engine = await open(
    { ...config, embedder: config.embedder === 'local' ? 'none' : config.embedder },
    { clock: { now: () => now++ }, ids: { mint: () => `demo${String(++lastId).padStart(6, '0')}` } },
  )
  try {
    const context = engine.context()
    await addEntities(context)
    const written = readWritten()
    const facts: PlannedFact[] = [
      ...inventFacts(DEMO_DAYS).map((fact) => ({ ...fact, at: until - fact.daysAgo * DAY_US - fact.hour * HOUR })),
      ...written.map((fact, place) => ({ ...fact, at: until - fact.daysAgo * DAY_US - (written.length - place) * (HOUR / 6) - HOUR })),
    ]
    const stored = new Map<string, string>()
    const plain = new Map<string, PlannedFact[]>()
    for (const fact of facts) {
      if (fact.replaces !== undefined || fact.status !== undefined) continue
      const key = `${fact.daysAgo} ${fact.client}`
      plain.set(key, [...(plain.get(key) ?? []), fact])
    }
    const apart = facts.filter(({ replaces, status }) => replaces !== undefined || status !== undefined)
    const steps: Step[] = [
      // What one client learned on one day is stored together: two thousand commits would take a while.
      ...[...plain.values()].map((group) => ({
        at: Math.min(...group.map(({ at }) => at)),
        run: () => storeTogether(context, group, until, stored),
      })),
      ...apart.map((fact) => ({ at: fact.at, run: () => storeTogether(context, [fact], until, stored) })),
      ...facts.flatMap((fact) =>
        fact.endedDaysAgo === undefined
          ? []
          : [{ at: until - fact.endedDaysAgo * DAY_US - HOUR / 2, run: () => end(context, fact, stored) }],
      ),
    ]
    for (const [place, { at, run }] of steps.sort((a, b) => a.at - b.at).entries()) {
      now = Math.max(now, Math.round(at))
      await run()
      if (place % 500 === 499) tell(`${place + 1} changes`)
    }
    now = Math.max(now, until - HOUR / 4)
    await addDeliveries(context, until)
    await addRepository(context, repository)
    tell(`${facts.length} memories in three projects`)
  } finally {
    await engine.close()
  }
}

/** Stores facts of one client in one commit; one that replaces another is alone. */
async function storeTogether(context: Context, facts: readonly PlannedFact[], until: number, stored: Map<string, string>): Promise<void> {
  const [first] = facts
  if (first === undefined) return
  const writer = { actor: first.status === undefined ? first.client : `hook:${first.client}` }
  const replaced = first.replaces === undefined ? undefined : stored.get(first.replaces)
  const made =
    replaced === undefined
      ? await remember(
          context,
          writer,
          facts.map((fact) => toNewFact(fact, until)),
        )
      : [await replaceFact(context, writer, { ...toNewFact(first, until), supersedes: replaced }, { unknown })]
  for (const { text, id } of made) stored.set(text, id)
}

function toNewFact(fact: PlannedFact, until: number): NewFact {
  const { text, project, kind, author, client, reason, subject, predicate, session, status } = fact
  return {
    ...{ text, kind, owner: ownerOf(project), ...(author === null ? {} : { author }), ...(reason === undefined ? {} : { reason }) },
    ...(subject === undefined ? {} : { subject }),
    ...(predicate === undefined ? {} : { predicate }),
    ...(session === undefined ? {} : { session }),
    ...(status === undefined ? {} : { status, metadata: { captured: 'remember', client } }),
    ...('isFirst' in fact && !fact.isFirst ? { autoLink: false } : {}),
    ...(fact.trueDaysAgo === undefined ? {} : { validFrom: Math.round(until - fact.trueDaysAgo * DAY_US) }),
  }
}

async function end(context: Context, { text, client }: PlannedFact, stored: ReadonlyMap<string, string>): Promise<void> {
  const id = stored.get(text)
  if (id !== undefined) await invalidate(context, client, { id, reason: 'it is over' }, { unknown })
}

async function addEntities(context: Context): Promise<void> {
  const { entities, relations } = readWorld()
  for (const { name, type, aliases, project, description } of entities)
    await createEntity(context, 'claude-code', {
      ...{ name, type, aliases, owner: ownerOf(project) },
      ...(description === null ? {} : { description }),
    })
  for (const [from, type, to] of relations)
    await relate(context, 'claude-code', { from, to, type, owner: ownerOf('atlas-api'), weight: 1 }, { unknown })
}

async function addDeliveries(context: Context, until: number): Promise<void> {
  const { deliveries, ids, signal, settings } = context
  const made = []
  for (const { id, client, project, hoursAgo, prompts } of readWorld().conversations) {
    for (const [place, question] of prompts.entries()) {
      const owner = ownerOf(project)
      const found = await recallWithCode(context, {
        text: question,
        owner,
        limit: 3,
        effort: 'fast',
        memories: true,
        recipe: settings.recipe,
        signal,
      })
      const facts = found.results.flatMap(({ memory, relevance }) =>
        memory === undefined || relevance < MIN_RELEVANCE ? [] : [{ id: memory.fact.id, relevance }],
      )
      made.push({
        ...{ id: ids.mint(), at: Math.round(until - hoursAgo * HOUR + place * (HOUR / 8)), owner, client, conversation: id, question },
        ...{ kind: 'prompt' as const, confidence: found.confidence, facts },
      })
    }
  }
  await deliveries.record(made, { since: 0, most: 1000 })
}

const SAMPLE: Readonly<Record<string, string>> = {
  'src/retry.ts': `/** Calls again after a while, a few times. */
export async function retry<T>(call: () => Promise<T>, { tries = 3, wait = (n: number) => 2 ** n * 250 } = {}): Promise<T> {
  for (let n = 0; ; n++) {
    try {
      return await call()
    } catch (failure) {
      if (n + 1 >= tries) throw failure
      await new Promise((done) => setTimeout(done, wait(n)))
    }
  }
}
`,
  'src/rounding.ts': `/** Invoices are rounded per line. */
const roundLine = (amount: number): number => Math.round(amount * 100) / 100

export const totalOf = (lines: readonly number[]): number => lines.map(roundLine).reduce((sum, line) => sum + line, 0)
`,
  'src/server.ts': `import { retry } from './retry.js'

export const PORT = 8443
export const HEALTH_PORT = 8080

export const order = (id: string): Promise<Response> => retry(() => fetch(\`https://orders/\${id}\`))
`,
  'README.md': '# atlas-api\n\nOrders, checkout and invoices. Listens on 8443.\n',
}

/** A small repository, so that code can be searched as well. */
async function addRepository(context: Context, root: string): Promise<void> {
  for (const [path, text] of Object.entries(SAMPLE)) {
    const file = join(root, path)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, text)
  }
  const { services, signal } = context
  await services.code.index({ owner: OWNER, path: root, actor: 'claude-code', signal, progress: () => undefined })
}
