import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { loadConfig } from '../../src/config.js'
import { type Program, removeTemporaryFolders, startProgram, temporaryFolder } from '../wire/program.js'
import { freshDatabase, query, SERVER } from './server.js'

afterAll(removeTemporaryFolders)

const COMPOSE = 'deploy/compose.yaml'
const KUBERNETES = 'deploy/kubernetes.yaml'

const node = z.object({
  build: z.literal('..'),
  environment: z.record(z.string(), z.string()),
  depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)),
  restart: z.literal('unless-stopped'),
})
const composeSchema = z.object({
  services: z.strictObject({
    database: z.object({
      image: z.string(),
      environment: z.record(z.string(), z.string()),
      command: z.array(z.string()),
      volumes: z.array(z.string()),
      healthcheck: z.object({ test: z.array(z.string()) }),
    }),
    'node-a': node,
    'node-b': node,
  }),
  volumes: z.record(z.string(), z.null()),
})
const probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.number(), httpHeaders: z.array(z.object({ name: z.string(), value: z.string() })) }),
})
const variable = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }).optional(),
})
const deploymentSchema = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        containers: z.tuple([
          z.object({
            args: z.array(z.string()),
            env: z.array(variable),
            ports: z.array(z.object({ containerPort: z.number() })),
            readinessProbe: probe,
            livenessProbe: probe,
            resources: z.object({ limits: z.object({ memory: z.string() }) }),
          }),
        ]),
      }),
    }),
  }),
})
const serviceSchema = z.object({
  kind: z.literal('Service'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    selector: z.record(z.string(), z.string()),
    ports: z.array(z.object({ port: z.number(), targetPort: z.number() })),
  }),
})

const compose = composeSchema.parse(parse(readFileSync(COMPOSE, 'utf8'), { merge: true }))
const [deployment, service] = z
  .tuple([deploymentSchema, serviceSchema])
  .parse(parseAllDocuments(readFileSync(KUBERNETES, 'utf8')).map((document) => document.toJS()))
const [container] = deployment.spec.template.spec.containers
const dockerfile = readFileSync('Dockerfile', 'utf8')
/** Settings of the image in every container. */
const imageEnv = Object.fromEntries([...dockerfile.matchAll(/\b(MNEME_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]))

const url = (url: string): string => url.replace(/\$\{MNEME_DB_PASSWORD[^}]*\}/, 'secret')
const composeEnv = (name: 'node-a' | 'node-b') => ({
  ...imageEnv,
  ...Object.fromEntries(Object.entries(compose.services[name].environment).map(([key, value]) => [key, url(value)])),
})
const podEnv = {
  ...imageEnv,
  ...Object.fromEntries(container.env.map(({ name, value }) => [name, value ?? 'postgres://mneme:secret@db:5432/mneme'])),
}
/** The command that a comment gives for creating the first key. */
const keyCommand = (file: string): readonly string[] => (/ (keys create \w+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '').split(' ')

describe('deployment files match the program', () => {
  test('every variable of a node is a setting, and all of them together are valid', () => {
    for (const env of [composeEnv('node-a'), composeEnv('node-b'), podEnv]) {
      const { config, warnings } = loadConfig({ env })
      expect(warnings).toEqual([])
      expect(config.database).toMatch(/^postgres:/)
      expect(config.host).toBe('0.0.0.0')
    }
  })

  test('ports, paths, names and files are consistent', () => {
    const { config } = loadConfig({ env: {} })
    const exposed = Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1])
    expect(exposed).toBe(config.port)
    const { database, 'node-a': a, 'node-b': b } = compose.services
    const published = [a, b].flatMap(({ ports }) => ports.map((port) => port.split(':').map(Number)))
    expect(published.map(([, , inside]) => inside)).toEqual([exposed, exposed])
    expect(new Set(published.map(([, outside]) => outside)).size).toBe(2)
    expect(container.ports).toEqual([{ containerPort: exposed }])
    expect(service.spec.ports).toEqual([{ port: exposed, targetPort: exposed }])
    for (const { httpGet } of [container.readinessProbe, container.livenessProbe]) expect(httpGet.port).toBe(exposed)
    expect(service.spec.selector).toEqual(deployment.spec.template.metadata.labels)
    expect(deployment.spec.selector.matchLabels).toEqual(deployment.spec.template.metadata.labels)
    expect(existsSync('Dockerfile')).toBe(true)
    for (const entry of [a, b]) expect(Object.keys(entry.depends_on)).toEqual(['database'])
    const { POSTGRES_USER: user = '', POSTGRES_DB: name = '' } = database.environment
    const address = new URL(url(a.environment.MNEME_DATABASE ?? ''))
    expect([address.username, address.hostname, address.pathname]).toEqual([user, 'database', `/${name}`])
    expect(database.healthcheck.test.join(' ')).toContain(`-U ${user} -d ${name}`)
    expect(database.volumes.map((volume) => volume.split(':', 1)[0])).toEqual(Object.keys(compose.volumes))
    expect(container.env.find(({ name: value }) => value === 'MNEME_ALLOWED_HOSTS')?.value?.split(',')).toContain(service.metadata.name)
  })

  test('budgets fit: connections within those of the server, search within the memory of a pod', () => {
    const max = Number(/max_connections=(\d+)/.exec(compose.services.database.command.join(' '))?.[1])
    const used = (['node-a', 'node-b'] as const).map((name) => loadConfig({ env: composeEnv(name) }).config.databaseConnections)
    expect(used.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(max - 10)
    const limit = Number(/^(\d+)Mi$/.exec(container.resources.limits.memory)?.[1])
    expect(loadConfig({ env: podEnv }).config.searchMemoryMb + 512).toBeLessThanOrEqual(limit)
  })
})

