import { mkdtempSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeConfig, loadConfig, SETTINGS } from './config.js'

const folder = (config?: unknown) => {
  const path = mkdtempSync(join(tmpdir(), 'mneme-config-'))
  if (config !== undefined) writeFileSync(join(path, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config))
  return path
}

describe('loadConfig', () => {
  it('has a default for everything a server needs', () => {
    const { config, origins, warnings } = loadConfig({ env: {} })
    expect(config).toMatchObject({
      dataDir: join(homedir(), '.mneme'),
      profile: ['memory'],
      host: '127.0.0.1',
      port: 7077,
      embedder: 'local',
    })
    expect(origins.port).toBe('default')
    expect(warnings).toEqual([])
  })

  it('prefers a flag to a variable to the file to the default, and says which it was', () => {
    const dataDir = folder({ port: 1, host: 'file', logLevel: 'warn' })
    const { config, origins } = loadConfig({ flags: { dataDir, port: '3' }, env: { MNEME_PORT: '2', MNEME_HOST: 'variable' } })
    expect([config.port, config.host, config.logLevel, config.owner]).toEqual([3, 'variable', 'warn', 'default'])
    expect([origins.port, origins.host, origins.logLevel]).toEqual([
      'flag --port',
      'environment MNEME_HOST',
      `file ${join(dataDir, 'config.json')}`,
    ])
  })

  it('reads the variables that the contracts document', () => {
    const env = {
      MEMORY_MCP_DATA_DIR: folder(),
      MAX_TEXT_LENGTH: '5',
      JOBS_ENABLED: 'true',
      JOBS_OWNER_IDS: 'a, b',
      SEMANTIC_SIMILARITY_THRESHOLD: '.4',
    }
    const { config } = loadConfig({ env })
    expect(config).toMatchObject({
      dataDir: env.MEMORY_MCP_DATA_DIR,
      maxTextLength: 5,
      jobsEnabled: true,
      jobsOwners: ['a', 'b'],
      similarityThreshold: 0.4,
    })
  })

  it('counts an empty variable as unset', () => {
    expect(loadConfig({ env: { MNEME_PORT: '', MNEME_DATA_DIR: '' } }).config.port).toBe(7077)
  })

  it('gives a key only to the vendor it belongs to', () => {
    const env = { OPENAI_API_KEY: 'o', VOYAGE_API_KEY: 'v' }
    expect(loadConfig({ env }).config.embedKey).toBeUndefined()
    expect(loadConfig({ env: { ...env, MNEME_EMBEDDER: 'voyage' } }).config.embedKey).toBe('v')
    expect(loadConfig({ env: { ...env, MNEME_EMBEDDER: 'openai', MNEME_EMBED_KEY: 'own' } }).config.embedKey).toBe('own')
  })

  it.each([
    [{ flags: { port: 'many' }, env: {} }, /Invalid port \(from flag --port\)/],
    [{ env: { MNEME_PORT: '70000' } }, /Invalid port \(from environment MNEME_PORT\)/],
    [{ env: { MNEME_JOBS_ENABLED: 'perhaps' } }, /Invalid jobsEnabled .*expected true or false/],
    [{ flags: { database: 'postgres://u:p@h/d' }, env: {} }, /"postgres" are not supported by this build/],
    [{ flags: { dataDir: folder('{"port":') }, env: {} }, /config\.json is not valid JSON/],
    [{ flags: { dataDir: folder('[]') }, env: {} }, /must hold one JSON object/],
    [{ flags: { dataDir: folder({ prot: 1 }) }, env: {} }, /Unknown key "prot"/],
    [{ flags: { dataDir: folder({ dataDir: '/x' }) }, env: {} }, /cannot move the data directory/],
  ])('refuses %j', (input, message) => {
    expect(() => loadConfig(input)).toThrow(message)
  })

  it('warns about a misspelt variable and names the nearest', () => {
    expect(loadConfig({ env: { MNEME_DATADIR: '/x', MNEME_QQQQQQQQ: '1' } }).warnings).toEqual([
      'Unknown environment variable MNEME_DATADIR; did you mean MNEME_DATA_DIR?',
      'Unknown environment variable MNEME_QQQQQQQQ',
    ])
  })
})

describe('settings', () => {
  it('derive flag and variable from the key, and each has a description', () => {
    expect(SETTINGS.find(({ key }) => key === 'dataDir')).toMatchObject({
      flag: '--data-dir',
      variables: ['MNEME_DATA_DIR', 'MEMORY_MCP_DATA_DIR'],
      toggle: false,
    })
    expect(SETTINGS.filter(({ toggle }) => toggle).map(({ key }) => key)).toContain('forceModel')
    expect(SETTINGS.filter(({ toggle }) => toggle).map(({ key }) => key)).not.toContain('port')
    expect(SETTINGS.filter(({ description }) => description === '')).toEqual([])
  })

  it('are shown without secrets', () => {
    const rows = describeConfig(loadConfig({ env: { MNEME_EMBED_KEY: 'hush', MNEME_DATABASE: 'sqlite://u:hush@h/x' } }))
    expect(JSON.stringify(rows)).not.toContain('hush')
    expect(rows.find(({ key }) => key === 'embedKey')).toEqual({
      key: 'embedKey',
      value: '(hidden)',
      origin: 'environment MNEME_EMBED_KEY',
    })
  })
})
