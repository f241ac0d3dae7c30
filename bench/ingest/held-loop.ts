/** How long the event loop was held since the last look, in ms. */
export interface LoopWatch {
  /** The longest hold; ends the watch. */
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
