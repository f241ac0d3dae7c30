/** A suffix for progress messages: how many per second since it was created, and the time left at that rate. Empty in the first second. */
export function createRate(): (done: number, share?: number | null) => string {
  const began = performance.now()
  return (done, share = null) => {
    const seconds = (performance.now() - began) / 1000
    if (seconds < 1) return ''
    const left = share === null || share <= 0 || share > 1 ? '' : `, about ${durationText((seconds / share) * (1 - share))} left`
    return `, ${Math.round(done / seconds)} per second${left}`
  }
}

const durationText = (seconds: number): string => (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`)
