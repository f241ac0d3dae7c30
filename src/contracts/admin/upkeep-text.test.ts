import { expect, it } from 'vitest'
import { compactText, mendText, reindexText } from './upkeep-text.js'

const reader = { time: (instant: string) => instant, width: 80, owner: 'default' }

it('says what a compaction reclaimed, or that there was nothing', () => {
  expect(compactText({ bytes_before: 3000, bytes_after: 1000, journal_entries: 2 }, reader)).toBe(
    '1,000 bytes, 2,000 fewer than before.\n2 journal entries cleared by retention.',
  )
  expect(compactText({ bytes_before: 1000, bytes_after: 1000, journal_entries: 0 }, reader)).toBe(
    '1,000 bytes; there was nothing to reclaim.',
  )
})

it('counts what was rebuilt and repaired', () => {
  expect(reindexText({ relinked: 1, embedded: 2 }, reader)).toBe('1 memory relinked, 2 texts embedded.')
  expect(mendText({ facts: 1, entities: 1, relations: 0, entries: 0, removed: 1, loss_accepted: true }, reader)).toBe(
    '2 future-dated rows repaired, 1 dangling edge removed.\nThe missing changes that doctor reported are accepted as lost.',
  )
})
