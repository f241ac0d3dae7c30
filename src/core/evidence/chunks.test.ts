import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHUNKING, chunkMarkdown, chunkPage, chunkPlainText, type DocumentChunk, linesOf, readLines, segmentId } from './chunks.js'

const seen = (chunks: readonly DocumentChunk[]) =>
  chunks.map(({ kind, title, headingPath, startLine, endLine }) => [kind, title, headingPath.join(' > '), startLine, endLine])

describe('chunkMarkdown', () => {
  it('separates front matter, the text before the first heading, and sections with their position', () => {
    const text = '---\ntitle: x\n---\nBefore.\n\n# Guide\n\nHello.\n## Install ##\nRun it.\n### On Linux\nx\n## Use\ny\n'
    expect(seen(chunkMarkdown(text))).toEqual([
      ['frontmatter', 'frontmatter', '', 1, 3],
      ['preamble', 'preamble', '', 4, 4],
      ['section', 'Guide', 'Guide', 6, 8],
      ['section', 'Install', 'Guide > Install', 9, 10],
      ['section', 'On Linux', 'Guide > Install > On Linux', 11, 12],
      ['section', 'Use', 'Guide > Use', 13, 14],
    ])
  })

  it('treats a block that is not closed within 200 lines as text, and a text without headings as one section', () => {
    const long = `---\n${'a: b\n'.repeat(250)}---\nText`
    expect(chunkMarkdown(long).every(({ kind, title }) => kind === 'section' && title === 'Document')).toBe(true)
    expect(seen(chunkMarkdown('just\ntext'))).toEqual([['section', 'Document', '', 1, 2]])
    expect(chunkMarkdown(' \n\n')).toEqual([])
  })

  it('ignores headings inside a fence, keeps fences and tables whole, and limits a fence that is never closed', () => {
    const code = `# A\n\`\`\`sh\n# no heading\n${'x'.repeat(60)}\n${'echo hello world and more\n'.repeat(100)}\`\`\`\n\n| a |\n|---|\n| b |\n# B\n~~~\n\`\`\`\n# no\n~~~\n# C\n`
    const chunks = chunkMarkdown(code)
    expect(chunks.map(({ title }) => title)).toEqual(['A', 'A', 'B', 'C'])
    expect(chunks[0]?.text.endsWith('```')).toBe(true)
    const open = chunkMarkdown(`# A\n\`\`\`\n${'a line of code that is never closed\n'.repeat(5000)}`)
    expect(open.length).toBeGreaterThan(5)
    for (const { text } of open) expect(text.length).toBeLessThan(10 * CHUNKING.max_chars)
  })

  it('splits long sections at lines with an overlap, and a very long line within itself', () => {
    const section = `# Long\n${Array.from({ length: 200 }, (_, i) => `line ${i} ${'w'.repeat(40)}`).join('\n')}`
    const chunks = chunkMarkdown(section)
    expect(chunks.length).toBeGreaterThan(4)
    for (let i = 1; i < chunks.length; i++) expect(chunks[i]?.startLine).toBe((chunks[i - 1]?.endLine ?? 0) - CHUNKING.overlap_lines + 1)
    const line = `start ${'€𝒳'.repeat(10_000)} end`
    const pieces = chunkMarkdown(`# H\n${line}\n`)
    expect(pieces.slice(1).every(({ startLine, endLine }) => startLine === 2 && endLine === 2)).toBe(true)
    expect(
      pieces
        .slice(1)
        .map(({ text }) => text)
        .join(''),
    ).toBe(line.replaceAll(/\s+(?=€)/g, ' '))
  })

  it('names segments by their number and title', () => {
    expect(segmentId(3, 'What is NEW? (2024)')).toBe('3-what-is-new-2024')
    expect(segmentId(1, '概要')).toBe('1-概要')
  })

  it('every locator leads to the text of its chunk, and no line with text is omitted', () => {
    const line = fc.oneof(
      fc.constantFrom('', '  ', '# A', '## B #', '```', '~~~', '---', '| a | b |', '\tx', '#no', '####### seven'),
      fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
      fc.integer({ min: 1500, max: 20_000 }).map((n) => 'ab '.repeat(n / 3)),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        const text = lines.join(end)
        for (const chunk of [chunkMarkdown, chunkPlainText, (value: string) => chunkPage(value, 1)]) {
          const chunks = chunk(text)
          const covered = new Set<number>()
          for (const chunk of chunks) {
            expect(readLines(text, chunk)).toBe(chunk.text)
            expect(chunk.text).not.toBe('')
            for (let offset = chunk.startLine; offset <= chunk.endLine; offset++) covered.add(offset)
          }
          linesOf(text).forEach((value, index) => {
            if (value.trim() !== '') expect(covered.has(index + 1)).toBe(true)
          })
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('chunkPlainText', () => {
  it('splits paragraphs at blank lines', () => {
    expect(seen(chunkPlainText('one\ntwo\n\n \nthree'))).toEqual([
      ['paragraph', 'paragraph', '', 1, 2],
      ['paragraph', 'paragraph', '', 5, 5],
    ])
  })

  it('produces output in proportion to its input', () => {
    const many = chunkMarkdown('# h\n'.repeat(100_000))
    expect(many).toHaveLength(100_000)
    expect(many.at(-1)?.headingPath).toEqual(['h'])
  })
})

describe('headings', () => {
  it.each([
    ['# A #', 'A'],
    ['# A#', 'A#'],
    ['# A b ##', 'A b'],
    ['# A', 'A'],
    ['# #', 'Untitled'],
    ['#', 'Untitled'],
  ])('%s is called %s', (line, title) => {
    expect(chunkMarkdown(line)[0]?.title).toBe(title)
  })
})

it('splits a long paragraph of plain text', () => {
  expect(chunkPlainText(Array.from({ length: 6 }, () => 'x'.repeat(900)).join('\n'))).toHaveLength(3)
})
