// A loopback registry with mneme's packages that proxies all others, and counts downloads.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename } from 'node:path'

/** `own` maps names to `file` and `manifest`; `upstream` is the URL of the real registry, with a final slash. */
export async function startRegistry(own, upstream) {
  const server = createServer((request, response) => {
    answer(request.url ?? '/').then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      (failure) => response.writeHead(502).end(String(failure)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${server.address().port}/`
  const fetched = new Map()

  async function answer(url) {
    const path = decodeURIComponent(url.slice(1).split('?')[0])
    const tarball = [...own.values()].find(({ file }) => path === `tarballs/${basename(file)}`)
    if (tarball !== undefined) return count(path, readFileSync(tarball.file))
    if (own.has(path)) return { status: 200, type: 'application/json', body: JSON.stringify(describe(own.get(path))) }
    // Names of mneme's packages are never requested upstream.
    if (path.startsWith('mneme')) return { status: 404, type: 'text/plain', body: 'not here' }
    const got = await fetch(new URL(url.slice(1), upstream), { headers: { accept: 'application/json' } })
    const body = Buffer.from(await got.arrayBuffer())
    if (path.endsWith('.tgz')) return count(path, body)
    return { status: got.status, type: 'application/json', body: body.toString('utf8').replaceAll(upstream, address) }
  }

  function count(path, body) {
    fetched.set(path, body.length)
    return { status: 200, type: 'application/octet-stream', body }
  }

  function describe({ file, manifest }) {
    const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
    const version = { ...manifest, dist: { tarball: `${address}tarballs/${basename(file)}`, integrity } }
    return { name: manifest.name, 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: version } }
  }

  return {
    address,
    /** Bytes downloaded since the last call. */
    taken() {
      const sum = [...fetched.values()].reduce((all, size) => all + size, 0)
      fetched.clear()
      return sum
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}
