import { chownSync, existsSync, lstatSync, mkdirSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { removeTemporaryFolders, temporaryFolder } from './program.js'
import { noneLeft, oneLeft, sharedProcesses, startWarm, warm } from './warm.js'

// Where no shared process can be used, a command works in its own process, at once and with the same result.
let folder = ''
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  await warm(folder, ['stop'])
  await noneLeft(folder)
})
afterAll(removeTemporaryFolders)

const socketOf = (): string => join(folder, 'shared.sock')
const contents = async (): Promise<readonly string[]> => {
  const { out } = await warm(folder, ['list', '--limit', '100'], { env: { MNEME_SHARED: 'off' } })
  const { memories }: { memories: readonly { content: string }[] } = JSON.parse(out)
  return memories.map(({ content }) => content).sort()
}

/** Listens in place of a shared process; returns the number of connections so far. */
async function listenInstead(answer: (socket: Socket) => void): Promise<() => number> {
  let connections = 0
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    connections++
    open.add(socket)
    socket.on('error', () => undefined)
    answer(socket)
  })
  await new Promise<void>((resolve) => server.listen(socketOf(), resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return () => connections
}

describe.skipIf(process.platform !== 'linux')('a command without a usable shared process', () => {
  it('contacts a process of another version once and starts none', async () => {
    const connections = await listenInstead((socket) => socket.once('data', () => socket.end('{"refused":true}\n')))
    expect((await warm(folder, ['remember', 'Two versions at once'])).code).toBe(0)
    expect(connections()).toBe(1)
    expect(sharedProcesses(folder)).toEqual([])
    expect(await contents()).toEqual(['Two versions at once'])
  })

  it('does not wait for a process that accepts connections and never answers', async () => {
    const connections = await listenInstead(() => undefined)
    expect((await warm(folder, ['remember', 'Nothing comes back'])).code).toBe(0)
    expect(connections()).toBe(1)
    expect(await contents()).toEqual(['Nothing comes back'])
  })

  it('is rejected by a process of another copy of the program, which keeps running', async () => {
    expect((await warm(folder, ['remember', 'The gate width is 4711'])).code).toBe(0)
    await oneLeft(folder)
    const [pid] = sharedProcesses(folder)
    // The runtime is part of what identifies a copy, as are the path and time of the script.
    const other = "data:text/javascript,Object.defineProperty(process,'version',{value:'v0.0.0'})"
    expect((await warm(folder, ['remember', 'From another copy'], { env: { NODE_OPTIONS: `--import ${other}` } })).code).toBe(0)
    expect(sharedProcesses(folder)).toEqual([pid])
    expect(await contents()).toEqual(['From another copy', 'The gate width is 4711'])
  })

  it.each([
    ['throws', "throw Object.assign(new Error('spawn EAGAIN'),{code:'EAGAIN'})"],
    ['fails later', "return spawn('/nonexistent/node',[],{})"],
  ])('works where no process may be started: spawn %s', async (_, body) => {
    const module = `import p from 'node:child_process';import m from 'node:module';const spawn=p.spawn;p.spawn=()=>{${body}};m.syncBuiltinESMExports()`
    const forbid = `data:text/javascript,${encodeURIComponent(module)}`
    expect((await warm(folder, ['remember', 'No forks'], { env: { NODE_OPTIONS: `--import ${forbid}` } })).code).toBe(0)
    expect(sharedProcesses(folder)).toEqual([])
    expect(await contents()).toEqual(['No forks'])
  })

  it('works on a file system without sockets', async () => {
    const module = `import net from 'node:net';net.Server.prototype.listen=function(){process.nextTick(()=>this.emit('error',Object.assign(new Error('listen EOPNOTSUPP'),{code:'EOPNOTSUPP'})));return this}`
    const forbid = `data:text/javascript,${encodeURIComponent(module)}`
    expect((await warm(folder, ['remember', 'No sockets'], { env: { NODE_OPTIONS: `--import ${forbid}` } })).code).toBe(0)
    expect(sharedProcesses(folder)).toEqual([])
    expect(existsSync(socketOf())).toBe(false)
    expect(await contents()).toEqual(['No sockets'])
  })

  it('works where the path is too long for a socket and there is no temporary folder', async () => {
    folder = join(temporaryFolder(), 'x'.repeat(120))
    mkdirSync(folder)
    expect((await warm(folder, ['remember', 'Deep down'], { env: { TMPDIR: '/dev/null/none' } })).code).toBe(0)
    expect(sharedProcesses(folder)).toEqual([])
    expect(await contents()).toEqual(['Deep down'])
  })

  it.skipIf(process.getuid?.() !== 0)('does not use a socket of another user', async () => {
    const connections = await listenInstead(() => undefined)
    chownSync(socketOf(), 65534, 65534)
    expect((await warm(folder, ['remember', 'Not ours'])).code).toBe(0)
    expect(connections()).toBe(0)
    expect(lstatSync(socketOf()).uid).toBe(65534)
    expect(await contents()).toEqual(['Not ours'])
  })

  it('starts another process while the last one is ending', async () => {
    const texts = Array.from({ length: 6 }, (_, i) => `Note ${i} at the turn`)
    for (const text of texts) {
      const [, stored] = await Promise.all([warm(folder, ['stop']), warm(folder, ['remember', text])])
      expect([stored.code, stored.err]).toEqual([0, ''])
    }
    expect(await contents()).toEqual(texts)
  })

  it('continues when a client is killed during its call', async () => {
    expect((await warm(folder, ['remember', 'Before'])).code).toBe(0)
    await oneLeft(folder)
    const [pid] = sharedProcesses(folder)
    const cut = startWarm(folder, ['remember', '-'])
    cut.child.stdin.write('never completed')
    // Its call waits for the rest of the input: another one is answered meanwhile.
    expect((await warm(folder, ['remember', 'Meanwhile'])).code).toBe(0)
    cut.child.kill('SIGKILL')
    await cut.ended()
    expect((await warm(folder, ['remember', 'After'])).code).toBe(0)
    expect(sharedProcesses(folder)).toEqual([pid])
    expect(await contents()).toEqual(['After', 'Before', 'Meanwhile'])
  })
})
