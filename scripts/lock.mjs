import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Runs `work` while no other live process holds the lock file; takes over the lock of a dead process. */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true })
  let announced = false
  while (!acquire(file)) {
    const pid = holder(file)
    if (!announced && pid !== undefined) process.stderr.write(`waiting for process ${pid}, which is installing or building here\n`)
    announced ||= pid !== undefined
    await sleep(200)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function acquire(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (failure) {
    if (failure.code !== 'EEXIST') throw failure
  }
  const pid = holder(file)
  if (pid !== undefined && !isAlive(pid)) discard(file)
  return false
}

function holder(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    return pid > 0 ? pid : undefined
  } catch (failure) {
    if (failure.code === 'ENOENT') return undefined
    throw failure
  }
}

// Renaming first lets only one of several waiters remove it.
function discard(file) {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    rmSync(aside, { force: true })
  } catch (failure) {
    if (failure.code !== 'ENOENT') throw failure
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (failure) {
    return failure.code === 'EPERM'
  }
}
