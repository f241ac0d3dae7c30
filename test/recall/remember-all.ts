import { remember } from '../../src/engine/facts/remember.js'
import type { World } from '../graph/world.js'

/** Input of a new fact. */
export type Said = Parameters<typeof remember>[2][number]

/** Stores facts and returns their ids. */
export const rememberAll = async (world: World, statements: readonly Said[]): Promise<readonly string[]> =>
  (await remember(world.environment, { actor: 'test' }, statements)).map(({ id }) => id)
