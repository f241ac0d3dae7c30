import { describe, expect, test } from 'vitest'
import { statementsIn } from './statements.js'

const brief = (turn: string): readonly string[] =>
  statementsIn(turn).map(({ sort, ofPerson, text }) => `${sort}${ofPerson ? ' of me' : ''}: ${text}`)

describe('a statement that a person asks to keep', () => {
  test.each([
    ['Remember that the gate opens at seven.', 'remember: The gate opens at seven.'],
    ['please remember: my desk is by the window', 'remember of me: My desk is by the window'],
    ['Remember that my team wants our tests green.', 'remember: My team wants our tests green.'],
    ['We decided to use SQLite for the store.', 'decision: We decided to use SQLite for the store.'],
    ['I prefer short answers.', 'preference of me: I prefer short answers.'],
    ['From now on, commits are signed.', 'rule: From now on, commits are signed.'],
    ['ok, always run the linter before a push', 'rule: Always run the linter before a push'],
    ['Developers must never commit keys.', 'rule: Developers must never commit keys.'],
    ['Pull requests must have two reviews.', 'rule: Pull requests must have two reviews.'],
    ['Use tabs, not spaces.', 'rule: Use tabs, not spaces.'],
    ["Don't use var, use const.", "rule: Don't use var, use const."],
    ['We deploy every release from the main branch.', 'decision: We deploy every release from the main branch.'],
    ['Never log my mails.', 'rule of me: Never log my mails.'],
    ['Never log.', 'rule: Never log.'],
    // Ten characters are enough, and 400 are not too many.
    ['Note: abcdefghij', 'remember: Abcdefghij'],
    [`Remember: ${'x'.repeat(390)}`, `remember: X${'x'.repeat(389)}`],
  ])('%s', (turn, expected) => expect(brief(turn)).toEqual([expected]))

  test.each([
    'Do you remember that the gate opens at seven?',
    'Remember that the gate opens at seven?',
    'Note: abcdefghi',
    `Remember: ${'x'.repeat(391)}`,
    'We have not decided on the store yet.',
    'Remember when we always ran the linter.',
    'Remember that we never decided on tabs.',
    'Do developers never commit keys?',
    'Remember that password=Zk9vQx7p please',
    'function always(run) { remember(that) }',
    'Should we always run the linter?',
    'Add a test that always runs the linter.',
    'Maybe we always run the linter.',
    'Always run the linter for now.',
    'It always fails on Mondays.',
    'The weather is nice in spring.',
    '```\nAlways run the linter.\n```',
    '> Always run the linter.',
    'TypeError: always run the linter',
    Array.from({ length: 41 }, (_, i) => `Always run the linter number ${i}.`).join('\n'),
    Array.from({ length: 9 }, (_, i) => `Always run the linter number ${i}.`).join('\n'),
  ])('is not found in %j', (turn) => expect(brief(turn)).toEqual([]))

  test('is found once per statement, also with code in between', () => {
    expect(brief('Always run the linter.\n```\nx\n```\n- always run the linter.\n1. Never skip the tests.')).toEqual([
      'rule: Always run the linter.',
      'rule: Never skip the tests.',
    ])
    expect(brief(Array.from({ length: 8 }, (_, i) => `Always run the linter number ${i}.`).join('\n'))).toHaveLength(8)
    const filler = Array.from({ length: 39 }, (_, i) => `The weather is nice on day ${i}.`).join('\n')
    expect(brief(`${filler}\nAlways run the linter.`)).toHaveLength(1)
    expect(brief(`${'x '.repeat(10_000)}\nAlways run the linter.`)).toEqual([])
  })
})
