const two = (part: number): string => String(part).padStart(2, '0')

/** An instant as the clock on the wall shows it; what is none stays as it is. */
export function localTime(at: string): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return at
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}
