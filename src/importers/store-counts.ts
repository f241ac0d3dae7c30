import type { Instant } from '../core/facts/fact.js'
import type { Importer, ImportRecord, ImportTree } from '../ports/importer.js'

/** Limits of what is read to list a store; a year of transcripts would take minutes. */
const MAX_RECORDS = 20_000
const MAX_BYTES = 64 * 1024 * 1024

const KIND_NAMES: Readonly<Partial<Record<ImportRecord['kind'], string>>> = {
  fact: 'memories',
  entity: 'entities',
  relation: 'relations',
  source: 'documents',
  conversation: 'conversations',
}

interface StoreCounts {
  readonly records: Readonly<Record<string, number>>
  readonly isCounted: boolean
}

/** Counts the records of a store by kind, up to a limit. A store that cannot be read further counts up to there. */
export async function countRecords(tree: ImportTree, importer: Importer, now: Instant): Promise<StoreCounts> {
  const records: Record<string, number> = {}
  const start = tree.bytesRead()
  let all = 0
  try {
    for await (const { kind } of importer.read(tree, { map: new Map(), now })) {
      const name = KIND_NAMES[kind]
      if (name !== undefined) records[name] = (records[name] ?? 0) + 1
      if (++all >= MAX_RECORDS || tree.bytesRead() - start > MAX_BYTES) return { records, isCounted: false }
    }
  } catch {
    return { records, isCounted: false }
  }
  return { records, isCounted: true }
}
