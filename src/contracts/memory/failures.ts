import { MemoryError } from '../../errors.js'

export const unknownMemory = (id: string): MemoryError => new MemoryError('not_found', `Memory not found: ${id}`)
export const unknownEntity = (id: string): MemoryError =>
  new MemoryError('not_found', `Entity not found: ${id}`, {
    hint: 'Give an id or the exact name of an entity. create_entity makes one, or answers the one of that name; recall finds memories, search_code finds code.',
  })
