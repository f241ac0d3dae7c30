const WIDTH = 30

export interface ProgressBar {
  show(done: number, total: number): void
  end(): void
}

/** One line that is drawn over on a terminal, and a line now and then elsewhere. */
export function createProgressBar(title: string): ProgressBar {
  const terminal = process.stderr.isTTY === true
  let shownAt = 0
  return {
    show(done, total) {
      const now = performance.now()
      if (now - shownAt < (terminal ? 100 : 15_000)) return
      shownAt = now
      const share = total === 0 ? 0 : Math.min(1, done / total)
      const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '.')
      process.stderr.write(`${terminal ? '\r\u001b[K' : ''}${title} [${bar}] ${done}/${total}${terminal ? '' : '\n'}`)
    },
    end() {
      if (terminal) process.stderr.write('\r\u001b[K')
    },
  }
}
