import type { AttestationMode, TrustMode } from '../core/access/attestation.js'
import type { JsonObject } from '../core/encoding/json.js'
import type { Recipe } from '../core/recall/recipe.js'
import type { Thresholds } from '../core/recall/similarity.js'
import type { SanitiserMode } from '../core/text/sanitiser.js'

/** What an operator may set; the surfaces fill it from the configuration. */
export interface EngineSettings {
  readonly defaultOwner: string
  /** Whose memories a question without an owner looks at; everyone's when undefined. */
  readonly askedOwner: string | undefined
  readonly maxContentBytes: number
  readonly maxMetadataBytes: number
  /** Whether secrets in what is stored are masked. */
  readonly maskSecrets: boolean
  /** Whether erasing everything keeps a copy. */
  readonly resetCopy: boolean
  readonly recipe: Recipe
  readonly graph: GraphSettings
  readonly statements: StatementSettings
  /** How often peers are asked for new facts. */
  readonly federation: { readonly everySeconds: number }
  /** What hooks keep of conversations, for how many days turns are kept, and how long a prompt waits for what is known. */
  /** How many days the log of deliveries goes back; 0 keeps none. */
  readonly deliveryDays: number
  readonly capture: { readonly mode: 'off' | 'statements' | 'turns'; readonly turnDays: number; readonly recallMs: number }
}

export interface GraphSettings {
  /** Characters of a node's text. */
  readonly maxTextLength: number
  readonly minTtlDays: number
  readonly maxTtlDays: number
  readonly thresholds: Thresholds
  readonly searchCache: { readonly enabled: boolean; readonly size: number; readonly ttlSeconds: number }
  /** Whose facts maintenance treats, and how long it may hold its lease without a sign of life. */
  readonly jobs: { readonly owners: readonly string[]; readonly allOwners: boolean; readonly leaseSeconds: number }
  readonly embeddingCache: { readonly enabled: boolean; readonly size: number }
}

/** What concerns statements, their recall, their cards and how they fade. */
export interface StatementSettings {
  readonly attestation: AttestationMode
  readonly trust: TrustMode
  readonly sanitiser: SanitiserMode
  readonly cursorSeconds: number
  readonly cardSeconds: number
  /** Where vectors come from, and whether they are cut to fewer dimensions than the model makes. */
  readonly embedding: { readonly provider: string; readonly truncated: number | null }
  /** By which statements fade, as the operator wrote them. */
  readonly policies: readonly JsonObject[]
  /** Whether a caller may ask how its answer came about. */
  readonly recallDebug: boolean
}
