/** A suffix for progress messages: how many per second since it was created. Empty in the first second. */
export function createRate(): (done: number) => string {
  const began = performance.now()
  return (done) => {
    const seconds = (performance.now() - began) / 1000
    return seconds < 1 ? '' : `, ${Math.round(done / seconds)} per second`
  }
}
