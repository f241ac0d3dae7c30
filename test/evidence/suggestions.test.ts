import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { conceptReport } from '../../src/contracts/substrate/concept-answers.js'
import { substrate } from '../../src/contracts/substrate/contract.js'
import { conceptsOfOwner } from '../../src/engine/substrate/concepts/source-concepts.js'
import type { Opened } from '../opened.js'
import { openEvidence, removeTemporaryFolders, temporaryFolder } from './workbench.js'

let world: Opened
afterEach(async () => world?.engine.close())
afterAll(removeTemporaryFolders)

async function call(tool: string, mode: string, input_data: unknown): Promise<Record<string, unknown>> {
  const operation = substrate.operations.find(({ name }) => name === tool)
  const caller = {
    context: world.engine.context(),
    actor: 'test',
    connection: 'test',

    progress: () => undefined,
  }
  return { ...(await operation?.call(caller, { args: { mode, input_data } })) }
}

const GUIDE = `# Guide

The Context Pack is what an agent reads first. Press Ctrl+C to stop.

## Context Pack

A Context Pack holds \`context pack\` items. See the Table of Contents.

## Current Todo

- Table of Contents
`

it('an ingest suggests repeated terms compactly; the report returns input for memory_remember', async () => {
  world = await openEvidence()
  const path = join(temporaryFolder('concepts'), 'guide.md')
  writeFileSync(path, GUIDE)
  const answer = await call('memory_ingest', 'markdown', { path })
  expect(answer).toMatchObject({
    result_type: 'source_ingest_result',
    status: 'completed',
    segment_count: 3,
    memory_suggestions: {
      concept_candidates: [
        {
          kind: 'concept_candidate',
          detail: 'compact',
          candidate_type: 'concept',
          title: 'Context Pack',
          occurrences: 4,
          ranking_signals: { bonuses: ['durable_memory_candidate', 'core_term'], penalties: [], score_adjustment: 0.14 },
          evidence_refs: [
            { source_id: answer.source_id, segment_id: '1-guide' },
            { source_id: answer.source_id, segment_id: '2-context-pack' },
          ],
          evidence_ref_count: 2,
          object_ref_count: 2,
          suggested_memory: {
            mode: 'knowledge',
            kind: 'concept',
            status: 'candidate',
            input_data_available_from: 'memory_maintain report',
          },
          omitted_fields: ['object_refs', 'suggested_memory.input_data', 'review_guidance.outcomes'],
        },
      ],
      candidate_diagnostics: {
        skipped: expect.arrayContaining([{ title: 'Current Todo', reason: 'document_artifact', occurrences: 1 }]),
        counts: { eligible: 1, returned: 1 },
      },
      counts: { concept_candidates: 1, concept_candidates_available: 1 },
      next_actions: [
        'review_concept_candidates',
        'run_memory_maintain_report_for_cross_source_candidates',
        'call_memory_remember_if_durable',
      ],
    },
  })
  const report = conceptReport(await conceptsOfOwner(world.engine.context(), 'default'), () => ['scope:project'])
  const skeleton = report.concept_candidates[0]?.suggested_memory.input_data
  expect(await call('memory_remember', 'knowledge', skeleton)).toMatchObject({ status: 'candidate', object_type: 'knowledge' })
  // An existing concept is not suggested again.
  const again = await call('memory_ingest', 'markdown', { path })
  expect(again).toMatchObject({ status: 'noop', memory_suggestions: { concept_candidates: [] } })
})

const ingested = z.object({
  source_id: z.string(),
  memory_suggestions: z.object({ concept_candidates: z.array(z.record(z.string(), z.unknown())) }),
})

it('repair 6: a compact candidate has exactly the fields of the document, and the report suggests the scopes of its evidence', async () => {
  world = await openEvidence()
  const path = join(temporaryFolder('concepts'), 'guide.md')
  writeFileSync(path, GUIDE)
  const { source_id, memory_suggestions } = ingested.parse(await call('memory_ingest', 'markdown', { path }))
  expect(Object.keys(memory_suggestions.concept_candidates[0] ?? {}).sort()).toEqual(
    [
      ...['kind', 'detail', 'candidate_type', 'title', 'score', 'occurrences', 'ranking_signals', 'evidence_refs', 'evidence_ref_count'],
      ...['object_ref_count', 'suggested_memory', 'review_guidance', 'omitted_fields', 'next_actions'],
    ].sort(),
  )
  const suggested = async () => {
    const { data } = z
      .object({
        data: z.object({
          concept_candidates: z.array(
            z.object({ suggested_memory: z.object({ input_data: z.object({ scope_refs: z.array(z.string()) }) }) }),
          ),
        }),
      })
      .parse(await call('memory_maintain', 'report', {}))
    return data.concept_candidates[0]?.suggested_memory.input_data.scope_refs
  }
  expect(await suggested()).toEqual(['scope:global'])
  await call('memory_remember', 'knowledge', {
    ...{
      kind: 'fact',
      title: 'The guide describes the harbour',
      summary: 'It lists the boats.',
      reason: 'read',
      memory_source: 'user_declared',
    },
    scope_refs: ['scope:harbour'],
    evidence_refs: [{ source_id, segment_id: '1-guide' }],
  })
  expect(await suggested()).toEqual(['scope:harbour'])
})
