import type { Fact } from '../core/facts/fact.js'
import type { Language } from '../core/language/language-of.js'
import type { ScoredCandidate } from '../core/recall/candidate.js'
import type { Span } from '../core/text/pieces.js'
import type { StoragePorts } from '../ports/backend.js'
import type { Clock } from '../ports/clock.js'
import type { RoughEmbedder } from '../ports/code-index.js'
import type { DerivedBackends, DerivedKind } from '../ports/derived-index.js'
import type { DocumentReader } from '../ports/document-reader.js'
import type { Embedder } from '../ports/embedder.js'
import type { Ids } from '../ports/ids.js'
import type { ImportSources } from '../ports/importer.js'
import type { Self } from '../ports/jobs.js'
import type { LanguageData } from '../ports/language-data.js'
import type { NodeIdentity, PeerTransport } from '../ports/node-identity.js'
import type { ProjectResolver } from '../ports/project-resolver.js'
import type { RerankerStatus } from '../ports/reranker.js'
import type { Trash } from '../ports/trash.js'
import type { LinkIndex } from '../ports/view.js'
import type { EngineSettings } from './settings.js'

/** Log of background work. */
export interface EngineLog {
  warn(message: string, details?: Readonly<Record<string, unknown>>): void
}

/** The ports and settings of a process, before a call restricts them; background work runs on it. */
export interface Environment extends StoragePorts {
  readonly version: string
  readonly embedder: Embedder
  readonly embedding: EmbeddingPipeline
  readonly rerankStage: RerankStage
  readonly roughEmbedder: RoughEmbedder
  readonly languageData: LanguageData
  readonly projects: ProjectResolver
  /** Files, pages and PDFs that are captured as evidence. */
  readonly documents: DocumentReader
  /** Foreign stores that can be imported. */
  readonly imports: ImportSources
  /** Optional databases derived from the store; null if unsupported. */
  readonly derived: DerivedBackends | null
  /** Markdown pages of objects. */
  readonly projections: Projections
  readonly clock: Clock
  /** Identifies this process in leases. */
  readonly self: Self
  readonly ids: Ids
  readonly settings: EngineSettings
  readonly log: EngineLog
  /** Deleted facts that can be restored for a while. */
  readonly trash: Trash
  /** The identity of this node; its key is created on first use. */
  node(): Promise<NodeIdentity>
  readonly peerTransport: PeerTransport
}

/** Embeds every stored text: immediately if the model is ready, otherwise later. */
export interface EmbeddingPipeline {
  /**
   * Embeds facts just stored; `facts` saves reading them again. Waits briefly, skips a model that has just failed, and never fails itself.
   */
  now(ids: readonly string[], facts?: readonly Fact[]): Promise<void>
  /** Embeds a small backlog before a search, within the same short wait. */
  embedPending(): Promise<void>
  /** The vector of a query. Rejects with "not ready" if none is available, immediately if that is known. */
  query(text: string, signal: AbortSignal): Promise<Float32Array>
  /** Why the model cannot embed, or null. Tests the model unless it has just worked. */
  problem(): Promise<string | null>
  /** Starts work on the backlog of all processes, unless another process does it. */
  drain(): void
  /** Embeds the backlog and waits for it, also for the part that another process works on. Returns the number of texts. */
  finish(progress: (done: number, total: number) => void, signal: AbortSignal): Promise<number>
  /** Embeds all rows again with the configured model, whatever model the store had. */
  rebuild(progress: (done: number, total: number) => void, signal: AbortSignal): Promise<number>
  /** Prepares the store for the configured model; rejects a store with vectors of another one. */
  prepare(): Promise<void>
  close(): Promise<void>
}

/** `unneeded`: it would not have changed the order. `missed`: it was required and failed. */
export interface RerankOutcome {
  readonly state: 'used' | 'off' | 'unneeded' | 'missed'
  /** Why it was missed. */
  readonly reason: string | null
}

/** A long text with its most relevant spans, best first. */
export interface ExcerptedText {
  readonly text: string
  readonly spans: readonly Span[]
}

/** Input of the rerank stage. */
export interface RerankInput {
  /** Best first. */
  readonly ranked: readonly ScoredCandidate[]
  /** Number of results: candidates that cannot be among them are not read. */
  readonly limit: number
  /** What one unit of a raw score adds to a score. */
  readonly gain: number
  /** The ranking with these raw scores, by row. */
  order(scores: ReadonlyMap<number, number>): readonly ScoredCandidate[]
  readonly links: Pick<LinkIndex, 'surroundings'>
  /** Terms of the query. */
  readonly terms: readonly string[]
  /** Possible languages of the original query; none for English. */
  readonly languages: readonly Language[]
  /** The most relevant spans of long candidates by row, at most `most` of each. */
  excerpts(best: readonly ScoredCandidate[], most: number): Promise<ReadonlyMap<number, ExcerptedText>>
}

export interface RerankResult {
  readonly outcome: RerankOutcome
  /** Raw scores by row; empty unless the outcome is `used`. */
  readonly scores: ReadonlyMap<number, number>
}

/** Scores the top candidates with a model that reads query and memory together. */
export interface RerankStage {
  /** Rejects only if the call is cancelled. */
  rerankTop(query: string, input: RerankInput, signal: AbortSignal): Promise<RerankResult>
  /** Why the reranker cannot work, if so; loads it to find out. */
  diagnose(signal: AbortSignal): Promise<string | undefined>
  /** Null without a reranker. */
  status(): RerankerStatus | null
  close(): Promise<void>
}

/** Markdown pages of objects, generated as they change. */
export interface Projections {
  readonly enabled: boolean
  /** Updates the pages of an owner to the last commit. */
  follow(owner: string): Promise<void>
  /** The same, soon and in the background. */
  wake(owners: readonly string[]): void
  clear(owners: readonly string[] | 'everyone'): Promise<void>
  /** Rewrites every page of an owner; returns their number. */
  rebuild(owner: string): Promise<number>
  /** Objects with a missing or outdated page, and the number of journal entries not applied yet. */
  diagnose(owner: string): Promise<{ readonly missing: readonly string[]; readonly stale: readonly string[]; readonly behind: number }>
  close(): Promise<void>
}

export interface Rebuilt {
  readonly objects: number
  readonly relations: number
}

/** Updates derived databases that an owner has configured. */
export interface DerivedIndexSync {
  /** Rebuilds one database for every owner stored in it. */
  rebuild(kind: DerivedKind, owner: string): Promise<Rebuilt>
  /** Updates them to the last commit. */
  follow(owner: string): Promise<void>
  /** The same, soon and in the background. */
  wake(owners: readonly string[]): void
  close(): Promise<void>
}
