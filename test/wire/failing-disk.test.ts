import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compilePreload } from './preload.js'
import { removeTemporaryFolders, temporaryFolder } from './program.js'
import { openStdio, type StdioWire, store, type Tools, useTools } from './wire.js'

afterAll(removeTemporaryFolders)

/** While a file named by FAIL_WHILE exists, fsync of a log fails; earlier writes have succeeded. */
const SHIM = `
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int fails(int fd) {
  char link[64], path[4096];
  const char *flag = getenv("FAIL_WHILE");
  if (flag == NULL || access(flag, F_OK) != 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (n < 4) return 0;
  path[n] = 0;
  return strcmp(path + n - 4, "-wal") == 0;
}
int fsync(int fd) {
  if (fails(fd)) { errno = EIO; return -1; }
  return ((int (*)(int)) dlsym(RTLD_NEXT, "fsync"))(fd);
}
int fdatasync(int fd) {
  if (fails(fd)) { errno = EIO; return -1; }
  return ((int (*)(int)) dlsym(RTLD_NEXT, "fdatasync"))(fd);
}
`

const shim = compilePreload(temporaryFolder(), SHIM)
if (shim === undefined)
  process.stderr.write('failing-disk.test: no gcc, or not Linux, so flushes cannot be made to fail and are not tried\n')

describe.skipIf(shim === undefined)('failing flush', () => {
  const folder = temporaryFolder()
  const flag = join(temporaryFolder(), 'failing')
  const open = async (): Promise<{ readonly wire: StdioWire; readonly tools: Tools }> => {
    const wire = openStdio(['--data-dir', folder, '--embedder', 'none', '--log-level', 'silent'], {
      env: { LD_PRELOAD: shim ?? '', FAIL_WHILE: flag },
    })
    return { wire, tools: await useTools(wire) }
  }
  const contents = async (tools: Tools): Promise<string[]> =>
    [...JSON.stringify(await tools.call('list_memories', { limit: 100 })).matchAll(/walrus \w+/gu)].map(([text]) => text).sort()

  it('is reported as unknown outcome, and the next call reads the stored state', async () => {
    const { wire, tools } = await open()
    await store(tools, 'walrus before')
    writeFileSync(flag, '')
    const refusal = await tools.refusal('store_memory', { content: 'walrus unknown' })
    expect(refusal).toContain('Commit outcome unknown')
    expect(refusal).toContain('SQLITE_IOERR')
    expect(refusal).not.toContain('Nothing was stored')
    rmSync(flag)
    const now = await contents(tools)
    expect(now).toContain('walrus before')
    await store(tools, 'walrus after')
    const last = await contents(tools)
    expect(last).toEqual([...now, 'walrus after'].sort())
    wire.program.child.kill('SIGKILL')
    await wire.program.ended()
    const again = await open()
    expect(await contents(again.tools)).toEqual(last)
    await again.wire.close()
  })

  it('prevents writes until the disk works again', async () => {
    const { wire, tools } = await open()
    const before = await contents(tools)
    writeFileSync(flag, '')
    await tools.refusal('store_memory', { content: 'walrus lost' })
    for (let i = 0; i < 3; i++) await tools.refusal('store_memory', { content: `walrus refused${i}` })
    rmSync(flag)
    const now = await contents(tools)
    expect(now.filter((text) => !/lost|refused/u.test(text))).toEqual(before)
    await store(tools, 'walrus stored')
    expect(await contents(tools)).toEqual([...now, 'walrus stored'].sort())
    expect((await wire.close()).code).toBe(0)
  })
})
