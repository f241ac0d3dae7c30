import { openRam } from '../../src/backends/ram/open.js'
import { storeContract } from './store.contract.js'

storeContract('in memory', (clock) => openRam({ clock }))
