import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { readPath, readText, withFolder, writeFiles } from './read-tree.js'
import { zipFile } from './zip-file.js'

const hex = (text: string): Buffer => Buffer.concat([Buffer.from(text, 'hex'), Buffer.alloc(64)])
const zip = (...paths: readonly string[]): Buffer => zipFile(paths.map((path) => ({ path, content: '{}' })))
const json = (value: unknown): string => JSON.stringify(value)

/** Files that look like something to import, and what they are refused as. */
const LOOK_ALIKES: readonly (readonly [name: string, content: string | Uint8Array, seems: string])[] = [
  ['notes.pdf', '%PDF-1.7\n', 'a PDF document'],
  ['memory.png', hex('89504e470d0a1a0a'), 'a PNG image'],
  ['memory.jpg', hex('ffd8ffe0'), 'a JPEG image'],
  ['memory.gif', 'GIF89a', 'a GIF image'],
  ['voice.wav', 'RIFF....WAVE', 'a RIFF file'],
  ['voice.ogg', 'OggS', 'an Ogg recording'],
  ['empty.jsonl', '', 'an empty file'],
  ['export.7z', hex('377abcaf271c'), 'a 7-Zip archive'],
  ['export.rar', hex('526172211a07'), 'a RAR archive'],
  ['export.xz', hex('fd377a585a00'), 'an xz archive'],
  ['export.bz2', 'BZh9', 'a bzip2 archive'],
  ['export.tar', Buffer.concat([Buffer.alloc(257), Buffer.from('ustar\0'), Buffer.alloc(300)]), 'a tar archive'],
  ['empty.zip', zipFile([]), 'an empty zip archive'],
  ['report.docx', zip('word/document.xml', '[Content_Types].xml'), 'a Word document'],
  ['table.xlsx', zip('xl/workbook.xml'), 'an Excel workbook'],
  ['slides.pptx', zip('ppt/presentation.xml'), 'a PowerPoint presentation'],
  ['notes.odt', zip('content.xml', 'meta.xml'), 'an OpenDocument file'],
  ['book.epub', zip('META-INF/container.xml'), 'an EPUB book'],
  ['app.jar', zip('META-INF/MANIFEST.MF'), 'a Java archive'],
  ['app.apk', zip('AndroidManifest.xml'), 'an Android application'],
  ['package.whl', zip('x-1.dist-info/METADATA'), 'a Python wheel'],
  ['store.mem.zip', zip('manifest.json', 'CHECKSUMS'), 'a portable memory bundle'],
  ['slack.zip', zip('users.json', 'general/2026-01-01.json'), 'a Slack export'],
  ['project.zip', zip('package.json', 'src/x.ts'), 'an archive with a JavaScript project'],
  ['memory.pkl', hex('8004'), 'a Python pickle'],
  ['old.doc', hex('d0cf11e0a1b11ae1'), 'an old document of Microsoft Office'],
  ['program', hex('7f454c46'), 'a Linux program'],
  ['program.exe', 'MZ', 'a Windows program'],
  ['x.wasm', hex('0061736d'), 'a WebAssembly module'],
  ['vectors.parquet', 'PAR1', 'a Parquet file'],
  ['vectors.arrow', 'ARROW1', 'an Arrow file'],
  ['vectors.npy', hex('934e554d5059'), 'a NumPy array'],
  ['model.gguf', 'GGUF', 'a language model'],
  ['package.json', json({ name: 'x', version: '1', scripts: {} }), 'a package.json'],
  ['tsconfig.json', json({ compilerOptions: {} }), 'a tsconfig.json'],
  ['openapi.json', json({ openapi: '3.1.0', paths: {} }), 'an OpenAPI description'],
  ['schema.json', json({ $schema: 'x', properties: {} }), 'a JSON schema'],
  ['notebook.json', json({ cells: [], nbformat: 4 }), 'a Jupyter notebook'],
  ['mcp.json', json({ mcpServers: {} }), 'the configuration of an MCP client'],
  ['map.json', json({ type: 'FeatureCollection', features: [] }), 'a GeoJSON file'],
  ['mif.json', json({ mif_version: '2.0', memories: [] }), 'a MIF document'],
  ['pam.json', json({ schema: 'portable-ai-memory', schema_version: '1.0', memories: [] }), 'a document of Portable AI Memory'],
  ['engram.json', json({ version: '1', sessions: [], observations: [] }), 'an export of engram or agentmemory'],
  ['request.json', json({ model: 'x', messages: [] }), 'a request to a language model'],
  ['other.json', json({ alpha: 1, beta: 2 }), 'JSON of no known program, with the keys alpha, beta'],
  ['index.json', json([{ index: 'x', mapping: { properties: { a: { type: 'text' } } } }]), 'JSON of no known program'],
  ['game.json', json({ agents: [{ name: 'a', health: 3 }], blocks: [1, 2] }), 'JSON of no known program'],
  [
    'telegram.json',
    json({ name: 'Chat', type: 'personal_chat', messages: [{ type: 'message', from: 'Ann', text: 'hi' }] }),
    'chat messages',
  ],
  ['tuning.jsonl', json({ messages: [{ role: 'user', content: 'hi' }] }), 'chat messages'],
  ['pino.jsonl', json({ level: 30, time: 1, pid: 1, msg: 'started' }), 'JSON of no known program, with the keys level'],
  ['broken.json', '{"entities": [}', 'damaged JSON'],
  ['page.html', '<!DOCTYPE html><html>', 'a web page'],
  ['feed.xml', '<?xml version="1.0"?><rss>', 'an XML document'],
  ['letter.rtf', '{\\rtf1\\ansi', 'an RTF document'],
  ['key.pem', '-----BEGIN PRIVATE KEY-----\n', 'a key or certificate'],
  ['mail.eml', 'Return-Path: <ann@example.org>\n', 'e-mail'],
  ['people.vcf', 'BEGIN:VCARD\n', 'a calendar or an address book'],
  ['dump.surql', 'OPTION IMPORT;\n', 'a dump of SurrealDB'],
  ['dump.sql', 'CREATE TABLE memories (id INTEGER);\n', 'an SQL dump'],
  ['run.sh', '#!/bin/sh\n', 'a script'],
  ['change.patch', 'diff --git a/x b/x\n', 'a patch'],
  ['server.log', '2026-01-01 10:00:00 started\n', 'a log file'],
  ['config.toml', 'name = "x"\n', 'a configuration file'],
  ['main.py', 'import os\n', 'source code'],
  ['numbers.csv', 'a,b\n1,2\n', 'a table without a column of texts'],
  ['plain.txt', 'Just some words.\n', 'plain text'],
  ['noise.bin', Buffer.from([1, 2, 3, 4, 5, 6, 7, 0, 200]), 'a binary file of no known kind'],
]

