const two = (part: number): string => String(part).padStart(2, '0')

/** A day without a time, which clients store as midnight in UTC. */
const DAY_ALONE = /^(\d{4}-\d\d-\d\d)(?:T00:00:00(?:\.0+)?(?:Z|\+00:00))?$/

/** An instant in local time, to the minute. A day without a time is the same day in every time zone; other text stays unchanged. */
export function localTime(instant: string): string {
  const day = DAY_ALONE.exec(instant)?.[1]
  if (day !== undefined) return day
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}
