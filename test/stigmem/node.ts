import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { loadConfig } from '../../src/config.js'
import type { Contract } from '../../src/contracts/contract.js'
import { LOCAL_PRINCIPAL, type Principal } from '../../src/core/access/access-filter.js'
import { isJsonObject, type JsonObject } from '../../src/core/encoding/json.js'
import { createEmbeddingPipeline } from '../../src/engine/embedding/embedding-pipeline.js'
import { createEngine, type Engine } from '../../src/engine/engine.js'
import type { Environment } from '../../src/engine/environment.js'
import { type MemoryError, toMemoryError } from '../../src/errors.js'
import { loadContracts, openParts } from '../../src/open.js'
import type { Backend } from '../../src/ports/backend.js'
import { handClock } from '../contract/samples.js'
import { EVENTUALLY } from '../eventually.js'
import { openRam } from '../memory-backend/open.js'

export type Answer = JsonObject

/** The objects of a list in a result. */
export const listIn = (answer: Answer, name: string): readonly JsonObject[] => {
  const list = answer[name]
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** A node with this contract, on a clock set by the test. */
export interface TestNode {
  readonly engine: Engine
  readonly backend: Backend
  readonly environment: Environment
  /** Waits until no card is outdated. */
  settle(): Promise<void>
  readonly clock: ReturnType<typeof handClock>
  call(tool: string, input?: Record<string, unknown>, principal?: Principal): Promise<Answer>
  /** The error of a rejected call. */
  refusal(tool: string, input?: Record<string, unknown>, principal?: Principal): Promise<MemoryError>
  /** Closes it and reopens the same store. */
  restart(): Promise<TestNode>
  close(): Promise<void>
}

export const BACKENDS = ['sqlite', 'ram'] as const

/** A late instant, in the middle of a second. */
const START = 1_790_000_000_123_000

export async function openNode(
  kind: (typeof BACKENDS)[number] = 'sqlite',
  flags: Record<string, unknown> = {},
  { directory, clock }: { readonly directory: string; readonly clock: ReturnType<typeof handClock> } = {
    directory: mkdtempSync(join(tmpdir(), 'mneme-stigmem-')),
    clock: handClock(START),
  },
): Promise<TestNode> {
  const { config } = loadConfig({ flags: { dataDir: directory, embedder: 'hash', ...flags }, env: {} })
  const { environment: configured, backend: opened, code } = await openParts(config, { clock, log: { warn: () => undefined } })
  // No card is late because the machine is busy.
  const statements = { ...configured.settings.statements, cardWaitMs: EVENTUALLY.timeout }
  const environment = { ...configured, settings: { ...configured.settings, statements } }
  const backend = kind === 'ram' ? await openRam({ clock }) : opened
  if (kind === 'ram') await opened.close()
  const { embedder, log } = environment
  const timing = { holder: 'test', forceModel: false, waitMs: 5000 }
  const whole =
    kind === 'ram'
      ? {
          ...{ ...environment, ...backend },
          embedding: createEmbeddingPipeline({ backlog: backend.backlog, jobs: backend.jobs, embedder, clock, log, ...timing }),
        }
      : environment
  const engine = createEngine(whole, backend, code)
  const [contract] = await loadContracts(['stigmem'])
  return {
    ...withCalls(engine, clock, contract),
    engine,
    backend,
    clock,
    environment: whole,
    settle: () => settled(backend),
    restart: async () => {
      await engine.close()
      return openNode(kind, flags, { directory, clock })
    },
    close: () => closeAll(engine, directory),
  }
}

const settled = (backend: Backend): Promise<void> =>
  vi.waitFor(async () => {
    if ((await backend.statements.staleCards({}, 1)).length > 0) throw new Error('a card is still outdated')
  }, EVENTUALLY)

async function closeAll(engine: Engine, directory: string): Promise<void> {
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
}

function withCalls(engine: Engine, clock: ReturnType<typeof handClock>, contract: Contract | undefined) {
  const call = async (tool: string, input: Record<string, unknown> = {}, principal: Principal = LOCAL_PRINCIPAL): Promise<Answer> => {
    const operation = contract?.operations.find((operation) => operation.name === tool)
    if (operation === undefined) throw new Error(`There is no tool ${tool}`)
    clock.set(clock.now() + 1000)
    const statement = { actor: principal.name, connection: 'c', progress: () => undefined }
    const answer = await operation.call({ ...statement, context: engine.context({ principal }) }, input)
    return JSON.parse(JSON.stringify(answer))
  }
  const refusal = (tool: string, input?: Record<string, unknown>, principal?: Principal): Promise<MemoryError> =>
    call(tool, input, principal).then((answer) => {
      throw new Error(`It was answered: ${JSON.stringify(answer)}`)
    }, toMemoryError)
  return { call, refusal }
}

const text = (v: string) => ({ type: 'text', v })

/** The most common statement of the tests. */
export const fact = (entity: string, relation: string, v: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...{ entity, relation, value: text(v), source: 'agent:test', scope: 'company' },
  ...more,
})

export const ref = (entity: string, relation: string, v: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...fact(entity, relation, '', more),
  value: { type: 'ref', v },
})

/** A key with these scopes and gardens of one owner. */
export const keyOf = (input: Partial<Principal> & { readonly owner?: string } = {}, reach: Record<string, unknown> = {}): Principal => {
  const owner = input.owner ?? 'default'
  return {
    ...LOCAL_PRINCIPAL,
    name: `key:${owner}`,
    ...{ proof: 'key', key: `k-${owner}`, owner, entity: 'agent:test', rights: ['read', 'write'] },
    reach: { owners: [{ owner, scopes: 'all', gardens: [], federated: false, ...reach }] },
    ...input,
  }
}
