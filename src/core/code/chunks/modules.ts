/** Files that represent their folder. */
const ROOT_FILES = new Set(['index', 'mod', 'lib', 'main', '__init__'])

/** Steps that anchor a path and are not matched. */
const ANCHORS = new Set(['crate', 'self', 'super', '*'])

const CERTAIN_SCORE = 100

/** Specifiers that can only mean a file of the project. */
export const isWithinProject = (module: string): boolean => /^[.~#]|^@\/|^(?:crate|self|super)\b/.test(module)

/**
 * How well a path matches an imported module: 0 for no match, otherwise higher is better. A relative specifier names one path; for any
 * other, its last steps are compared with the last steps of the path. `name` may be the last step.
 */
export function moduleFit(
  module: string,
  name: string,
  file: { readonly path: string; readonly language: string | null },
  from: string,
): number {
  const steps = stepsOf(file.path, file.language)
  if (/^\.+(?:\/|$)/.test(module) && file.language !== 'python') {
    const target = joined(from, module.split('/'))
    return [target, target.map((step, index) => (index === target.length - 1 ? stemOf(step) : step))].some((wanted) => same(wanted, steps))
      ? CERTAIN_SCORE
      : 0
  }
  const wanted = module
    .replace(/\.(?:h|hh|hpp|js|ts|rb|php)$/, '')
    .split(/[^\w-]+/)
    .filter((step) => step !== '' && !ANCHORS.has(step))
  const dots = file.language === 'python' ? (/^\.+/.exec(module)?.[0].length ?? 0) : 0
  if (dots > 0) {
    const folder = from.split('/').slice(0, -dots)
    return [wanted, wanted.at(-1) === name ? wanted.slice(0, -1) : wanted].some((entry) => same([...folder, ...entry], steps))
      ? CERTAIN_SCORE
      : 0
  }
  return commonEnd(wanted, steps) || (wanted.at(-1) === name ? commonEnd(wanted.slice(0, -1), steps) : 0)
}

/** The path of a file as module steps: without its extension, and without its name if that represents the folder. */
function stepsOf(path: string, language: string | null): readonly string[] {
  const steps = path.split('/')
  const file = stemOf(steps.pop() ?? '')
  // A Go package is its folder, whatever its files are called.
  return language === 'go' || (ROOT_FILES.has(file) && steps.length > 0) ? steps : [...steps, file]
}

const stemOf = (file: string): string => file.replace(/(?:\.d)?\.\w+$/, '')

const same = (wanted: readonly string[], steps: readonly string[]): boolean => {
  const bare = wanted.length > 1 && ROOT_FILES.has(wanted.at(-1) ?? '') ? wanted.slice(0, -1) : wanted
  return bare.length === steps.length && bare.every((step, index) => step === steps[index])
}

function commonEnd(wanted: readonly string[], steps: readonly string[]): number {
  let length = 0
  while (length < wanted.length && length < steps.length && wanted.at(-1 - length) === steps.at(-1 - length)) length++
  return length
}

function joined(from: string, module: readonly string[]): readonly string[] {
  const steps = from.split('/').slice(0, -1)
  for (const step of module) {
    if (step === '..') steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  }
  return steps
}
