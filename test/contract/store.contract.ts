import { afterEach, beforeEach, describe } from 'vitest'
import type { Backend } from '../../src/ports/backend.js'
import type { Clock } from '../../src/ports/clock.js'
import { arrangementsContract } from './arrangements.contract.js'
import { backlogContract } from './backlog.contract.js'
import { callsContract } from './calls.contract.js'
import { commitContract } from './commit.contract.js'
import { deliveriesContract } from './deliveries.contract.js'
import { facetsContract } from './facets.contract.js'
import { fieldsContract } from './fields.contract.js'
import { jobsContract } from './jobs.contract.js'
import { journalContract } from './journal.contract.js'
import { linksContract } from './links.contract.js'
import { ownersContract } from './owners.contract.js'
import { piecesContract } from './pieces.contract.js'
import { readsContract } from './reads.contract.js'
import { handClock } from './samples.js'
import { sourcesContract } from './sources.contract.js'
import { statementsContract } from './statements.contract.js'

/** Opens an empty store of the tested backend. */
export type OpenBackend = (clock: Clock) => Promise<Backend>

export interface Bench {
  readonly backend: Backend
  readonly clock: ReturnType<typeof handClock>
}

/** The guarantees of the `Backend` port, for any implementation. */
export function storeContract(name: string, open: OpenBackend): void {
  describe(name, () => {
    let bench: Bench
    beforeEach(async () => {
      const clock = handClock()
      bench = { clock, backend: await open(clock) }
    })
    afterEach(async () => {
      await bench.backend.close()
    })
    const current = (): Bench => bench
    commitContract(current)
    callsContract(current)
    readsContract(current)
    journalContract(current)
    ownersContract(current)
    arrangementsContract(current)
    linksContract(current)
    facetsContract(current)
    deliveriesContract(current)
    fieldsContract(current)
    statementsContract(current)
    sourcesContract(current)
    backlogContract(current)
    piecesContract(current)
    jobsContract(current)
  })
}
