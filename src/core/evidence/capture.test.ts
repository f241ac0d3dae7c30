import { describe, expect, test } from 'vitest'
import { NOON } from '../../../test/contract/samples.js'
import { adapterOf, freshnessOf } from './adapter.js'
import { captureMessages, capturePages, captureText } from './capture.js'
import { type Fences, piecesOf } from './chunk-pieces.js'
import { isoInstant } from './iso-instant.js'
import { codeSegmentIds, isDocument, isModule, repoFingerprint, sectionId, textOfFile } from './repo-files.js'
import { filesOfDocument, PART_SIZE, placeOfSegment, segmentOf } from './segments.js'
import { wholeText } from './whole-text.js'

const options = { maskSecrets: true, title: 'T' }

describe('captured documents', () => {
  test('split a text into sections or paragraphs, without its secrets', () => {
    const text = '# A\n\npassword=Zk9vQx7p\n\nmore'
    expect(captureText(text, 'markdown', options)).toMatchObject({ masked: ['password'], chunks: [{ kind: 'section', title: 'A' }] })
    const plain = captureText(text, 'text', { ...options, maskSecrets: false })
    expect(plain).toMatchObject({ masked: [], charCount: text.length, chunks: [{ kind: 'paragraph' }, { text: 'password=Zk9vQx7p' }, {}] })
  })

  test('number their pages', () => {
    const { chunks, charCount } = capturePages(['one', 'two'], options)
    expect(chunks.map(({ title, place }) => [title, place])).toEqual([
      ['page-1', { page: 1 }],
      ['page-2', { page: 2 }],
    ])
    expect(charCount).toBe(6)
  })

  test('number the lines of messages through the whole conversation', () => {
    const parts = [
      ...captureMessages(
        [
          { role: 'user', content: 'one\n\ntwo ', name: 'Ann', created_at: 'then' },
          { role: 'agent', content: 'three' },
        ],
        options,
      ),
    ]
    expect(parts.map(({ charCount }) => charCount)).toEqual([14, 14])
    expect(parts.flatMap(({ chunks }) => chunks).map(({ text, startLine, endLine, place }) => [text, startLine, endLine, place])).toEqual([
      ['user: one', 1, 1, { message_index: 0, role: 'user', name: 'Ann', created_at: 'then' }],
      ['two', 3, 3, { message_index: 0, role: 'user', name: 'Ann', created_at: 'then' }],
      ['agent: three', 5, 5, { message_index: 1, role: 'agent' }],
    ])
  })

  test('record how and when they were captured', () => {
    expect(adapterOf('repo', false)).toMatchObject({
      name: 'repo',
      version: 'repo-adapter.v1',
      supported_modes: ['repo'],
      origin_classification: 'local_repo',
    })
    expect(adapterOf('repo', false).declared_transformations).toContain('code_index')
    expect(adapterOf('web', false)).toMatchObject({ name: 'document', version: 'document-adapter.v1', origin_classification: 'remote_url' })
    expect(adapterOf('pdf', false).declared_transformations).toContain('read_text')
    expect(adapterOf('pdf', true).declared_transformations).toEqual(['binary_stub'])
    expect(adapterOf('pdf', true).supported_modes).toContain('pdf')
    expect(freshnessOf('f', NOON + 7)).toEqual({ checked_at: '2026-05-28T20:26:40.000007+00:00', is_current: true, fingerprint: 'f' })
    expect(isoInstant(1_500_000)).toBe('1970-01-01T00:00:01.500000+00:00')
  })
})

