import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A library that replaces functions of the C library in a child process; undefined without a compiler. */
export function compilePreload(folder: string, source: string): string | undefined {
  const library = join(folder, 'preload.so')
  writeFileSync(join(folder, 'preload.c'), `#define _GNU_SOURCE\n#include <dlfcn.h>\n${source}`)
  try {
    if (process.platform !== 'linux') return undefined
    execFileSync('gcc', ['-shared', '-fPIC', '-o', library, join(folder, 'preload.c'), '-ldl'], { stdio: 'ignore' })
    return library
  } catch {
    return undefined
  }
}
