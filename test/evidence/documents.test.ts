import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { conversationText } from '../../src/core/evidence/capture.js'
import { readLines } from '../../src/core/evidence/chunks.js'
import { ingestConversation, ingestFile } from '../../src/engine/substrate/evidence/ingest.js'
import { segmentById, textOfDocument } from '../../src/engine/substrate/evidence/segments.js'
import type { Opened } from '../opened.js'
import { allSegments, CALL, head, openEvidence, removeTemporaryFolders, temporaryFolder } from './workbench.js'

const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

let world: Opened
afterEach(async () => world?.engine.close())
afterAll(removeTemporaryFolders)

const GUIDE = '---\ntitle: Guide\n---\n# Guide\n\nHello there.\n\n## Install\n\n```sh\n# no heading\n```\n\n## Use\nDone.\n'

function write(name: string, content: string | Buffer): string {
  const path = join(temporaryFolder('doc'), name)
  writeFileSync(path, content)
  return path
}

describe('captured file', () => {
  it('becomes a source with citable segments, a node and an activity; a second run writes nothing', async () => {
    world = await openEvidence()
    const path = write('guide.md', GUIDE)
    const first = await ingestFile(world.engine.context(), CALL, { path, mode: 'markdown' })
    expect(first).toMatchObject({
      status: 'completed',
      segmentCount: 4,
      touched: [first.source.id, first.nodeId, first.activityId],
      warnings: [],
    })
    const [source] = await world.backend.store.sources([first.source.id])
    expect(source).toMatchObject({
      id: expect.stringMatching(/^src:[0-9a-f]{32}$/),
      kind: 'markdown',
      title: 'guide.md',
      origin: path,
      fingerprint: sha(GUIDE),
      status: 'active',
      metadata: {
        content_type: 'markdown',
        identity_key: `source|file|${path}`,
        payload: {
          byte_count: GUIDE.length,
          segment_count: 4,
          chunking: { strategy: 'document_chunker.v1', max_chars: 1600, overlap_lines: 2 },
        },
        adapter: {
          name: 'document',
          version: 'document-adapter.v1',
          mode: 'markdown',
          supported_modes: ['file', 'markdown', 'web', 'pdf', 'conversation'],
          declared_transformations: ['read_text', 'document_chunker.v1', 'source_segments'],
          default_privacy_class: 'local_file',
          origin_classification: 'local_file',
        },
        freshness: { is_current: true, fingerprint: sha(GUIDE), checked_at: expect.stringMatching(/\+00:00$/) },
      },
    })
    const segments = await allSegments(world, first.source.id)
    expect(segments.map(({ segmentId }) => segmentId)).toEqual(['1-frontmatter', '2-guide', '3-install', '4-use'])
    expect(segments[2]?.locator).toEqual({
      kind: 'source',
      ref: path,
      segment_index: 3,
      chunk_kind: 'section',
      line_start: 8,
      line_end: 12,
      heading_path: ['Guide', 'Install'],
    })
    for (const { locator, excerpt, hash, segmentId } of segments) {
      const text = readLines(GUIDE, { startLine: Number(locator.line_start), endLine: Number(locator.line_end) })
      expect([text.slice(0, 1600), sha(text)]).toEqual([excerpt, hash])
      expect(await segmentById(world.environment, first.source, segmentId)).toMatchObject({ hash })
    }
    expect(await segmentById(world.environment, first.source, '3-other')).toBeUndefined()
    expect(await world.backend.store.entities([first.nodeId])).toMatchObject([
      { type: 'document', name: 'guide.md', metadata: { source_id: first.source.id }, status: 'active' },
    ])
    expect(await world.backend.store.facts([first.activityId])).toMatchObject([
      {
        form: 'activity',
        kind: 'reading',
        stage: 'finalized',
        references: { source_refs: [first.source.id], related_node_refs: [first.nodeId] },
      },
    ])
    const before = await head(world)
    expect(await ingestFile(world.engine.context(), CALL, { path, mode: 'markdown' })).toMatchObject({
      status: 'noop',
      touched: [],
      receipt: null,
    })
    expect(await head(world)).toBe(before)
  })

  it('is replaced as a whole when it changes, and keeps unchanged segments', async () => {
    world = await openEvidence()
    const path = write('guide.md', GUIDE)
    const { source } = await ingestFile(world.engine.context(), CALL, { path, mode: 'file' })
    const ids = async () => (await world.backend.store.passages(source.id, { path: 'part-00000', from: 0, limit: 9 })).map(({ id }) => id)
    const before = await ids()
    writeFileSync(path, GUIDE.replace('## Use\nDone.\n', '## New\nOne.\n\n## Use\nDone.\n'))
    const again = await ingestFile(world.engine.context(), CALL, { path, mode: 'file' })
    expect(again).toMatchObject({ status: 'completed', segmentCount: 5, source: { id: source.id } })
    const after = await ids()
    expect([after.slice(0, 3), after[4]]).toEqual([before.slice(0, 3), before[3]])
    expect((await allSegments(world, source.id)).map(({ segmentId }) => segmentId)).toEqual([
      '1-frontmatter',
      '2-guide',
      '3-install',
      '4-new',
      '5-use',
    ])
    writeFileSync(path, '')
    expect(await ingestFile(world.engine.context(), CALL, { path, mode: 'file' })).toMatchObject({
      segmentCount: 0,
      warnings: ['It contains no text.'],
    })
    expect(await allSegments(world, source.id)).toEqual([])
  })

  it('with very many headings is stored completely in parts', async () => {
    world = await openEvidence()
    const text = Array.from({ length: 3000 }, (_, i) => `# Heading ${i}\n`).join('')
    const path = write('many.md', text)
    const { source, segmentCount } = await ingestFile(world.engine.context(), CALL, { path, mode: 'markdown' })
    const segments = await allSegments(world, source.id)
    expect([segmentCount, segments.length, segments[2999]?.segmentId]).toEqual([3000, 3000, '3000-heading-2999'])
    expect(await segmentById(world.environment, source, '2001-heading-2000')).toMatchObject({ excerpt: '# Heading 2000' })
    expect(await ingestFile(world.engine.context(), CALL, { path, mode: 'markdown' })).toMatchObject({ status: 'noop' })
    writeFileSync(path, text.slice(0, text.indexOf('# Heading 700\n')))
    await ingestFile(world.engine.context(), CALL, { path, mode: 'markdown' })
    expect(await allSegments(world, source.id)).toHaveLength(700)
  })

  it('can be rebuilt from its segments', async () => {
    world = await openEvidence()
    const long = Array.from({ length: 300 }, (_, i) => (i % 9 === 0 ? '' : `line ${i} of a long section`)).join('\n')
    const line = Array.from({ length: 4000 }, (_, i) => `word${i}`).join('-')
    const text = `${GUIDE}\n## Long\n${long}\n\n\`\`\`\ncode\n\n\nmore\n\`\`\`\n\n## Line\n\n${line}\n\nThe end.`
    for (const mode of ['markdown', 'file'] as const) {
      const { source } = await ingestFile(world.engine.context(), CALL, { path: write(mode === 'file' ? 'a.txt' : 'a.md', text), mode })
      expect(await textOfDocument(world.engine.context(), source)).toBe(text)
    }
    const statement = {
      title: 'T',
      messages: [
        { role: 'user', content: 'One.\n\nTwo.' },
        { role: 'assistant', content: 'Three.' },
      ],
    }
    const { source } = await ingestConversation(world.engine.context(), CALL, statement)
    expect(await textOfDocument(world.engine.context(), source)).toBe(conversationText(statement.messages))
  })

  it('with an unclosed fence or one line of megabytes is split into readable segments', async () => {
    world = await openEvidence()
    for (const text of [
      `# Open\n\n\`\`\`sh\n${'a line of code\n'.repeat(3000)}# no heading in here\n`,
      `# One line\n\n${'word '.repeat(400_000)}`,
    ]) {
      const path = write('odd.md', text)
      const { source, segmentCount } = await ingestFile(world.engine.context(), CALL, { path, mode: 'markdown' })
      const segments = await allSegments(world, source.id)
      expect([segments.length, segments.length > 2]).toEqual([segmentCount, true])
      expect(segments.map(({ locator }) => locator.heading_path).filter((entry) => JSON.stringify(entry)?.includes('no heading'))).toEqual(
        [],
      )
      for (const { locator, excerpt, hash } of segments) {
        const characters =
          typeof locator.char_start === 'number' ? { characters: { start: locator.char_start, end: Number(locator.char_end) } } : {}
        const found = readLines(text, { startLine: Number(locator.line_start), endLine: Number(locator.line_end), ...characters })
        expect([found.slice(0, 1600), sha(found)]).toEqual([excerpt, hash])
      }
    }
  })

  it('is masked before it is split', async () => {
    world = await openEvidence()
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const path = write('notes.txt', `the token is ${secret}\n\nbye\n`)
    const { source, masked } = await ingestFile(world.engine.context(), CALL, { path, mode: 'file' })
    expect(masked).not.toEqual([])
    const segments = await allSegments(world, source.id)
    expect(JSON.stringify(segments)).not.toContain(secret)
    expect(segments.map(({ excerpt, hash }) => sha(excerpt) === hash)).toEqual([true, true])
  })

  it('without text is captured without segments', async () => {
    world = await openEvidence()
    const path = write('picture.bin', Buffer.from([0, 1, 2, 3, 255]))
    const captured = await ingestFile(world.engine.context(), CALL, { path, mode: 'file' })
    expect(captured).toMatchObject({ segmentCount: 0, warnings: ['Captured without text: it is not text.'] })
    expect(captured.source.metadata).toMatchObject({
      payload: { byte_count: 5, stub: 'it is not text', sha256: captured.source.fingerprint },
      adapter: { declared_transformations: ['binary_stub'] },
    })
  })
})

