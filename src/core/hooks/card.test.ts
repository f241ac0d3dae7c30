import { describe, expect, test } from 'vitest'
import { type ConversationCard, cardText, EMPTY_CARD, isSubstantial, type Step, updateConversationCard } from './card.js'

const cardOf = (...steps: readonly Step[]): ConversationCard => steps.reduce(updateConversationCard, EMPTY_CARD)
const commit = (command: string): readonly string[] => cardOf({ command }).commits

describe('the card of a conversation', () => {
  test('its task is the first prompt that says something, its answer the last', () => {
    expect(cardOf({ prompt: 'go on' }, { prompt: 'Add a login form' }, { prompt: 'Now translate the page' }).task).toBe('Add a login form')
    expect([cardOf({ prompt: 'x'.repeat(11) }).task, cardOf({ prompt: 'x'.repeat(12) }).task]).toEqual(['', 'x'.repeat(12)])
    expect(cardOf({ answer: 'First.' }, { answer: 'Last.' }, { answer: '' }).answer).toBe('Last.')
  })

  test('files and commits each once, the last ones', () => {
    const files = Array.from({ length: 13 }, (_, i) => ({ file: `f${i}` }))
    expect(cardOf(...files, { file: 'f5' }).files).toEqual(Array.from({ length: 12 }, (_, i) => `f${i + 1}`))
    expect(cardOf({ file: '/w/CLAUDE.md' }).files).toEqual([])
    const commits = Array.from({ length: 6 }, (_, i) => ({ command: `git commit -m "number ${i}"` }))
    expect(cardOf(...commits, { command: 'git commit -m "number 4"' }).commits).toEqual([1, 2, 3, 4, 5].map((i) => `number ${i}`))
  })

  test('is the same value where a step says nothing new', () => {
    const card = cardOf({ prompt: 'Add a login form' }, { file: 'a' }, { command: 'git commit -m "x y"' }, { answer: 'Done.' })
    for (const step of [{}, { prompt: 'Another task for later' }, { file: 'a' }, { command: 'git commit -m "x y"' }, { answer: 'Done.' }])
      expect(updateConversationCard(card, step)).toBe(card)
    for (const step of [{ file: 'b' }, { command: 'git commit -m "z"' }, { answer: 'More.' }])
      expect(updateConversationCard(card, step)).not.toBe(card)
  })

  test('tells something once there is a task, a file or a commit', () => {
    expect([EMPTY_CARD, cardOf({ answer: 'Done.' })].map(isSubstantial)).toEqual([false, false])
    expect(
      [cardOf({ prompt: 'Add a login form' }), cardOf({ file: 'a' }), cardOf({ command: 'git commit -m "x"' })].map(isSubstantial),
    ).toEqual([true, true, true])
  })

  test('is written as text without empty sections', () => {
    expect(cardText(EMPTY_CARD)).toBe('')
    expect(cardText({ task: 'T', files: ['a', 'b'], commits: ['c', 'd'], answer: 'A' })).toBe(
      'Task: T\nFiles: a, b\nCommits: c; d\nLast answer: A',
    )
  })

  test('contains no secret and no code, and is limited in length', () => {
    const key = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF'
    expect(cardOf({ prompt: `Look at the parser\nthe key is ${key}\nand mend it` }).task).toBe('Look at the parser and mend it')
    expect(cardOf({ prompt: 'Mend this: ```\nconst a = 1\n``` in the parser' }).task).toBe('Mend this: in the parser')
    const words = 'word '.repeat(100)
    expect(cardOf({ prompt: words }).task).toBe(`${'word '.repeat(48).trim()} ...`)
    expect(cardOf({ prompt: `${'x'.repeat(200)} ${'y'.repeat(39)} zzzz` }).task).toBe(`${'x'.repeat(200)} ...`)
    expect(cardOf({ prompt: 'x'.repeat(240) }).task).toBe('x'.repeat(240))
    expect(cardOf({ prompt: 'x'.repeat(241) }).task).toBe(`${'x'.repeat(240)} ...`)
  })

  test('the message of a commit, however it is made', () => {
    expect(commit("git -C /w commit -am 'Add the form'")).toEqual(['Add the form'])
    expect(commit('cd w && git commit --signoff -m "Add the form"')).toEqual(['Add the form'])
    expect(commit(`git commit -m "${'x'.repeat(150)}"`)).toEqual(['x'.repeat(100)])
    for (const none of [
      'git status',
      'git commit',
      'git commit -m "$(cat message)"',
      'git commit -m " "',
      'git commit -m "AKIAIOSFODNN7EXAMPLE"',
    ])
      expect(commit(none)).toEqual([])
  })
})
