import type { Engine } from './engine.js'

/** A memory that is opened on first need, and again after its file has failed in a way that only opening it anew can settle. */
export function createReopenableEngine(open: () => Promise<Engine>): { engine(): Promise<Engine>; close(): Promise<void> } {
  let opening: Promise<Engine> | undefined
  const reopen = async (before: Promise<Engine> | undefined): Promise<Engine> => {
    const engine = await before
    if (engine !== undefined && !engine.needsReopen()) return engine
    await engine?.close().catch(() => undefined)
    return open()
  }
  return {
    engine() {
      const latest = reopen(opening).catch((error: unknown) => {
        if (opening === latest) opening = undefined
        throw error
      })
      opening = latest
      return latest
    },
    async close() {
      const engine = await opening?.catch(() => undefined)
      await engine?.close()
    },
  }
}
