import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { EVENTUALLY } from '../eventually.js'
import { type Ended, type Program, type StartOptions, startProgram } from './program.js'

export const HASH = ['--embedder', 'hash', '--log-level', 'error']
/** Tests stop it; where one is cut off, it ends by itself after two minutes. */
export const SHARED = { MNEME_SHARED: 'on', MNEME_KEEP_WARM: '2' }

export const startWarm = (folder: string, args: readonly string[], options: StartOptions = {}): Program =>
  startProgram([...args, '--data-dir', folder, ...HASH], { keepOutput: true, ...options, env: { ...SHARED, ...options.env } })

export function warm(folder: string, args: readonly string[], options: StartOptions & { readonly input?: string } = {}): Promise<Ended> {
  const program = startWarm(folder, args, options)
  program.child.stdin.end(options.input ?? '')
  return program.ended()
}

/** Ids of the shared processes of a data directory. */
export function sharedProcesses(folder: string): readonly number[] {
  if (!existsSync('/proc/self/cmdline')) throw new Error('These tests read /proc.')
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const words = commandLine(name)
    return words.includes('shared-process') && words.includes(folder) ? [Number(name)] : []
  })
}

function commandLine(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    // It has ended.
    return []
  }
}

/** Of several that start at once all but one end again, each once it has found the lock taken. */
export const oneLeft = (folder: string): Promise<unknown> => expect.poll(() => sharedProcesses(folder), EVENTUALLY).toHaveLength(1)

export const noneLeft = (folder: string): Promise<unknown> => expect.poll(() => sharedProcesses(folder), EVENTUALLY).toEqual([])
