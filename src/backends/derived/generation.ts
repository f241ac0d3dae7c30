import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Which of the copies in a folder is the one that counts. */
export interface Generation {
  /** Of the table or file. */
  readonly name: string
  readonly model: string
}

const FILE = 'current.json'
let made = 0

const isGeneration = (value: unknown): value is Generation =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'model' in value &&
  typeof value.model === 'string'

/** Undefined until there is one. */
export async function readGeneration(folder: string): Promise<Generation | undefined> {
  try {
    const read: unknown = JSON.parse(await readFile(join(folder, FILE), 'utf8'))
    return isGeneration(read) ? read : undefined
  } catch (failure) {
    if (failure instanceof SyntaxError || (failure instanceof Error && 'code' in failure)) return undefined
    throw failure
  }
}

/** From here on everyone reads the other copy. */
export async function switchGeneration(folder: string, to: Generation): Promise<void> {
  await mkdir(folder, { recursive: true })
  const beside = join(folder, `.${process.pid}-${++made}.tmp`)
  await writeFile(beside, JSON.stringify(to))
  await rename(beside, join(folder, FILE))
}

/** A name that nobody else takes. */
export const newName = (prefix: string, now: number): string => `${prefix}_${now.toString(36)}_${process.pid}_${++made}`
