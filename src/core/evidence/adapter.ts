import type { JsonObject } from '../encoding/json.js'
import type { Instant } from '../facts/fact.js'
import { isoInstant } from './iso-instant.js'

const INGEST_MODES = ['repo', 'file', 'markdown', 'web', 'pdf', 'conversation'] as const
export type IngestMode = (typeof INGEST_MODES)[number]

const ORIGINS: Readonly<Record<IngestMode, string>> = {
  repo: 'local_repo',
  file: 'local_file',
  markdown: 'local_file',
  pdf: 'local_file',
  web: 'remote_url',
  conversation: 'conversation',
}

/** Kinds of sources whose passages are text rather than code. */
export const DOCUMENT_MODES: readonly IngestMode[] = ['file', 'markdown', 'web', 'pdf', 'conversation']

/** How evidence was captured. It describes the capture and is not a memory. */
export function adapterOf(mode: IngestMode, stub: boolean): JsonObject {
  const repo = mode === 'repo'
  return {
    name: repo ? 'repo' : 'document',
    version: repo ? 'repo-adapter.v1' : 'document-adapter.v1',
    mode,
    supported_modes: repo ? ['repo'] : DOCUMENT_MODES,
    declared_transformations: repo
      ? ['repo_map', 'code_index', 'document_sections', 'source_segments']
      : stub
        ? ['binary_stub']
        : ['read_text', 'document_chunker.v1', 'source_segments'],
    default_privacy_class: ORIGINS[mode],
    origin_classification: ORIGINS[mode],
  }
}

export const freshnessOf = (fingerprint: string, index: Instant): JsonObject => ({
  checked_at: isoInstant(index),
  is_current: true,
  fingerprint,
})
