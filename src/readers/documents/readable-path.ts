import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { MemoryError } from '../../errors.js'

export interface PathRules {
  /** Folders below which files may be read; empty is everywhere. */
  readonly roots: readonly string[]
  /** For a process that answers others: without roots nothing may be read. */
  readonly needsRoots: boolean
}

const forbidden = (message: string, hint: string): MemoryError => new MemoryError('forbidden', message, { hint })

/** Where a path leads once all links are followed; undefined when there is nothing. Rejects what may not be read. */
export async function readablePath(path: string, { roots, needsRoots }: PathRules, noun: string): Promise<string | undefined> {
  if (path.includes('\0') || !isAbsolute(path))
    throw new MemoryError('invalid_input', `${noun} path is not absolute: ${path.slice(0, 500)}`, {
      hint: 'Give the whole path, such as /home/me/guide.md.',
    })
  if (roots.length === 0 && needsRoots)
    throw forbidden(
      `${noun} path may not be read by a server without roots: ${path}`,
      'Start it with MNEME_INGEST_ROOTS=<folders>, separated by commas; over stdio no roots are needed.',
    )
  const real = await realpath(path).catch((failure: unknown) => {
    if (failure instanceof Error && 'code' in failure) return undefined
    throw failure
  })
  if (roots.length === 0) return real
  // What is not there tells nothing about what lies outside of the roots either.
  const inside = await Promise.all(roots.map(async (root) => isBelow(real ?? path, await realpath(root).catch(() => root))))
  if (!inside.includes(true))
    throw forbidden(
      `${noun} path lies outside of the roots that may be read: ${path}`,
      `MNEME_INGEST_ROOTS names them: ${roots.join(', ')}.`,
    )
  return real
}

function isBelow(path: string, root: string): boolean {
  const steps = relative(root, path)
  return steps === '' || (steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps))
}
