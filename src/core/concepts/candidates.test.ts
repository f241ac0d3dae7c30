import { describe, expect, it } from 'vitest'
import { type ConceptText, createConceptCounter } from './candidates.js'
import { skipReason } from './skip-reasons.js'

const text = (segmentId: string, body: string, heading: string | null = null, sourceId = 's'): ConceptText => ({
  ...{ sourceId, segmentId, text: body, heading, objects: [sourceId, 'n'] },
})

const counted = (...texts: readonly ConceptText[]) => {
  const counter = createConceptCounter()
  for (const text of texts) counter.add(text)
  const finishing = counter.finish()
  let step = finishing.next()
  while (step.done !== true) step = finishing.next()
  return step.value
}

describe('concept candidates', () => {
  it('are terms that occur more than once, in several places or as a heading', () => {
    const { candidates, skipped } = counted(
      text('1', 'The Context Pack is built from a `context pack`. A Lonely Phrase is here.', 'Context Pack'),
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

  it('require more than one place if no heading contains them', () => {
    const { candidates } = counted(text('1', 'Twice Here and Twice Here.'), text('2', 'Nothing.', 'Single Heading'))
    expect(candidates).toEqual([])
  })

  it('are ordered by score, then by frequency, then by name', () => {
    const say = (...terms: readonly (readonly [title: string, times: number])[]): string =>
      terms.map(([title, times]) => Array.from({ length: times }, () => title).join('. ')).join('. ')
    const each = say(['Lower One', 1], ['Zeta Two', 2], ['Yota Two', 2], ['Beta Three', 2])
    const { candidates, skipped } = counted(
      text('1', `${each}. Beta Three. Data Files. Next Steps. Api Tests`),
      text('2', `${each}. Data Files. Next Steps. Next Steps. Api Tests`),
      text('3', each, null, 't'),
    )
    expect(candidates.map(({ title }) => title)).toEqual(['Beta Three', 'Yota Two', 'Zeta Two', 'Lower One'])
    expect(skipped.map(({ title }) => title)).toEqual(['Next Steps', 'Api Tests', 'Data Files'])
  })

  it('have a type that raises or lowers their score', () => {
    const output =
      'Visual Studio. `@vitest runner`. `记忆`. `evidence pack`. `parseQuery call`. Release Policy. Docker Redis. 知识. `知识`. Api 2'
    const { candidates } = counted(text('1', output), text('2', `${output}. Docker Redis`), text('3', 'Docker Redis', null, 't'))
    const result = new Map(candidates.map(({ title, type, recommendation, signals }) => [title, [type, recommendation, signals.penalties]]))
    expect(Object.fromEntries(result)).toEqual({
      'Visual Studio': ['tool_library', 'low', ['tool_or_library', 'single_scope_tool']],
      '@vitest runner': ['tool_library', 'low', ['tool_or_library', 'single_scope_tool']],
      'Docker Redis': ['tool_library', 'low', ['tool_or_library']],
      记忆: ['implementation_detail', 'low', ['implementation_detail']],
      'parseQuery call': ['implementation_detail', 'low', ['implementation_detail']],
      'evidence pack': ['concept', 'high', []],
      知识: ['concept', 'high', []],
      'Release Policy': ['decision', 'high', []],
    })
  })

  it('that are rare are at most worth a review', () => {
    const { candidates } = counted(text('1', 'A Quiet Phrase.', 'Quiet Phrase'))
    // 0.28 + 0.04 * 2 + 0.08 + 0.06 + 0.08
    expect(candidates).toMatchObject([{ title: 'Quiet Phrase', score: 0.58, recommendation: 'medium' }])
  })

  it('list twenty places and count all', () => {
    const { candidates } = counted(...Array.from({ length: 21 }, (_, i) => text(`${i}`, 'Context Pack')))
    expect(candidates).toMatchObject([{ support: 21, evidence: { length: 20 } }])
  })

  it('drop terms met once if there are very many, and counting yields', () => {
    const counter = createConceptCounter()
    counter.add(text('1', 'Met Often. Met Often. Met Once.'))
    for (let from = 0; from < 50_000; from += 1000)
      counter.add(text(`n${from}`, Array.from({ length: 1000 }, (_, i) => `Term N${from + i}`).join('. ')))
    counter.add(text('2', 'Met Often. Met Once.'))
    for (let i = 0; i < 1500; i++) counter.add(text(`m${i}`, `More M${i}`))
    const finishing = counter.finish()
    let pauses = 0
    let step = finishing.next()
    for (; step.done !== true; step = finishing.next()) pauses++
    expect(step.value.candidates.map(({ title, occurrences }) => [title, occurrences])).toEqual([['Met Often', 3]])
    expect(pauses).toBe(3)
  })

  it('include terms in CJK', () => {
    const { candidates } = counted(
      text('1', '记忆系统很好。'),
      text('2', '使用 记忆系统，更好'),
      text('3', '记忆系统 书 书 记'),
      text('4', '一二三四五六七八 一二三四五六七八九 记'),
      text('5', '一二三四五六七八 一二三四五六七八九 知识'),
      text('6', '知识'),
    )
    expect(candidates.map(({ title }) => title)).toEqual(['知识', '记忆系统', '一二三四五六七八'])
  })
})

it.each([
  ['Table of Contents', 'document_artifact'],
  ['Page 12', 'document_artifact'],
  ['1.2.0', 'document_artifact'],
  ['<placeholder> Text', 'format_marker'],
  ['.md', 'format_marker'],
  ['--flag value', 'format_marker'],
  ['src/core/facts/fact.ts', 'path_fragment'],
  ['Ctrl+C', 'document_artifact'],
])('%s: %s', (title, reason) => {
  expect(skipReason(title)).toBe(reason)
})

it.each([
  ['Added', 'document_artifact'],
  ['Bug Fixes', 'document_artifact'],
  ['New Features', 'document_artifact'],
  ['BREAKING CHANGES', 'document_artifact'],
  ['Cmd + Shift + P', 'document_artifact'],
  ['Cancel', 'document_artifact'],
  ['Add Tests Here', 'action_phrase'],
  ['Data Files', 'generic_term'],
  ['Next Steps', 'temporary_task'],
  ['One Two Three Four Five Six Seven', 'too_long'],
  ['One Two Three Four Five Six', null],
  [`Long ${'x'.repeat(75)}`, null],
  [`Long ${'x'.repeat(76)}`, 'too_long'],
  ['fact.ts', 'path_fragment'],
  ['Word', 'weak_term'],
  ['Add', 'weak_term'],
  ['Context Pack', null],
  ['记忆', null],
])('headings and words of interfaces are skipped: %s, %s', (title, reason) => {
  expect(skipReason(title)).toBe(reason)
})
