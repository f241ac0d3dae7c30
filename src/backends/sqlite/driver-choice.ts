import { MemoryError } from '../../errors.js'
import { betterDriver } from './better-driver.js'
import type { Driver, DriverName } from './driver.js'
import { nodeDriver } from './node-driver.js'

/** The first Node whose own SQLite has all that is used here. */
const MIN_NODE_SQLITE = { major: 22, minor: 16 }

function hasOwnSqlite(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  // 23 ended before its SQLite had all of it.
  return major >= 24 || (major === MIN_NODE_SQLITE.major && minor >= MIN_NODE_SQLITE.minor)
}

/** Node's own SQLite where there is one, because it needs no compiler; the package for older versions of Node. */
export const driverFor = (nodeVersion: string): Driver => (hasOwnSqlite(nodeVersion) ? nodeDriver : betterDriver)

export const defaultDriver = (): Driver => driverFor(process.versions.node)

export const openFile: Driver['open'] = (file, options) => defaultDriver().open(file, options)

const DRIVERS: Readonly<Record<DriverName, Driver>> = { 'node:sqlite': nodeDriver, 'better-sqlite3': betterDriver }

/** For tests, which compare them; nobody else has to choose. */
export function driverNamed(name: string): Driver {
  const found = Object.values(DRIVERS).find((driver) => driver.name === name)
  if (found === undefined)
    throw new MemoryError('invalid_input', `There is no SQLite driver "${name}".`, { hint: `Choose ${Object.keys(DRIVERS).join(' or ')}.` })
  return found
}
