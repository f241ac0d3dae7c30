/** The texts at JSON paths (`a.b`, `items[*].text`, `$` for all), one per line. */
export const textAtPaths = (value: unknown, paths: readonly string[]): string =>
  paths.flatMap((path) => (path === '$' ? allTexts(value) : textsAt(value, stepsOf(path)))).join('\n')

const stepsOf = (path: string): readonly string[] =>
  path
    .replaceAll('[', '.')
    .replaceAll(']', '')
    .split('.')
    .filter((step) => step !== '')

function textsAt(value: unknown, steps: readonly string[]): readonly string[] {
  const [step, ...rest] = steps
  if (step === undefined) return allTexts(value)
  if (typeof value !== 'object' || value === null) return []
  if (step === '*') return Object.values(value).flatMap((one) => textsAt(one, rest))
  return textsAt(Object.entries(value).find(([name]) => name === step)?.[1], rest)
}

function allTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(allTexts) : []
}
