import type { AttestationMode, TrustMode } from '../core/access/attestation.js'
import type { CodeRecipe } from '../core/code/search/recipe.js'
import type { JsonObject } from '../core/encoding/json.js'
import type { Recipe } from '../core/recall/recipe/recipe.js'
import type { Thresholds } from '../core/recall/similarity.js'
import type { SanitiserMode } from '../core/text/sanitiser.js'

/** Settings of an operator, taken from the configuration. */
export interface EngineSettings {
  readonly defaultOwner: string
  /** Owner of queries that name none; all owners if undefined. */
  readonly askedOwner: string | undefined
  readonly maxContentBytes: number
  readonly maxMetadataBytes: number
  /** Whether secrets in stored texts are masked. */
  readonly maskSecrets: boolean
  /** Whether erasing everything keeps a copy. */
  readonly resetCopy: boolean
  /** Whether recall finds passages of captured documents. */
  readonly recallDocuments: boolean
  readonly recipe: Recipe
  readonly codeRecipe: CodeRecipe
  readonly graph: GraphSettings
  readonly statements: StatementSettings
  /** Polling interval of peers. */
  readonly federation: { readonly everySeconds: number }
  /** Retention of the delivery log in days; 0 disables it. */
  readonly deliveryDays: number
  readonly capture: { readonly mode: 'off' | 'statements' | 'turns'; readonly turnDays: number; readonly recallMs: number }
}

export interface GraphSettings {
  /** Character limit of a node's text. */
  readonly maxTextLength: number
  readonly minTtlDays: number
  readonly maxTtlDays: number
  readonly thresholds: Thresholds
  readonly searchCache: { readonly enabled: boolean; readonly size: number; readonly ttlSeconds: number }
  /** Owners whose facts are maintained, and the duration of job leases. */
  readonly jobs: { readonly owners: readonly string[]; readonly allOwners: boolean; readonly leaseSeconds: number }
  readonly embeddingCache: { readonly enabled: boolean; readonly size: number }
}

/** Settings of statements, their recall, cards and decay. */
export interface StatementSettings {
  readonly attestation: AttestationMode
  readonly trust: TrustMode
  readonly sanitiser: SanitiserMode
  readonly cursorSeconds: number
  readonly cardSeconds: number
  /** Maximum wait of a reader for a card. */
  readonly cardWaitMs: number
  /** The provider of vectors, and their dimensions if truncated. */
  readonly embedding: { readonly provider: string; readonly truncated: number | null }
  /** Decay policies from the configuration. */
  readonly policies: readonly JsonObject[]
  /** Whether callers may request debug information. */
  readonly recallDebug: boolean
}
