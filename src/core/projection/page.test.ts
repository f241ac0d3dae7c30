import { expect, test } from 'vitest'
import { aFact, anEntity, NOON } from '../../../test/contract/samples.js'
import type { Source } from '../facts/source.js'
import { entityPage, factPage, pageName, sourcePage } from './page.js'

test('names a page after its id, or after a hash if the id is no file name', () => {
  expect(pageName('know:a.1')).toBe('know-a.1')
  expect(pageName('../etc')).toMatch(/^x-[0-9a-f]{32}$/)
})

test('the page of a fact lists its fields and has no empty sections', () => {
  const plain = aFact({ id: 'know:1', title: 'Tea  time', text: ' Drinks tea. ', reason: null, confidence: 0.5 })
  const dates = 'created: "2026-05-28T20:26:40.000000+00:00"\nupdated: "2026-05-28T20:26:40.000000+00:00"'
  expect(factPage(plain)).toEqual({
    ...{ type: 'knowledge', id: 'know:1', version: 1 },
    text: `---\nid: "know:1"\ntype: "knowledge"\nkind: "fact"\naliases: ["Tea  time"]\nstatus: "active"\nconfidence: 0.5\n${dates}\nversion: 1\n---\n\n# Tea time\n\nDrinks tea.\n`,
  })
  const full = factPage({
    ...plain,
    ...{ origin: 'imported', scopes: ['p'], subject: 'node:a', predicate: 'likes', value: 'tea', reason: 'asked', supersededBy: 'know:2' },
    ...{ conflicts: ['know:3'], references: { subject_refs: ['node:a'] }, evidence: [{ source_id: 'src:1', segment_id: 'a`b' }] },
  }).text
  expect(full).toContain('memory_source: "imported"\nscope_refs: ["p"]\n')
  expect(full.slice(full.indexOf('\n## '))).toBe(
    [
      '\n## Claim\n\n- subject: [[node-a]]\n- predicate: `likes`\n- value: `"tea"`\n',
      "\n## Evidence\n\n- [[src-1]] segment `a'b`\n",
      '\n## References\n\n- subject_refs: [[node-a]]\n- conflicts with [[know-3]]\n- superseded by [[know-2]]\n',
      '\n## Reason\n\nasked\n',
    ].join(''),
  )
  for (const none of [
    { subject: 'x', predicate: null },
    { subject: null, predicate: 'x' },
  ])
    expect(factPage({ ...plain, ...none }).text).not.toContain('## Claim')
  const both = factPage({ ...plain, subject: 'Ann', predicate: 'has', value: 3, details: { object: 'node:o' } }).text
  expect(both).toContain('- subject: `"Ann"`\n- predicate: `has`\n- value: `3`\n- value: [[node-o]]\n')
})

test('the page of a node names its source', () => {
  const node = anEntity({
    id: 'node:1',
    name: 'Ann',
    aliases: ['A'],
    description: 'A person.',
    uri: null,
    metadata: { source_id: 'src:1' },
  })
  const { text, type } = entityPage(node)
  expect([type, text.includes('uri:')]).toEqual(['node', false])
  expect(text.slice(text.indexOf('\n# '))).toBe('\n# Ann\n\nA person.\n\n## References\n\n- source: [[src-1]]\n')
  const bare = entityPage({ ...node, description: null, uri: 'x:1', metadata: {} }).text
  expect(bare).toContain('aliases: ["Ann","A"]\nstatus: "active"\nuri: "x:1"\n')
  expect(bare.slice(bare.indexOf('\n# '))).toBe('\n# Ann\n')
})

test('the page of a source lists its counts', () => {
  const source: Omit<Source, 'metadata'> = {
    ...{ id: 'src:1', owner: 'ann', kind: 'document', title: 'Notes', origin: 'a.md', fingerprint: 'f', status: 'active' },
    ...{ createdAt: NOON, updatedAt: NOON, version: 1 },
  }
  const metadata = { summary: 'Short.', node_id: 'node:1', payload: { pages: 3, title: 'x', whole: true, list: [1], none: null } }
  const { text } = sourcePage({ ...source, metadata })
  expect(text.slice(text.indexOf('\n# '))).toBe(
    '\n# Notes\n\nShort.\n\n## Content\n\n- pages: 3\n- title: x\n- whole: true\n\n## References\n\n- node: [[node-1]]\n',
  )
  for (const payload of ['text', [1], null, 5]) {
    const bare = sourcePage({ ...source, metadata: { summary: 5, node_id: 5, payload } }).text
    expect(bare.slice(bare.indexOf('\n# '))).toBe('\n# Notes\n')
  }
})