const status = (port: number, path: string, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })

async function ended(program: Program): Promise<number | null> {
  program.child.kill('SIGTERM')
  return (await program.ended()).code
}

describe.skipIf(SERVER === undefined)('the program started as in the files, with a real server', () => {
  test('starts once a key exists, answers probes and requests to the service name, and ends by itself', async () => {
    const database = await freshDatabase()
    // The tests' server instead of the one in the file, and a free folder and port.
    const here = (env: Readonly<Record<string, string | undefined>>) => ({
      ...Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
      MNEME_DATABASE: database,
      MNEME_DATA_DIR: temporaryFolder(),
      MNEME_PORT: '0',
      MNEME_EMBEDDER: 'hash',
    })
    const keyless = await startProgram(container.args, { env: here(podEnv) }).ended()
    expect(keyless.code).not.toBe(0)
    expect(keyless.err).toContain('there is no key yet')
    expect(keyCommand(COMPOSE)).toEqual(keyCommand(KUBERNETES))
    const made = await startProgram(keyCommand(COMPOSE), { env: here(composeEnv('node-a')), keepOutput: true }).ended()
    expect([made.code, made.out]).toEqual([0, expect.stringContaining('mneme_')])
    const nodes = [startProgram(container.args, { env: here(podEnv) }), startProgram(['serve'], { env: here(composeEnv('node-b')) })]
    const ports: number[] = []
    for (const node of nodes) {
      await node.sawError('http://')
      while (!/http:\/\/[^\s:]+:\d+/.test(node.err())) await delay(20)
      ports.push(Number(/http:\/\/[^\s:]+:(\d+)/.exec(node.err())?.[1]))
    }
    const [pod = 0, box = 0] = ports
    for (const { httpGet } of [container.readinessProbe, container.livenessProbe])
      expect(await status(pod, httpGet.path, httpGet.httpHeaders.find(({ name }) => name === 'Host')?.value ?? '10.0.0.7')).toBe(200)
    expect(await status(pod, '/healthz', `${service.metadata.name}:7077`)).toBe(200)
    expect(await status(pod, '/healthz', '10.0.0.7:7077')).toBe(403)
    expect(await status(box, '/healthz', 'node-a:7077')).toBe(200)
    for (const node of nodes) expect(await ended(node)).toBe(0)
  }, 120_000)

  test('the settings of the database server exist', async () => {
    const names = compose.services.database.command.flatMap((word) => /^(\w+)=/.exec(word)?.[1] ?? [])
    const known = await query(SERVER ?? '', `SELECT name FROM pg_settings WHERE name IN (${names.map((name) => `'${name}'`).join(', ')})`)
    expect(known.map(({ name }) => name).sort()).toEqual([...names].sort())
  })
})
