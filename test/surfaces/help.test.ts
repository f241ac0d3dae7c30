import { expect, it } from 'vitest'
import { runProgram } from '../wire/program.js'

it('repair 13: every command is in a group of the help, and the flags of its examples exist', async () => {
  const { out } = await runProgram(['help'])
  expect(out).toContain('Code and documents:')
  // Commander lists commands without a group under this heading.
  expect(out).not.toContain('\nCommands:')
  const index = await runProgram(['help', 'index'])
  const examples = index.out.split('Examples:')[1] ?? ''
  const flags = [...examples.matchAll(/ (--[a-z-]+)/g)].map(([, flag]) => flag ?? '')
  expect(flags).toEqual(['--wait'])
  for (const flag of flags) expect(index.out.split('Examples:')[0]).toContain(flag)
})
