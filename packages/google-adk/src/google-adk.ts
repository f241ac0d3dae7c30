import type { BaseMemoryService } from '@google/adk'
import type { MemoryClient } from 'mneme/client'
import { createMemoryService, type MemoryServiceOptions } from './memory-service.js'

export type { MemoryServiceOptions } from './memory-service.js'

/** The memory service of a runner. */
export const mnemeMemoryService = (memory: MemoryClient, options: MemoryServiceOptions = {}): BaseMemoryService =>
  createMemoryService(memory, options)
