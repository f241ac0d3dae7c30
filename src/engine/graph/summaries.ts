import type { Fact } from '../../core/facts/fact.js'
import { SUMMARIZES } from '../../core/graph/relation-type.js'
import type { Change } from '../../core/journal/change.js'
import { MemoryError } from '../../errors.js'
import { endsBetween, newEdge } from '../edges/relations.js'
import { idOf, type MemoryNode, unknownNode, visibleNodes } from '../entities/nodes.js'
import type { Environment } from '../environment.js'
import { remember } from '../facts/remember.js'
import { MAX_LINKS } from './create-node.js'

/** A fact that summarises others and is linked to each; it gets no automatic links. */
export async function summarise(
  env: Environment,
  actor: string,
  input: { readonly owner: string; readonly factIds: readonly string[]; readonly text: string },
): Promise<Fact> {
  const ids = [...new Set(input.factIds)]
  if (ids.length > MAX_LINKS)
    throw new MemoryError('too_large', `Invalid fact_ids: ${ids.length}, at most ${MAX_LINKS} are allowed`, {
      hint: 'Summarise some of them first, and then the summaries.',
    })
  const sources = await visibleNodes(env, ids, input.owner, env.clock.now())
  const found = new Set(sources.flatMap((node) => (node.kind === 'fact' ? [idOf(node)] : [])))
  for (const id of ids) if (!found.has(id)) throw unknownNode(id)
  const [fact] = await remember(
    env,
    { actor },
    [{ text: input.text, owner: input.owner, metadata: { is_summary: true, source_count: ids.length }, derivedFrom: ids, autoLink: false }],
    (facts, now) =>
      facts.flatMap((summary) =>
        sources.map(
          (source): Change => ({
            op: 'edge.put',
            edge: newEdge(endsBetween(factNode(summary), source, SUMMARIZES, input.owner), {}, now),
          }),
        ),
      ),
  )
  if (fact === undefined) throw new MemoryError('internal', 'The summary was not stored.')
  return fact
}

const factNode = (fact: Fact): MemoryNode => ({ kind: 'fact', fact })
