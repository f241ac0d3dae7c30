/** Joins work on the same ids: callers wait for work in progress instead of repeating it. */
interface InflightWork {
  begin(ids: readonly string[], work: Promise<void>): Promise<void>
  /** Resolves when all ids are done; `start` receives the ids without work in progress. */
  all(ids: readonly string[], start: (idle: readonly string[]) => Promise<void>): Promise<void>
}

export function createInflightWork(): InflightWork {
  const inWork = new Map<string, Promise<void>>()
  const begin = (ids: readonly string[], begun: Promise<void>): Promise<void> => {
    const work = begun.finally(() => {
      for (const id of ids) if (inWork.get(id) === work) inWork.delete(id)
    })
    for (const id of ids) inWork.set(id, work)
    return work
  }
  return {
    begin,
    async all(ids, start) {
      const idle = ids.filter((id) => !inWork.has(id))
      if (idle.length > 0) void begin(idle, start(idle)).catch(() => undefined)
      await Promise.all(new Set(ids.map((id) => inWork.get(id))))
    },
  }
}
