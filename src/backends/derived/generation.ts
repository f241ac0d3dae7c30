import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The current copy in a folder. */
export interface Generation {
  /** Name of the table or file. */
  readonly name: string
  readonly model: string
}

const CURRENT_FILE = 'current.json'
let made = 0

const isGeneration = (value: unknown): value is Generation =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'model' in value &&
  typeof value.model === 'string'

/** Undefined if there is none. */
export async function readGeneration(folder: string): Promise<Generation | undefined> {
  try {
    const read: unknown = JSON.parse(await readFile(join(folder, CURRENT_FILE), 'utf8'))
    return isGeneration(read) ? read : undefined
  } catch (failure) {
    if (failure instanceof SyntaxError || (failure instanceof Error && 'code' in failure)) return undefined
    throw failure
  }
}

/** Makes another copy the current one. */
export async function switchGeneration(folder: string, to: Generation): Promise<void> {
  await mkdir(folder, { recursive: true })
  const temporary = join(folder, `.${process.pid}-${++made}.tmp`)
  // What is left of an ended process, or a link.
  await rm(temporary, { force: true })
  await writeFile(temporary, JSON.stringify(to), { flag: 'wx' })
  await rename(temporary, join(folder, CURRENT_FILE))
}

/** A unique name. */
export const newName = (prefix: string, now: number): string => `${prefix}_${now.toString(36)}_${process.pid}_${++made}`
