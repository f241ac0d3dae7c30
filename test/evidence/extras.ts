import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Outside of the repository and kept, because they are hundreds of megabytes. */
const CACHE = join(tmpdir(), 'mneme-test-extras')
const PACKAGES = ['@lancedb/lancedb@0.37.1', '@ladybugdb/core@0.19.1']
const isThere = (): boolean => existsSync(join(CACHE, 'done'))

/** Fetches the optional packages once; returns why they are unavailable, if so. */
export async function fetchExtras(): Promise<string | undefined> {
  if (isThere()) return undefined
  try {
    mkdirSync(join(CACHE, 'lock'), { recursive: false })
  } catch {
    mkdirSync(CACHE, { recursive: true })
    try {
      mkdirSync(join(CACHE, 'lock'))
    } catch {
      // Another run is fetching them.
      for (let i = 0; i < 900 && !isThere() && existsSync(join(CACHE, 'lock')); i++) await delay(200)
      return isThere() ? undefined : 'another run could not fetch them'
    }
  }
  try {
    writeFileSync(join(CACHE, 'package.json'), '{"private": true}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', CACHE, ...PACKAGES], { stdio: 'pipe', timeout: 300_000 })
    writeFileSync(join(CACHE, 'done'), '')
    return undefined
  } catch (failure) {
    return failure instanceof Error ? failure.message.split('\n')[0] : String(failure)
  } finally {
    rmSync(join(CACHE, 'lock'), { recursive: true, force: true })
  }
}

/** Makes them visible to this data directory. */
export function useExtras(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  symlinkSync(CACHE, join(dataDir, 'extras'))
}
