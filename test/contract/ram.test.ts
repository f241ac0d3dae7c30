import { openRam } from '../ram/open.js'
import { storeContract } from './store.contract.js'

storeContract('in memory', (clock) => openRam({ clock }))
