import { loadConfig } from '../../src/config.js'
import { LOCAL_PRINCIPAL } from '../../src/contracts/operation.js'
import { completeFact, type Fact } from '../../src/core/facts/fact.js'
import type { Change } from '../../src/core/journal/change.js'
import { toStatementText } from '../../src/core/statements/statement.js'
import { createGarden } from '../../src/engine/access/gardens.js'
import { createKey } from '../../src/engine/access/keys.js'
import { createEngine } from '../../src/engine/engine.js'
import { openParts } from '../../src/open.js'

const WORDS = ['harbour', 'pier', 'crane', 'office', 'ferry', 'tide', 'cargo', 'pilot', 'dock', 'storm']
const BATCH_SIZE = 1000

function aStatement(number: number, garden: string | null, now: number): Fact {
  const words = Array.from({ length: 8 }, (_, i) => WORDS[(number * (i + 3) + i) % WORDS.length]).join(' ')
  const statement = {
    entity: `user:p${number % 2000}`,
    relation: `memory:r${number % 7}`,
    value: { type: 'text', v: `${words} ${number}` },
  } as const
  const common = {
    ...{
      id: crypto.randomUUID(),
      owner: 'acme',
      text: toStatementText(statement),
      kind: 'semantic',
      title: null,
      subject: statement.entity,
    },
    ...{
      predicate: statement.relation,
      value: statement.value.v,
      author: null,
      session: null,
      date: null,
      scope: 'company' as const,
      garden,
    },
    ...{ status: 'active' as const, confidence: 1, importance: 1, source: `agent:s${number}`, reason: null },
    ...{ eventAt: Math.floor(now / 1000) * 1000, validFrom: now, validUntil: null, recordedAt: now, updatedAt: now, expiresAt: null },
    ...{ ttlDays: null, supersededBy: null, derivedFrom: [], metadata: {}, autoLink: false, dedupAt: null, version: 1 },
  }
  return completeFact(common, { valueType: 'text', assertedConfidence: 1 })
}

/** Distributes facts with vectors over gardens. Returns a key that can read some of the gardens. */
export async function fillGardens(
  directory: string,
  { facts, gardens, readable }: { readonly facts: number; readonly gardens: number; readonly readable: number },
): Promise<string> {
  const { config } = loadConfig({ flags: { dataDir: directory, embedder: 'hash', logLevel: 'error' }, env: {} })
  const { environment, backend, code } = await openParts(config)
  const engine = createEngine(environment, backend, code)
  const caller = { principal: { ...LOCAL_PRINCIPAL, owner: 'acme' }, actor: 'bench' }
  for (let i = 0; i < gardens; i++)
    await createGarden(engine.context(), caller, { slug: `g${i}`, name: `g${i}`, scope: 'company', description: null, quarantine: false })
  for (let from = 0; from < facts; from += BATCH_SIZE)
    await environment.store.commit({ actor: 'bench', owners: ['acme'] }, (now) =>
      Array.from({ length: Math.min(BATCH_SIZE, facts - from) }, (_, i): Change => {
        const number = from + i
        return { op: 'fact.put', fact: aStatement(number, gardens === 0 ? null : `g${number % gardens}`, now) }
      }),
    )
  environment.embedding.drain()
  while ((await environment.backlog.pending('facts')) > 0) await new Promise((resolve) => setTimeout(resolve, 200))
  const roles = Object.fromEntries(Array.from({ length: readable }, (_, i) => [`g${i}`, 'reader' as const]))
  const { key } = await createKey(
    engine.context(),
    { actor: 'bench', principal: LOCAL_PRINCIPAL },
    { owner: 'acme', entity: 'agent:bench', gardens: roles, rights: ['read', 'write'] },
  )
  await engine.close()
  return key
}
