import { MemoryError } from '../../../errors.js'
import { isBlank } from '../../input/input.js'
import type { KnowledgeStatus } from '../objects/objects.js'

/** How knowledge came to be known. */
export const ORIGINS = ['user_declared', 'human_curated', 'agent_inferred', 'system_generated', 'imported'] as const
export type Origin = (typeof ORIGINS)[number]

/** Origins that need no evidence. */
const PERSONAL_ORIGINS: readonly string[] = ['user_declared', 'human_curated']

export const isPersonal = (origin: string | null): boolean => origin !== null && PERSONAL_ORIGINS.includes(origin)

const isOrigin = (word: string): word is Origin => ORIGINS.some((value) => value === word)

/** Status of knowledge that is stored without one. */
export const defaultStatus = (origin: string): KnowledgeStatus => (isPersonal(origin) ? 'active' : 'candidate')

export interface Governance {
  readonly reason: string
  readonly origin: string
  readonly scopes: readonly string[]
}

const refused = (message: string): MemoryError => new MemoryError('invalid_input', message)

/** Every object needs a reason, an origin and a scope. */
export function checkGovernance({ reason, origin, scopes }: Governance): void {
  if (isBlank(reason)) throw refused('remember request requires reason')
  if (!isOrigin(origin)) throw refused(`remember request has unsupported memory_source: ${origin.slice(0, 100)}`)
  if (scopes.length === 0 || scopes.some(isBlank)) throw refused('remember request requires scope_refs')
}

/** Inferred knowledge is a candidate until reviewed; active knowledge needs evidence or a declaration by a person. */
export function governedStatus(query: KnowledgeStatus, origin: string, evidence: number): KnowledgeStatus {
  const status = origin === 'agent_inferred' && query === 'active' ? 'candidate' : query
  if (status === 'active' && evidence === 0 && !isPersonal(origin))
    throw refused('active knowledge requires evidence_refs unless user-declared or human-curated')
  return status
}
