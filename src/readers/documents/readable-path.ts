import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { MemoryError } from '../../errors.js'

export interface PathRules {
  /** Folders below which files may be read; empty allows all. */
  readonly roots: readonly string[]
  /** For a server: without roots, no file may be read. */
  readonly needsRoots: boolean
  /** The folder of the store: it holds the memories of every owner, and is never read as a document. */
  readonly dataDir?: string
}

const forbidden = (message: string, hint: string): MemoryError => new MemoryError('forbidden', message, { hint })

/** The path with links resolved; undefined if it does not exist. Rejects forbidden paths. */
export async function readablePath(path: string, rules: PathRules, noun: string): Promise<string | undefined> {
  const { roots, needsRoots } = rules
  if (path.includes('\0') || !isAbsolute(path))
    throw new MemoryError('invalid_input', `${noun} path is not absolute: ${path.slice(0, 500)}`, {
      hint: 'Pass an absolute path, such as /home/me/guide.md.',
    })
  if (roots.length === 0 && needsRoots)
    throw forbidden(
      `${noun} path is not readable: the server has no roots: ${path}`,
      'Start it with MNEME_INGEST_ROOTS=<folders>, separated by commas; over stdio no roots are needed.',
    )
  const real = await realpath(path).catch((failure: unknown) => {
    if (failure instanceof Error && 'code' in failure) return undefined
    throw failure
  })
  if (real !== undefined) await refuseStore(real, rules)
  if (roots.length === 0) return real
  // An absent path outside of the roots gives the same error, so that existence is not revealed.
  const inside = await Promise.all(roots.map(async (root) => isBelow(real ?? path, await realpath(root).catch(() => root))))
  if (!inside.includes(true))
    throw forbidden(`${noun} path is outside of the allowed roots: ${path}`, `MNEME_INGEST_ROOTS lists them: ${roots.join(', ')}.`)
  return real
}

/** Rejects a real path below the folder of the store. */
export async function refuseStore(real: string, { dataDir }: PathRules): Promise<void> {
  if (dataDir === undefined || !isBelow(real, await realpath(dataDir).catch(() => dataDir))) return
  throw forbidden(`${real} is part of the data directory of mneme, which holds the memories of every owner.`, 'Name another folder.')
}

export function isBelow(path: string, root: string): boolean {
  const steps = relative(root, path)
  return steps === '' || (steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps))
}
