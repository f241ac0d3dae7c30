import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createPresence, readNotice } from './presence.js'

const folders: string[] = []
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'mneme-presence-'))
  folders.push(made)
  return made
}
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true })
})

it('the notice of a server is written through no link, and is readable by its user alone', () => {
  const directory = folder()
  const victim = join(folder(), 'victim')
  writeFileSync(victim, 'kept')
  symlinkSync(victim, join(directory, 'server.json'))
  createPresence(directory).announce('http://127.0.0.1:7077')
  expect(readFileSync(victim, 'utf8')).toBe('kept')
  expect(readNotice(directory)?.url).toBe('http://127.0.0.1:7077')
  expect(statSync(join(directory, 'server.json')).mode & 0o777).toBe(0o600)
})
