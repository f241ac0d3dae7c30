import { expect, test } from 'vitest'
import { derivedEdge, linkedWords, ownMentions } from './linking.js'

test('links a long text by its beginning', () => {
  expect(ownMentions(`${'x '.repeat(7900)}Ann Miller`)).toEqual(['ann miller'])
  expect(ownMentions(`${'x '.repeat(8000)}Ann Miller`)).toEqual([])
  expect(linkedWords('word '.repeat(2100))).toHaveLength(2000)
})

test('marks an edge that derives from a text', () => {
  const edge = derivedEdge({ owner: 'ann', from: 'f', type: 'mentions', to: 'e', toKind: 'entity', weight: 1 }, 5)
  expect(edge).toMatchObject({ properties: { auto_linked: true }, createdAt: 5 })
  expect(derivedEdge({ owner: 'ann', from: 'f', type: 'mentions', to: 'e', toKind: 'entity', weight: 2 }, 6).id).toBe(edge.id)
})