describe('a file of an unknown format is rejected with its apparent kind', () => {
  test.each(LOOK_ALIKES)('%s', async (name, content, seems) => {
    const found = await readText(name, content)
    expect([found.format, found.seems]).toEqual([undefined, expect.stringContaining(seems)])
  })

  test('databases of other programs and newer schemas, by their tables', async () => {
    await withFolder(async (folder) => {
      const seemsWith = async (name: string, sql: string) => {
        const db = openFile(join(folder, name))
        db.exec(sql)
        db.close()
        return (await readPath(join(folder, name))).seems
      }
      expect(await seemsWith('a.db', 'CREATE TABLE users (id INTEGER); CREATE TABLE posts (id INTEGER)')).toContain(
        'with the tables users, posts',
      )
      expect(await seemsWith('b.db', 'CREATE TABLE facts (id INTEGER); CREATE TABLE journal (seq INTEGER)')).toContain('a store of mneme')
      expect(await seemsWith('c.db', 'CREATE TABLE observations (id INTEGER)')).toContain('no known program')
      expect(await seemsWith('history.db', 'CREATE TABLE history (id TEXT, command TEXT, exit INTEGER)')).toContain(
        'with the tables history',
      )
      expect(
        await seemsWith('e.db', 'CREATE TABLE session (id TEXT); CREATE TABLE message (id TEXT); CREATE TABLE part (id TEXT)'),
      ).toContain('no known program')
      expect(await seemsWith('f.db', 'CREATE TABLE observations (species TEXT); CREATE TABLE sdk_sessions (id TEXT)')).toContain(
        'no known program',
      )
      expect(await seemsWith('d.db', 'CREATE TABLE embedding_metadata (id INTEGER)')).toContain('a Chroma database')
    })
  })

  test('a database of another layout costs its records, not the import', async () => {
    await withFolder(async (folder) => {
      const db = openFile(join(folder, 'opencode.db'))
      db.exec('CREATE TABLE session (id TEXT); CREATE TABLE message (id TEXT, data TEXT); CREATE TABLE part (id TEXT, data TEXT)')
      db.close()
      await expect(readPath(join(folder, 'opencode.db'))).rejects.toThrow(/opencode\.db has other tables than its format: no such column/)
    })
  })

  test('folders of stores that would run code or need their program', async () => {
    await withFolder(async (folder) => {
      await writeFiles(folder, {
        'qdrant/collection/mem0/storage.sqlite': 'x',
        'qdrant/meta.json': '{}',
        'lance/memories.lance/data.bin': 'x',
        'surreal/000001.sst': 'x',
      })
      expect((await readPath(join(folder, 'qdrant'))).seems).toContain('a local Qdrant store')
      expect((await readPath(join(folder, 'lance'))).seems).toContain('a LanceDB folder')
      expect((await readPath(join(folder, 'surreal'))).seems).toContain('a RocksDB folder')
    })
  })
})
