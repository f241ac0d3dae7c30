import type { IdPrefix } from '../../evidence/object-id.js'
import type { Fact, FactStatus } from '../../facts/fact.js'
import { isBlank } from '../../input/input.js'

const OBJECT_TYPES = ['source', 'node', 'knowledge', 'activity', 'work_item'] as const
export type ObjectType = (typeof OBJECT_TYPES)[number]
/** Object types of facts. */
export type FactType = 'knowledge' | 'activity' | 'work_item'

/** A fact of any contract is knowledge, unless its form is an activity or work item. */
export const factTypeOf = ({ form }: Pick<Fact, 'form'>): FactType => (form === 'activity' || form === 'work_item' ? form : 'knowledge')

export const ID_PREFIXES: Readonly<Record<ObjectType, IdPrefix>> = {
  source: 'src',
  node: 'node',
  knowledge: 'know',
  activity: 'act',
  work_item: 'work',
}

/** The type in an id's prefix; undefined for ids of other contracts. */
export function typeOfId(id: string): ObjectType | undefined {
  const prefix = id.slice(0, Math.max(0, id.indexOf(':')))
  return OBJECT_TYPES.find((type) => ID_PREFIXES[type] === prefix)
}

/** Statuses of governed knowledge. Facts that ended through another contract have one of the last two. */
export const KNOWLEDGE_STATUSES = ['candidate', 'active', 'contested', 'stale', 'superseded', 'archived'] as const
export type KnowledgeStatus = (typeof KNOWLEDGE_STATUSES)[number]

const STATUS_NAMES: Readonly<Record<FactStatus, KnowledgeStatus>> = {
  candidate: 'candidate',
  active: 'active',
  contested: 'contested',
  stale: 'stale',
  outdated: 'superseded',
  superseded: 'superseded',
  retracted: 'archived',
  archived: 'archived',
}

export const knowledgeStatus = ({ status }: Pick<Fact, 'status'>): KnowledgeStatus => STATUS_NAMES[status]

export const ACTIVITY_STATUSES = ['draft', 'finalized', 'archived'] as const
export const WORK_ITEM_STATUSES = ['open', 'in_progress', 'blocked', 'resolved', 'closed', 'cancelled'] as const

/** The published status of a fact: its stage if it has one, unless it has ended. */
export function objectStatus(fact: Pick<Fact, 'form' | 'stage' | 'status'>): string {
  const type = factTypeOf(fact)
  if (type === 'knowledge') return knowledgeStatus(fact)
  const life = knowledgeStatus(fact)
  if (type === 'activity') return life === 'archived' || life === 'superseded' ? life : (fact.stage ?? 'finalized')
  return fact.stage ?? 'open'
}

const MAX_TITLE_CHARS = 80

/** The title, or the first words of a fact without one. */
export function titleOf({ title, text }: Pick<Fact, 'title' | 'text'>): string {
  if (title !== null && !isBlank(title)) return title
  const line = text.trim().split('\n', 1)[0]?.trim() ?? ''
  return line.length > MAX_TITLE_CHARS ? `${line.slice(0, MAX_TITLE_CHARS - 3).trimEnd()}...` : line
}
