import { type Contract, contract } from '../contract.js'
import { activity } from './activity.js'
import { ask } from './ask.js'
import { browse } from './browse.js'
import { decide } from './decide.js'
import { deleteMany } from './delete.js'
import { edit } from './edit.js'
import { end } from './end.js'
import { entities } from './entities.js'
import { entity } from './entity.js'
import { fact } from './fact.js'
import { mark } from './mark.js'
import { mergeEntities, separateEntities } from './merge-entities.js'
import { overview } from './overview.js'
import { restore } from './restore.js'
import { review } from './review.js'
import { settings } from './settings.js'
import { supersede } from './supersede.js'
import { tag } from './tag.js'
import { timeline } from './timeline.js'
import { told } from './told.js'
import { undo } from './undo.js'
import { whyNot } from './why-not.js'

/** Operations that only the console needs; served to the console only. */
export const consoleContract: Contract = contract({
  name: 'console',
  title: 'Console',
  instructions: '',
  audience: 'operator',
  operations: [
    overview,
    browse,
    fact,
    ask,
    whyNot,
    told,
    review,
    activity,
    timeline,
    entities,
    entity,
    edit,
    supersede,
    end,
    restore,
    deleteMany,
    tag,
    mark,
    decide,
    undo,
    mergeEntities,
    separateEntities,
    settings,
  ],
})
