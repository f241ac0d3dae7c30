import { MemoryError } from '../../errors.js'
import { betterDriver } from './better-driver.js'
import type { Driver, DriverName } from './driver.js'
import { nodeDriver } from './node-driver.js'

/** The first Node version whose built-in SQLite suffices. */
const MIN_NODE_SQLITE = { major: 22, minor: 16 }

function hasOwnSqlite(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  // Node 23 ended before its SQLite was sufficient.
  return major >= 24 || (major === MIN_NODE_SQLITE.major && minor >= MIN_NODE_SQLITE.minor)
}

/** Node's SQLite if usable, because it needs no compiler; otherwise the package. */
export const driverFor = (nodeVersion: string): Driver => (hasOwnSqlite(nodeVersion) ? nodeDriver : betterDriver)

export const defaultDriver = (): Driver => driverFor(process.versions.node)

export const openFile: Driver['open'] = (file, options) => defaultDriver().open(file, options)

const DRIVERS: Readonly<Record<DriverName, Driver>> = { 'node:sqlite': nodeDriver, 'better-sqlite3': betterDriver }

/** For tests, which compare both drivers. */
export function driverNamed(name: string): Driver {
  const found = Object.values(DRIVERS).find((driver) => driver.name === name)
  if (found === undefined)
    throw new MemoryError('invalid_input', `There is no SQLite driver "${name}".`, { hint: `Choose ${Object.keys(DRIVERS).join(' or ')}.` })
  return found
}
