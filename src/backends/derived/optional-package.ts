import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MemoryError } from '../../errors.js'
import type { DerivedKind, OptionalPackage } from '../../ports/derived-index.js'

const PACKAGES: Readonly<Record<DerivedKind, { readonly name: string; readonly version: string }>> = {
  lancedb: { name: '@lancedb/lancedb', version: '0.37.1' },
  kuzu: { name: '@ladybugdb/core', version: '0.19.1' },
}

/** The folder for optional packages. */
const extrasFolder = (dataDir: string): string => join(dataDir, 'extras')

/** The entry file of a package, from mneme's own folder or the folder for extras; undefined if not installed. */
function find(kind: DerivedKind, dataDir: string): string | undefined {
  for (const from of [import.meta.url, pathToFileURL(join(extrasFolder(dataDir), 'package.json')).href]) {
    try {
      return createRequire(from).resolve(PACKAGES[kind].name)
    } catch (failure) {
      if (!(failure instanceof Error)) throw failure
    }
  }
  return undefined
}

export function missingPackage(kind: DerivedKind, dataDir: string): OptionalPackage | undefined {
  if (find(kind, dataDir) !== undefined) return undefined
  const { name, version } = PACKAGES[kind]
  return { name, version, command: `npm install --prefix ${JSON.stringify(extrasFolder(dataDir))} ${name}@${version}` }
}

/** Rejects with `unavailable` if the package is not installed or cannot be loaded. */
export async function loadPackage<T>(kind: DerivedKind, dataDir: string): Promise<T> {
  const found = find(kind, dataDir)
  const missing = missingPackage(kind, dataDir)
  if (found === undefined || missing !== undefined)
    throw new MemoryError('unavailable', `The package ${PACKAGES[kind].name} ${PACKAGES[kind].version} is not installed.`, {
      ...(missing === undefined ? {} : { hint: `Install it with: ${missing.command}` }),
    })
  try {
    return await import(pathToFileURL(found).href)
  } catch (failure) {
    throw new MemoryError(
      'unavailable',
      `The package ${PACKAGES[kind].name} cannot be loaded: ${failure instanceof Error ? failure.message : String(failure)}`,
      {
        hint: 'Reinstall it for this version of Node and this system.',
        cause: failure,
      },
    )
  }
}
