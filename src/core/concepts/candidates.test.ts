import { describe, expect, it } from 'vitest'
import { type ConceptText, createConceptCounter } from './candidates.js'
import { skipReason } from './skip-reasons.js'

const text = (segmentId: string, body: string, heading: string | null = null, sourceId = 's'): ConceptText => ({
  ...{ sourceId, segmentId, text: body, heading, objects: [sourceId, 'n'] },
})

const counted = (...texts: readonly ConceptText[]) => {
  const counter = createConceptCounter()
  for (const one of texts) counter.add(one)
  const finishing = counter.finish()
  let step = finishing.next()
  while (step.done !== true) step = finishing.next()
  return step.value
}

describe('concept candidates', () => {
  it('are terms that are said more than once, in several places or as a heading', () => {
    const { candidates, skipped } = counted(
      text('1', 'The Context Pack is built from a `context pack`. A Lonely Phrase stands here.', 'Context Pack'),
      text('2', '# Release Workflow\nThe Release Workflow uses `parseQuery` and `parseQuery`.', 'Release Workflow'),
      text('3', 'See the Current Todo list.\n```\nContext Pack\n```', 'Current Todo'),
      text('4', 'We call `parseQuery` here; Context Pack again.', null, 't'),
    )
    expect(candidates.map(({ title, type }) => [title, type])).toEqual([
      ['Context Pack', 'concept'],
      ['Release Workflow', 'procedure'],
    ])
    const [pack] = candidates
    expect(pack).toMatchObject({
      occurrences: 4,
      support: 2,
      evidence: [
        { source_id: 's', segment_id: '1' },
        { source_id: 't', segment_id: '4' },
      ],
      objects: ['s', 'n', 't'],
      recommendation: 'high',
      signals: { bonuses: ['durable_memory_candidate', 'core_term'], penalties: [], adjustment: 0.14 },
    })
    // 0.28 + 0.04 * 4 + 0.08 * 2 + 0.06 * 2 + 0.14
    expect(pack?.score).toBeCloseTo(0.86, 6)
    expect(pack?.confidence).toBeCloseTo(0.45 + 0.05 * 4 + 0.08 * 2, 6)
    expect(skipped).toContainEqual({ title: 'Current Todo', reason: 'document_artifact', occurrences: 2 })
    expect(skipped).toContainEqual({ title: 'parseQuery', reason: 'weak_term', occurrences: 3 })
  })

  it('of CJK are found, too', () => {
    const { candidates } = counted(text('1', '记忆系统很好。'), text('2', '使用 记忆系统，更好'), text('3', '记忆系统'))
    expect(candidates.map(({ title }) => title)).toEqual(['记忆系统'])
  })
})

it.each([
  ['Table of Contents', 'document_artifact'],
  ['Page 12', 'document_artifact'],
  ['1.2.0', 'document_artifact'],
  ['<placeholder> Text', 'format_marker'],
  ['.md', 'format_marker'],
  ['--flag value', 'format_marker'],
  ['src/core/fact.ts', 'path_fragment'],
  ['Ctrl+C', 'shortcut_marker'],
  ['Add Tests Here', 'action_phrase'],
  ['Data Files', 'generic_term'],
  ['Next Steps', 'temporary_task'],
  ['One Two Three Four Five Six Seven', 'too_long'],
  ['Word', 'weak_term'],
  ['Context Pack', null],
  ['记忆', null],
])('%s: %s', (title, reason) => {
  expect(skipReason(title)).toBe(reason)
})
