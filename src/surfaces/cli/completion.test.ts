import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { describe, expect, it } from 'vitest'
import { addCompletion } from './completion.js'

function scriptFor(shell: string): string {
  const program = new Command('mneme').exitOverride().configureOutput({ writeErr: () => undefined })
  program.addOption(new Option('--data-dir <value>', 'Where it is'))
  program.addOption(new Option('--rare <value>').hideHelp())
  program.command('remember').description("Store what's said").option('--title <text>', 'A title; $(rm -rf /) `x`')
  program.command('recall').description('Find').option('--limit <n>')
  program.command('call').command('memory').command('get_status').description('State')
  let out = ''
  addCompletion(program, (text) => {
    out += text
  })
  program.parse(['completion', shell], { from: 'user' })
  return out
}

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

/** The completions of bash after these words. */
function offered(...words: readonly string[]): readonly string[] {
  const ask = `${scriptFor('bash')}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mneme; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', ask, 'bash', ...words], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '')
}

describe('shell completion', () => {
  it.skipIf(!has('bash'))('bash offers commands, flags and what is below a command', () => {
    expect(offered('mneme', '')).toEqual(['remember', 'recall', 'call', 'completion', '--data-dir'])
    expect(offered('mneme', 're')).toEqual(['remember', 'recall'])
    expect(offered('mneme', 'remember', '--')).toEqual(['--title'])
    expect(offered('mneme', 'call', '')).toEqual(['memory'])
    expect(offered('mneme', 'call', 'memory', 'get')).toEqual(['get_status'])
    expect(offered('mneme', 'completion', 'b')).toEqual(['bash'])
  })

  it.each(['bash', 'zsh', 'fish'])('%s reads the script', (shell) => {
    const script = scriptFor(shell)
    expect(script).toContain('remember')
    if (!has(shell)) return
    const folder = mkdtempSync(join(tmpdir(), 'mneme-completion-'))
    writeFileSync(join(folder, 'script'), script)
    const { status, stderr } = spawnSync(shell, ['-n', join(folder, 'script')], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect([status, stderr]).toEqual([0, ''])
  })

  it('rejects another shell', () => {
    expect(() => scriptFor('tcsh')).toThrow(/Allowed choices are bash, zsh, fish/)
  })
})
