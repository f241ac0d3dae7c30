import { MemoryError } from '../../errors.js'

export const unknownMemory = (id: string): MemoryError => new MemoryError('not_found', `Memory not found: ${id}`)
export const unknownEntity = (id: string): MemoryError => new MemoryError('not_found', `Entity not found: ${id}`)
