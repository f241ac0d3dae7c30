import { openRam } from '../memory-backend/open.js'
import { storeContract } from './store.contract.js'

storeContract('in memory', (clock) => openRam({ clock }))
