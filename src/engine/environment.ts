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

/** Where background work reports; never on the way of a call. */
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
  /** Databases that follow the store where their packages are installed; null where none can be had. */
  readonly derived: DerivedBackends | null
  /** Pages that show what is remembered. */
  readonly projections: Projections
  readonly clock: Clock
  /** This process, as holders of leases see it. */
  readonly self: Self
  readonly ids: Ids
  readonly settings: EngineSettings
  readonly log: EngineLog
  /** Deleted facts that can be restored for a while. */
  readonly trash: Trash
  /** Who this node is among others; its key is made on first need. */
  node(): Promise<NodeIdentity>
  readonly peerTransport: PeerTransport
}

/** Keeps every stored text on its way to a vector: at once where the model is ready, later where it is not. */
export interface EmbeddingPipeline {
  /**
   * Embeds facts just stored, as they were stored where they are given; waits a little for them, not for a model that has
   * just failed, and never fails because of it.
   */
  now(ids: readonly string[], facts?: readonly Fact[]): Promise<void>
  /** Before a search: facts that still wait are embedded first, if they are few, within the same little wait. */
  embedPending(): Promise<void>
  /** A question's vector. Rejects with the contracts' "not ready" when none can be had, at once where that is known. */
  query(text: string, signal: AbortSignal): Promise<Float32Array>
  /** What keeps the model from making vectors, or null; asks it, within the same little wait, unless it has just worked. */
  problem(): Promise<string | null>
  /** Starts work on the backlog of all processes, if nobody else is at it. */
  drain(): void
  /** Embeds everything anew, with the configured model whatever the store held before. */
  rebuild(progress: (done: number, total: number) => void, signal: AbortSignal): Promise<number>
  /** Makes the store ready for the configured model, refusing to mix it with another's vectors. */
  prepare(): Promise<void>
  close(): Promise<void>
}

/** `unneeded`: it would not have changed the order. `missed`: it should have been asked and could not be. */
export interface RerankOutcome {
  readonly state: 'used' | 'off' | 'unneeded' | 'missed'
  /** Why it was missed. */
  readonly reason: string | null
}

/** A long text with the stretches that tell most, the best first. */
export interface ExcerptedText {
  readonly text: string
  readonly spans: readonly Span[]
}

/** What the judge is given of a first stage. */
export interface RerankInput {
  /** Best first. */
  readonly ranked: readonly ScoredCandidate[]
  readonly links: Pick<LinkIndex, 'surroundings'>
  /** Of the query. */
  readonly terms: readonly string[]
  /** What the query may be written in, before it was read in English; none where it is English. */
  readonly languages: readonly Language[]
  /** Where the long ones among these answer, by row, and so many places of each. */
  excerpts(best: readonly ScoredCandidate[], most: number): Promise<ReadonlyMap<number, ExcerptedText>>
}

export interface Judgement {
  readonly outcome: RerankOutcome
  /** Raw scores by row; empty unless the outcome is `used`. */
  readonly scores: ReadonlyMap<number, number>
}

/** Scores the best of a first stage with a model that reads query and memory together. */
export interface RerankStage {
  /** Fails only when the call itself is cancelled. */
  rerankTop(query: string, input: RerankInput, signal: AbortSignal): Promise<Judgement>
  /** What keeps the reranker from working, if anything; loads it to find out. */
  diagnose(signal: AbortSignal): Promise<string | undefined>
  /** Null where there is no reranker. */
  status(): RerankerStatus | null
  close(): Promise<void>
}

/** Markdown pages of objects, generated as they change. */
export interface Projections {
  readonly enabled: boolean
  /** Brings the pages of an owner up to all that is committed. */
  follow(owner: string): Promise<void>
  /** The same in a moment, behind the calls. */
  wake(owners: readonly string[]): void
  clear(owners: readonly string[] | 'everyone'): Promise<void>
  /** Writes every page of an owner anew; answers how many. */
  rebuild(owner: string): Promise<number>
  /** Objects without a page, or with one that shows something else; and how many entries of the journal are not followed yet. */
  diagnose(owner: string): Promise<{ readonly missing: readonly string[]; readonly stale: readonly string[]; readonly behind: number }>
  close(): Promise<void>
}

export interface Rebuilt {
  readonly objects: number
  readonly relations: number
}

/** Keeps databases that are derived from the store in step with it, as far as an owner has configured any. */
export interface DerivedIndexSync {
  /** Builds one anew, for everyone whom it holds, whoever asks for it. */
  rebuild(kind: DerivedKind, owner: string): Promise<Rebuilt>
  /** Brings them up to all that is committed. */
  follow(owner: string): Promise<void>
  /** The same in a moment, behind the calls. */
  wake(owners: readonly string[]): void
  close(): Promise<void>
}