describe('files that may not be read', () => {
  it('are rejected, and nothing is written', async () => {
    const root = temporaryFolder('roots')
    mkdirSync(join(root, 'in'))
    writeFileSync(join(root, 'in', 'a.md'), '# A\n')
    writeFileSync(join(root, 'secret.md'), '# S\n')
    symlinkSync(join(root, 'secret.md'), join(root, 'in', 'link.md'))
    symlinkSync('loop.md', join(root, 'in', 'loop.md'))
    world = await openEvidence({ ingestRoots: join(root, 'in') })
    const file = (path: string, mode: 'file' | 'pdf' = 'file') => ingestFile(world.engine.context(), CALL, { path, mode })
    await expect(file(join(root, 'secret.md'))).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('secret.md') })
    await expect(file(join(root, 'in', 'link.md'))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(file(join(root, 'in', '..', 'none.md'))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(file(join(root, 'in'))).rejects.toMatchObject({ message: `File path is not a file: ${join(root, 'in')}` })
    await expect(file(join(root, 'in', 'none.pdf'), 'pdf')).rejects.toMatchObject({
      message: `PDF path is not a file: ${join(root, 'in', 'none.pdf')}`,
    })
    await expect(file(join(root, 'in', 'loop.md'))).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(file('in/a.md')).rejects.toMatchObject({ code: 'invalid_input', message: 'File path is not absolute: in/a.md' })
    writeFileSync(join(root, 'in', 'big.md'), `# ${'x'.repeat(11_000_000)}`)
    await expect(file(join(root, 'in', 'big.md'))).rejects.toMatchObject({ code: 'too_large' })
    writeFileSync(join(root, 'in', 'line.md'), '# One line')
    truncateSync(join(root, 'in', 'line.md'), 50_000_000)
    await expect(file(join(root, 'in', 'line.md'))).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('line.md'),
    })
    expect(await head(world)).toBe(0)
    expect(await file(join(root, 'in', 'a.md'))).toMatchObject({ status: 'completed' })
  })

  it('are all files for a server without roots', async () => {
    world = await openEvidence({}, { served: true })
    await expect(ingestFile(world.engine.context(), CALL, { path: write('a.md', '# A'), mode: 'file' })).rejects.toMatchObject({
      code: 'forbidden',
      hint: expect.stringContaining('MNEME_INGEST_ROOTS'),
    })
  })
})

