/** Measures for how long the event loop was blocked, in ms. */
export interface LoopWatch {
  /** The longest block; ends the measurement. */
  longest(): number
}

const STEP_MS = 2

export function watchLoop(): LoopWatch {
  let last = performance.now()
  let longest = 0
  const look = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last - STEP_MS)
    last = now
  }
  const timer = setInterval(look, STEP_MS)
  return {
    longest() {
      look()
      clearInterval(timer)
      return longest
    },
  }
}
