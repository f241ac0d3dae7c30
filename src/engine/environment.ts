import type { Backend } from '../ports/backend.js'
import type { Clock } from '../ports/clock.js'
import type { Sketcher } from '../ports/code-index.js'
import type { Embedder } from '../ports/embedder.js'
import type { Ids } from '../ports/ids.js'
import type { CodeMemory } from './code/code-memory.js'
import type { Vectoriser } from './jobs/vectorise.js'
import type { SecondLook } from './search/second-look.js'
import type { EngineSettings } from './settings.js'

/** Where background work reports; never on the way of a call. */
export interface Diary {
  warn(message: string, details?: Readonly<Record<string, unknown>>): void
}

/** Everything a use case works with. */
export interface Environment {
  readonly version: string
  readonly backend: Backend
  readonly embedder: Embedder
  readonly vectoriser: Vectoriser
  readonly secondLook: SecondLook
  readonly sketcher: Sketcher
  readonly code: CodeMemory
  readonly clock: Clock
  readonly ids: Ids
  readonly settings: EngineSettings
  readonly diary: Diary
}
