/** Whether a process of this machine is still there. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (failure) {
    // Someone else's process may not be signalled, but it is there.
    return failure instanceof Error && 'code' in failure && failure.code === 'EPERM'
  }
}
