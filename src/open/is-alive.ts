/** True if a process of this machine exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (failure) {
    // A process of another user cannot be signalled, but exists.
    return failure instanceof Error && 'code' in failure && failure.code === 'EPERM'
  }
}
