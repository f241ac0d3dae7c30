import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databaseFile, describeConfig, describeSettings, loadConfig, SETTINGS } from './config.js'

const folder = (config?: unknown) => {
  const path = mkdtempSync(join(tmpdir(), 'mneme-config-'))
  if (config !== undefined) writeFileSync(join(path, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config))
  return path
}

const circle = () => {
  const path = join(folder(), 'circle')
  symlinkSync(path, path)
  return path
}

describe('loadConfig', () => {
  it('has a default for every setting of a server', () => {
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

  it('prefers flag, variable, file and default in this order, and reports the origin', () => {
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

  it('accepts flags with the names and units of the contract', () => {
    const { config, origins } = loadConfig({ flags: { model: 'e5_small', cacheSize: '7', batchSize: '3', timeout: '2.5' }, env: {} })
    expect(config).toMatchObject({ embedModel: 'e5_small', embedCacheSize: 7, embedBatchSize: 3, embedTimeoutMs: 2500 })
    expect(origins.embedTimeoutMs).toBe('flag --timeout')
    expect(loadConfig({ flags: { model: 'one', embedModel: 'two' }, env: {} }).config.embedModel).toBe('two')
    expect(() => loadConfig({ flags: { timeout: 'soon' }, env: {} })).toThrow(/Invalid embedTimeoutMs \(from flag --timeout\)/)
  })

  it('returns the file of a database URL', () => {
    expect(databaseFile(undefined)).toBeUndefined()
    expect(databaseFile('sqlite:/var/one.db')).toBe('/var/one.db')
    expect(databaseFile('sqlite:///var/one.db')).toBe('/var/one.db')
    expect(databaseFile('file:/var/one.db')).toBe('/var/one.db')
  })

  it('reads a file that begins with a byte order mark', () => {
    const dataDir = folder()
    writeFileSync(join(dataDir, 'config.json'), '\uFEFF{"port": 1234}')
    expect(loadConfig({ flags: { dataDir }, env: {} }).config.port).toBe(1234)
  })

  it('does not check the data directory until it is needed', () => {
    for (const dataDir of [`/tmp/${'x'.repeat(300)}`, circle()])
      expect(loadConfig({ flags: { dataDir }, env: {} }).config.dataDir).toBe(dataDir)
  })

  it('passes a key only to the vendor it belongs to', () => {
    const env = { OPENAI_API_KEY: 'o', VOYAGE_API_KEY: 'v' }
    expect(loadConfig({ env }).config.embedKey).toBeUndefined()
    expect(loadConfig({ env: { ...env, MNEME_EMBEDDER: 'voyage' } }).config.embedKey).toBe('v')
    expect(loadConfig({ env: { ...env, MNEME_EMBEDDER: 'openai', MNEME_EMBED_KEY: 'own' } }).config.embedKey).toBe('own')
  })

  it.each([
    [{ flags: { port: 'many' }, env: {} }, /Invalid port \(from flag --port\)/],
    [{ env: { MNEME_PORT: '70000' } }, /Invalid port \(from environment MNEME_PORT\)/],
    [{ env: { MNEME_JOBS_ENABLED: 'perhaps' } }, /Invalid jobsEnabled .*expected true or false/],
    [{ flags: { database: 'mysql://u:p@h/d' }, env: {} }, /Databases of type "mysql" are not supported/],
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
      variables: ['MNEME_DATA_DIR', 'MEMORY_MCP_DATA_DIR', 'MEMORY_SUBSTRATE_ROOT'],
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

describe('a wrong setting', () => {
  it.each([
    [{ port: 'abc' }, 'Invalid port (from flag --port): expected a whole number from 0 to 65535, got abc', '7077'],
    [{ port: '1.5' }, 'Invalid port (from flag --port): expected a whole number from 0 to 65535, got 1.5', '7077'],
    [{ embedBatchSize: '0' }, 'Invalid embedBatchSize (from flag --embed-batch-size): expected a whole number from 1 to 4096, got 0', '32'],
    [
      { busyTimeoutMs: '-1' },
      'Invalid busyTimeoutMs (from flag --busy-timeout-ms): expected a whole number of at least 0, got -1',
      '15000',
    ],
    [{ deliveryLog: 'soon' }, 'Invalid deliveryLog (from flag --delivery-log): expected off or a number from 0 to 3650, got soon', '30'],
    [{ logLevel: 'loud' }, 'Invalid logLevel (from flag --log-level): expected one of debug, info, warn, error, silent, got loud', 'info'],
    [{ jobsEnabled: 'maybe' }, 'Invalid jobsEnabled (from flag --jobs-enabled): expected true or false, got maybe', 'false'],
    [{ profile: ',' }, 'Invalid profile (from flag --profile): expected one or more names separated by commas, got ,', 'memory'],
    [{ timeout: 'soon' }, 'Invalid embedTimeoutMs (from flag --timeout): expected a whole number of at least 1, got soon', '60000'],
    [{ dataDir: '' }, 'Invalid dataDir (from flag --data-dir): expected a path, got none', '~/.mneme'],
  ])('rejects an invalid value with the accepted ones: %j', (flags, message, fallback) => {
    const hint = `Correct it, or leave it out for the default, ${fallback}.`
    expect(() => loadConfig({ flags, env: {} })).toThrow(expect.objectContaining({ code: 'invalid_input', message, hint }))
  })

  it('is reported by its recipe key, without the value of a secret', () => {
    expect(() => loadConfig({ flags: { recipe: '{"nonsense":1}' }, env: {} })).toThrow(
      /expected a JSON object of numbers, got .*"nonsense"/,
    )
    expect(() => loadConfig({ flags: { embedKey: 12345 }, env: {} })).toThrow(/Invalid embedKey .*got \(hidden\)/)
  })
})

describe('describeSettings', () => {
  it('lists default, values and all names of a setting', () => {
    const byFlag = new Map(describeSettings().map((setting) => [setting.flag, setting]))
    expect(byFlag.size).toBe(SETTINGS.length)
    expect(byFlag.get('--port')).toMatchObject({ allowed: 'a whole number from 0 to 65535', fallback: '7077' })
    expect(byFlag.get('--data-dir')).toMatchObject({ allowed: 'a path', fallback: '~/.mneme' })
    expect(byFlag.get('--embed-timeout-ms')?.otherNames).toEqual([
      { name: 'MNEME_EMBED_TIMEOUT_MS' },
      { name: '--timeout', note: 'in seconds' },
    ])
    expect(byFlag.get('--embed-key')).toMatchObject({ fallback: null })
    expect(byFlag.get('--embed-key')?.otherNames.map(({ name }) => name)).toEqual(['MNEME_EMBED_KEY', 'OPENAI_API_KEY', 'VOYAGE_API_KEY'])
  })
})