describe('captured conversation', () => {
  const messages = Array.from({ length: 2000 }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: i % 7 === 0 ? `Message ${i}.\n\nWith a second paragraph.` : `Message ${i} about lighthouses.`,
    ...(i === 0 ? { name: 'Ann', created_at: '2026-04-28T00:00:00+00:00' } : {}),
  }))

  it('becomes segments that name their message and its position', async () => {
    world = await openEvidence()
    const conversation = { title: 'Long talk', messages, origin: { host: 'codex' } }
    const { source, segmentCount } = await ingestConversation(world.engine.context(), CALL, conversation)
    const segments = await allSegments(world, source.id)
    expect([segments.length, segmentCount]).toEqual([2000 + Math.ceil(2000 / 7), segments.length])
    expect(segments[0]).toMatchObject({
      segmentId: '1-user',
      excerpt: 'user: Message 0.',
      locator: { message_index: 0, role: 'user', name: 'Ann', created_at: '2026-04-28T00:00:00+00:00', segment_index: 1, line_start: 1 },
    })
    expect(segments[1]?.locator).toMatchObject({ message_index: 0, line_start: 3, line_end: 3 })
    const text = conversationText(messages)
    for (const { locator, hash } of segments)
      expect(sha(readLines(text, { startLine: Number(locator.line_start), endLine: Number(locator.line_end) }))).toBe(hash)
    expect(source).toMatchObject({
      kind: 'conversation',
      metadata: { origin: { host: 'codex' }, adapter: { origin_classification: 'conversation' } },
    })
    const before = await head(world)
    expect(await ingestConversation(world.engine.context(), CALL, conversation)).toMatchObject({ status: 'noop' })
    expect(await head(world)).toBe(before)
  })

  it('without messages or content is rejected', async () => {
    world = await openEvidence()
    const say = (entry: readonly { readonly role: string; readonly content: string }[]) =>
      ingestConversation(world.engine.context(), CALL, { title: 'T', messages: entry })
    await expect(say([])).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(
      say([
        { role: 'user', content: 'x' },
        { role: 'user', content: ' \n' },
      ]),
    ).rejects.toMatchObject({
      message: 'Invalid messages.1.content: must not be empty',
    })
    await expect(ingestConversation(world.engine.context(), CALL, { title: ' ', messages: [] })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    expect(await head(world)).toBe(0)
  })

  it('of two owners is two sources', async () => {
    world = await openEvidence()
    const statement = { title: 'T', messages: [{ role: 'user', content: 'hello' }] }
    const [mine, theirs] = [
      await ingestConversation(world.engine.context(), CALL, statement),
      await ingestConversation(world.engine.context(), { ...CALL, owner: 'bob' }, statement),
    ]
    expect(theirs.status).toBe('completed')
    expect(theirs.source.id).not.toBe(mine.source.id)
  })
})