describe('segments of a document', () => {
  const source = { id: 's', owner: 'ann', origin: 'a.md', title: 'Doc' }
  const made = { at: NOON, mint: () => 'id', language: null }
  const chunksOf = (count: number) => captureText(Array.from({ length: count }, (_, i) => `par ${i}`).join('\n\n'), 'text', options).chunks

  test('are grouped into files of fifty, each with its position', () => {
    const files = [...filesOfDocument(source, chunksOf(PART_SIZE + 1), made)]
    expect(files.map(({ path, passages, gone }) => [path, passages.length, gone])).toEqual([
      ['part-00000', 50, false],
      ['part-00001', 1, false],
    ])
    expect(files[1]?.size).toBe('par 50'.length)
    expect(files[0]?.size).toBe(Array.from({ length: 50 }, (_, i) => `par ${i}`).join('').length)
    const [last] = files[1]?.passages ?? []
    expect(last).toMatchObject({ ordinal: 0, path: 'part-00001', scopePath: null, locator: { segment_index: 51, line_start: 101 } })
    if (last === undefined) throw new Error('the last file has one')
    expect(segmentOf(last).segmentId).toBe('51-paragraph')
    expect(segmentOf({ ...last, ordinal: 2, locator: {} }).segmentId).toBe('3-paragraph')
    const two = [...filesOfDocument(source, chunksOf(PART_SIZE + 2), made)].at(-1)?.passages ?? []
    expect(two.map(({ locator }) => locator?.segment_index)).toEqual([51, 52])
    expect(placeOfSegment('51-paragraph')).toEqual({ path: 'part-00001', ordinal: 0 })
    expect(placeOfSegment('50-x')).toEqual({ path: 'part-00000', ordinal: 49 })
    expect([placeOfSegment('x-1'), placeOfSegment('0-x')]).toEqual([undefined, undefined])
    expect([...filesOfDocument(source, [], made)]).toEqual([])
    expect([...filesOfDocument(source, chunksOf(PART_SIZE), made)]).toHaveLength(1)
  })

  test('contain their location', () => {
    const { chunks } = captureText(`# A\n## B\ntext\n## C\n${'y'.repeat(7000)}`, 'markdown', options)
    const passages = [...filesOfDocument(source, chunks, made)].flatMap((file) => file.passages)
    expect(passages[1]).toMatchObject({
      name: 'B',
      scopePath: 'A',
      embedText: 'Doc\nA\nB\n## B text',
      locator: { heading_path: ['A', 'B'] },
    })
    expect(passages[0]?.embedText).toBe('Doc\nA\n# A')
    expect(passages[0]?.locator).not.toHaveProperty('char_start')
    expect(passages[3]?.locator).toMatchObject({ char_start: 0, char_end: 1600 })
    const [plain] = [...filesOfDocument(source, chunksOf(1), made)].flatMap((file) => file.passages)
    expect(plain?.locator).not.toHaveProperty('heading_path')
    // Put together they are the text again.
    expect(wholeText(passages)).toBe(`# A\n## B\ntext\n## C\n${'y'.repeat(7000)}`)
  })

  test('are joined page by page; shared text appears once', () => {
    const node = (text: string, locator: Record<string, number>) => ({ text, locator })
    expect(wholeText([node('a\nb', { line_start: 1 }), node('b\nc', { line_start: 2 }), node('e', { line_start: 5 })])).toBe('a\nb\nc\n\ne')
    expect(wholeText([node('one', { page: 1, line_start: 1 }), node('two', { page: 2, line_start: 1 })])).toBe('one\n\ntwo')
    expect(wholeText([node('ab', { line_start: 1, char_start: 0 }), node('cd', { line_start: 1, char_start: 3 })])).toBe('ab cd')
  })
})

