import type { Engine } from './engine.js'

/** Opens an engine on first use, and again after a failure that requires reopening its file. */
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
