import { betaMemoryTool, type MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import type { MemoryClient } from 'mneme/client'
import { createHandlers, type HandlerOptions } from './handlers.js'

export type { HandlerOptions } from './handlers.js'

/** Handlers of Claude's memory tool over a memory. */
export const mnemeMemoryHandlers = (memory: MemoryClient, options: HandlerOptions = {}): MemoryToolHandlers => {
  const handlers = createHandlers(memory, options)
  return {
    view: (command) => handlers.view({ ...command }),
    create: (command) => handlers.create({ ...command }),
    str_replace: (command) => handlers.str_replace({ ...command }),
    insert: (command) => handlers.insert({ ...command }),
    delete: (command) => handlers.delete({ ...command }),
    rename: (command) => handlers.rename({ ...command }),
  }
}

/** Claude's memory tool for `toolRunner`. */
export const mnemeMemoryTool = (memory: MemoryClient, options: HandlerOptions = {}) => betaMemoryTool(mnemeMemoryHandlers(memory, options))