describe('files of a repository', () => {
  test('are documents, modules or neither', () => {
    expect(['a.md', 'a.txt', 'a.ts', 'LICENSE', 'a.png'].map(isDocument)).toEqual([true, true, false, true, true])
    expect(['a.ts', 'a.md', 'a.css', 'a.txt', 'a.json', 'a.png'].map(isModule)).toEqual([true, false, false, false, false, false])
  })

  test('have one fingerprint, whatever their order', () => {
    const file = (hash: string, skipped: string | null = null, size = 1) => ({ hash, size, skipped })
    const print = (...files: readonly (readonly [string, ReturnType<typeof file>])[]) => repoFingerprint(new Map(files))
    expect(print(['a', file('1')], ['b', file('2')])).toBe(print(['b', file('2')], ['a', file('1')]))
    expect(print(['a', file('1')])).not.toBe(print(['a', file('2')]))
    expect(print(['a', file('1', 'empty')])).toBe(print(['a', file('2', 'empty')]))
    expect(print(['a', file('1', 'empty', 2)])).not.toBe(print(['a', file('1', 'empty', 3)]))
  })

  test('are joined from passages that repeat lines', () => {
    expect(
      textOfFile([
        { startLine: 1, text: 'a\nb\nc\n' },
        { startLine: 3, text: 'c\nd\n' },
        { startLine: 5, text: 'e\n' },
      ]),
    ).toBe('a\nb\nc\nd\ne\n')
    expect(
      textOfFile([
        { startLine: 1, text: 'a\nb\nc' },
        { startLine: 2, text: 'b' },
      ]),
    ).toBe('a\nb\nc')
    expect(
      textOfFile([
        { startLine: 1, text: 'a\n' },
        { startLine: 1, text: 'a\nb\n' },
        { startLine: 2, text: '\nc' },
      ]),
    ).toBe('a\nb\nc')
    expect(
      textOfFile([
        { startLine: 3, text: 'a\n' },
        { startLine: 4, text: 'b\n' },
      ]),
    ).toBe('a\nb\n')
  })

  test('have sections with ids of their own', () => {
    const ids = codeSegmentIds(['a_b.ts', 'a-b.ts', 'c.ts'])
    expect([ids.get('a-b.ts'), ids.get('c.ts')]).toEqual(['code-a-b-ts', 'code-c-ts'])
    expect(ids.get('a_b.ts')).toMatch(/^code-a-b-ts-[0-9a-f]{8}$/)
    expect(sectionId('a.md', { startLine: 3, title: 'Use' })).toBe('doc-a-md-3-use')
    expect(sectionId('a.md', { startLine: 3, title: 'Use', characters: { start: 1600, end: 3200 } })).toBe('doc-a-md-3-use-1600')
    expect(sectionId('a.md', { startLine: 3, title: 'x'.repeat(93) })).toBe(`doc-a-md-3-${'x'.repeat(93)}`)
    expect(sectionId('a.md', { startLine: 3, title: 'x'.repeat(94) })).toMatch(/x-[0-9a-f]{8}$/)
  })
})

describe('pieces of lines', () => {
  const none: Fences = { has: () => false }
  const pieces = (lines: readonly string[], fences = none) =>
    piecesOf(lines, { start: 0, end: lines.length }, fences).map(({ start, end, characters }) =>
      characters === undefined ? `${start}-${end}` : `${start}:${characters.start}-${characters.end}`,
    )
  const line = (length: number): string => 'x'.repeat(length)

  test('end at the maximum length and repeat two short lines', () => {
    // With its end a line of 799 has 800 characters: two are enough.
    expect(pieces([line(799), line(799), line(10)])).toEqual(['0-2', '2-3'])
    expect(pieces([line(798), line(799), line(10)])).toEqual(['0-3'])
    expect(pieces([line(1300), line(150), line(150), line(10)])).toEqual(['0-3', '1-4'])
    // Together they may have 400 characters.
    expect(pieces([line(1300), line(200), line(200), line(10)])).toEqual(['0-3', '1-4'])
    expect(pieces([line(1300), line(200), line(201), line(10)])).toEqual(['0-3', '2-4'])
    expect(pieces([line(1700), line(10)])).toEqual(['0-1', '1-2'])
  })

  test('do not end within a fence unless it is very long', () => {
    const inside = (from: number, to: number) => ({ has: (offset: number) => offset >= from && offset <= to })
    expect(pieces([line(900), line(900), line(900), line(10)], inside(0, 2))).toEqual(['0-3', '3-4'])
    expect(pieces([line(900), line(900), line(900), line(10)], inside(2, 3))).toEqual(['0-2', '2-4'])
    expect(
      pieces(
        Array.from({ length: 20 }, () => line(799)),
        inside(0, 30),
      ),
    ).toEqual(['0-16', '16-20'])
  })

  test('split a very long line, never between the halves of a character', () => {
    expect(pieces([line(6400)])).toEqual(['0-1'])
    expect(pieces([line(6401)])).toEqual(['0:0-1600', '0:1600-3200', '0:3200-4800', '0:4800-6400', '0:6400-6401'])
    expect(pieces([line(10), line(6401), line(10)])).toEqual([
      '0-1',
      '1:0-1600',
      '1:1600-3200',
      '1:3200-4800',
      '1:4800-6400',
      '1:6400-6401',
      '2-3',
    ])
    expect(pieces([`${line(1599)}${'🦉'.repeat(2500)}`])[0]).toBe('0:0-1601')
    expect(pieces([line(1700), line(6400), line(10)])).toEqual(['0-1', '1-2', '2-3'])
  })

  test('have no blank lines at their ends and are never blank', () => {
    expect(pieces(['', ' ', 'a', '', 'b', ' '])).toEqual(['2-5'])
    expect(pieces(['', ' '])).toEqual([])
  })
})
