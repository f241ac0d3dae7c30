import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { PROGRAM } from './wire/program.js'

it('repair 18: another version of Node is named in one sentence with what is needed', () => {
  const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.19.0" } })'
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(older)}`, PROGRAM, 'status'],
    {
      encoding: 'utf8',
    },
  )
  expect([status, stdout]).toEqual([expect.any(Number), ''])
  expect(status).not.toBe(0)
  expect(stderr.trim().split('\n')).toEqual(['mneme: Node 20.11 or newer is needed; this is 18.19.0.'])
})
