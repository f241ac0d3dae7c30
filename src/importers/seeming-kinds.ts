import type { ImportTree } from '../ports/importer.js'
import { outlineJson } from './json-outline.js'

/** What a file that no format recognises seems to be. */
interface SeemingKind {
  readonly seems: string
  readonly hint?: string
}

const QDRANT: SeemingKind = {
  seems: 'a local Qdrant store (the default of mem0 in Python), whose contents are Python pickles',
  hint: 'Save `json.dumps(memory.get_all(user_id=...))` to a file and import that.',
}
const PICKLE: SeemingKind = { seems: 'a Python pickle', hint: 'Reading it would run code. Export its contents as JSON.' }

/** File signatures in hexadecimal, with an offset if they are not at the start. */
const MAGIC_NUMBERS: readonly (readonly [hex: string, seems: string, hint?: string | undefined, offset?: number])[] = [
  ['255044462d', 'a PDF document', '`mneme ingest` captures documents as evidence.'],
  ['89504e47', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['47494638', 'a GIF image'],
  ['52494646', 'a RIFF file, such as a WebP image or a WAV recording'],
  ['504b0506', 'an empty zip archive'],
  ['504b0304', 'a zip archive'],
  ['1f8b', 'a gzip archive of something that is not known', 'Unpack it and import the files.'],
  ['28b52ffd', 'a zstd archive', 'Unpack it: zstd -d.'],
  ['425a68', 'a bzip2 archive', 'Unpack it: bunzip2.'],
  ['fd377a585a', 'an xz archive', 'Unpack it: xz -d.'],
  ['377abcaf271c', 'a 7-Zip archive', 'Unpack it and import the folder.'],
  ['526172211a07', 'a RAR archive', 'Unpack it and import the folder.'],
  ['7573746172', 'a tar archive', 'Unpack it and import the folder.', 257],
  ['d0cf11e0a1b11ae1', 'an old document of Microsoft Office'],
  ['7f454c46', 'a Linux program'],
  ['4d5a', 'a Windows program'],
  ['cffaedfe', 'a macOS program'],
  ['cafebabe', 'a Java class or a macOS program'],
  ['0061736d', 'a WebAssembly module'],
  ['50415231', 'a Parquet file', 'Convert it to CSV or JSON lines.'],
  ['4152524f5731', 'an Arrow file', 'Convert it to CSV or JSON lines.'],
  ['4f626a01', 'an Avro file', 'Convert it to JSON lines.'],
  ['894844460d0a1a0a', 'an HDF5 file'],
  ['934e554d5059', 'a NumPy array'],
  ['4944330', 'an MP3 recording'],
  ['4f676753', 'an Ogg recording'],
  ['667479', 'an MP4 video', undefined, 4],
  ['4c414e4345', 'a Lance dataset', 'Export its rows as JSON lines.'],
  ['4b555a55', 'a Kuzu database', 'Export its tables with COPY ... TO a CSV file.'],
  ['4c42554744', 'a Ladybug database', 'Export its tables with COPY ... TO a CSV file.'],
  ['67676d6c', 'a model of GGML'],
  ['47475546', 'a language model (GGUF)'],
  ['53747265616d446174', 'a stream of binary data'],
]

const JSON_KINDS: readonly (readonly [keys: readonly string[], seems: string, hint?: string])[] = [
  [['name', 'version', 'dependencies'], 'a package.json'],
  [['name', 'version', 'scripts'], 'a package.json'],
  [['lockfileVersion'], 'a package-lock.json'],
  [['compilerOptions'], 'a tsconfig.json'],
  [['openapi', 'paths'], 'an OpenAPI description'],
  [['swagger', 'paths'], 'a Swagger description'],
  [['$schema', 'properties'], 'a JSON schema'],
  [['cells', 'nbformat'], 'a Jupyter notebook'],
  [['mcpServers'], 'the configuration of an MCP client', '`mneme install` adds mneme to it.'],
  [['type', 'features'], 'a GeoJSON file'],
  [['log', 'entries'], 'an HTTP archive (HAR)'],
  [['log'], 'an HTTP archive (HAR)'],
  [
    ['mif_version', 'memories'],
    'a MIF document, which is not supported',
    'Save the list under "memories" as a file of its own and import that.',
  ],
  [
    ['schema_version', 'memories'],
    'a document of Portable AI Memory, which is not supported',
    'Save the list under "memories" as a file of its own and import that.',
  ],
  [['nodes', 'edges'], 'a JSON canvas or another graph'],
  [['version', 'sessions', 'observations'], 'an export of engram or agentmemory, which is not supported'],
  [['user', 'text', 'ts'], 'a channel of a Slack export, which is not supported'],
  [['messages', 'model'], 'a request to a language model'],
  [['messages'], 'a list of chat messages of no known client'],
]

const HINT = '`mneme import --help` lists the formats; --from names one, and --map names the columns of a table.'

/** Describes a tree by its first bytes, keys, tables and names. */
export async function seemingKind(tree: ImportTree): Promise<SeemingKind> {
  const paths = tree.entries.map(({ path }) => path)
  if (paths.some((path) => /(?:^|\/)collection\/[^/]+\/storage\.sqlite$/.test(path))) return QDRANT
  if (tree.kind !== 'file') return seemingFolder(tree, paths)
  const [entry] = tree.entries
  if (entry === undefined || (entry.size === 0 && (await tree.head(entry.path)).bytes.length === 0)) return { seems: 'an empty file' }
  const { bytes, text } = await tree.head(entry.path)
  const hex = Buffer.from(bytes.subarray(0, 512)).toString('hex')
  if (hex.startsWith(Buffer.from('SQLite format 3').toString('hex'))) return seemingDatabase(tree, entry.path)
  if (/^80(?:02|03|04|05)/.test(hex) || /\.(?:pkl|pickle)$/i.test(tree.name)) return PICKLE
  for (const [magic, seems, hint, offset = 0] of MAGIC_NUMBERS)
    if (hex.startsWith(magic, offset * 2)) return { seems, ...(hint === undefined ? {} : { hint }) }
  return seemingText(tree.name, text)
}

function seemingFolder(tree: ImportTree, paths: readonly string[]): SeemingKind {
  const has = (pattern: RegExp): boolean => paths.some((path) => pattern.test(path))
  const what = tree.kind === 'zip' ? 'an archive' : 'a folder'
  if (paths.length === 0) return { seems: `${what} without files` }
  if (tree.kind === 'zip') {
    if (has(/^word\/document\.xml$/)) return { seems: 'a Word document', hint: 'Save it as text or Markdown.' }
    if (has(/^xl\/workbook\.xml$/)) return { seems: 'an Excel workbook', hint: 'Save the sheet as CSV and import that.' }
    if (has(/^ppt\/presentation\.xml$/)) return { seems: 'a PowerPoint presentation' }
    if (has(/^META-INF\/MANIFEST\.MF$/)) return { seems: 'a Java archive' }
    if (has(/^META-INF\/container\.xml$/)) return { seems: 'an EPUB book' }
    if (has(/^content\.xml$/)) return { seems: 'an OpenDocument file', hint: 'Save it as text or CSV.' }
    if (has(/^AndroidManifest\.xml$/)) return { seems: 'an Android application' }
    if (has(/\.dist-info\/METADATA$/)) return { seems: 'a Python wheel' }
    if (has(/^manifest\.json$/) && has(/^CHECKSUMS/)) return { seems: 'a portable memory bundle (.mem), which is not supported' }
    if (has(/(?:^|\/)users\.json$/) && has(/^[^/]+\/\d{4}-\d{2}-\d{2}\.json$/)) return { seems: 'a Slack export, which is not supported' }
  }
  if (has(/\.lance\//)) return { seems: 'a LanceDB folder', hint: 'Export its rows as JSON lines.' }
  if (has(/(?:^|\/)rocksdb|\.sst$/))
    return { seems: 'a RocksDB folder, such as a SurrealDB store', hint: 'Use the JSON export of the program it belongs to.' }
  if (has(/(?:^|\/)package\.json$/)) return { seems: `${what} with a JavaScript project` }
  return { seems: `${what} without a file that is known`, hint: HINT }
}

async function seemingDatabase(tree: ImportTree, path: string): Promise<SeemingKind> {
  const db = await tree.database(path)
  try {
    const names = [...(db?.tables.keys() ?? [])]
    if (names.includes('facts') && names.includes('journal'))
      return {
        seems: 'a store of mneme',
        hint: 'Use it with --data-dir or restore it with `mneme restore`; `mneme export` writes what can be imported.',
      }
    if (names.length === 0) return { seems: 'an SQLite database without tables' }
    if (names.includes('embedding_metadata')) return { seems: 'a Chroma database without the drawers of MemPalace' }
    return {
      seems: `an SQLite database of no known program, with the tables ${names.slice(0, 6).join(', ')}${names.length > 6 ? ' and others' : ''}`,
      hint: 'It may be of a newer version. Use the export of the program it belongs to.',
    }
  } finally {
    await db?.close()
  }
}

function seemingText(name: string, text: string): SeemingKind {
  const start = text.trimStart().slice(0, 2000)
  if (/^<\?xml|^<(?:rss|feed|svg|plist|opml|gexf|graphml)\b/i.test(start)) return { seems: 'an XML document' }
  if (/^<!doctype html|^<html/i.test(start)) return { seems: 'a web page', hint: '`mneme ingest` captures pages as evidence.' }
  if (start.startsWith('{\\rtf')) return { seems: 'an RTF document', hint: 'Save it as text or Markdown.' }
  if (/^-----BEGIN [A-Z ]+-----/.test(start)) return { seems: 'a key or certificate, which is not read' }
  if (/^(?:From |Return-Path:|Received:|Delivered-To:)/.test(start)) return { seems: 'e-mail' }
  if (/^BEGIN:V(?:CARD|CALENDAR)/.test(start)) return { seems: 'a calendar or an address book' }
  if (/^OPTION IMPORT;|^DEFINE (?:TABLE|NAMESPACE)/m.test(start))
    return { seems: 'a dump of SurrealDB', hint: 'Use the JSON lines of `export_memory`.' }
  if (/^(?:--|CREATE TABLE|INSERT INTO|PRAGMA |BEGIN TRANSACTION|SET )/i.test(start))
    return { seems: 'an SQL dump', hint: 'Load it into its database and use the export of the program.' }
  if (/^#!/.test(start)) return { seems: 'a script' }
  if (/^(?:diff --git|---\s+a\/|Index: )/.test(start)) return { seems: 'a patch' }
  const outline = outlineJson(text)
  if (outline !== undefined) {
    const known = JSON_KINDS.find(([keys]) => keys.every((key) => outline.keys.has(key)))
    if (known !== undefined) return { seems: known[1], ...(known[2] === undefined ? {} : { hint: known[2] }) }
    const keys = [...outline.keys].slice(0, 8)
    return { seems: `JSON of no known program${keys.length === 0 ? '' : `, with the keys ${keys.join(', ')}`}`, hint: HINT }
  }
  if (/^[{[]/.test(start)) return { seems: 'damaged JSON' }
  if (hasControls(text.slice(0, 4096))) return { seems: 'a binary file of no known kind' }
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(start)) return { seems: 'a log file' }
  if (/\.(?:ya?ml|toml|ini|cfg|env)$/i.test(name)) return { seems: 'a configuration file' }
  if (/\.(?:ts|js|py|go|rs|java|c|cpp|rb|php|sh|sql|css)$/i.test(name))
    return { seems: 'source code', hint: '`mneme index` indexes projects.' }
  if (/\.(?:csv|tsv)$/i.test(name))
    return { seems: 'a table without a column of texts', hint: 'Name the column: --from table --map content=<column>.' }
  return { seems: 'plain text', hint: 'To import it as notes, give it the ending .md or use --from markdown.' }
}

const hasControls = (text: string): boolean => /[\0-\x08\x0e-\x1a]/.test(text)
