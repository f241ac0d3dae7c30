import type { Definition } from './outline.js'

/** A run of lines that becomes one chunk. */
export interface LayoutUnit {
  start: number
  end: number
  /** The definition whose body these lines belong to, -1 at module level. */
  readonly owner: number
  /** Indices of the definitions that start in it. */
  readonly defs: readonly number[]
}

interface LayoutLimits {
  readonly maxLines: number
  readonly maxChars: number
  readonly wholeLines: number
  readonly smallLines: number
  readonly tinyLines: number
  readonly mergedLines: number
  readonly overlapLines: number
}

/** Lines that only open or close a block have no content of their own. */
const PUNCTUATION = /^(?:[\s{}()[\];,]|end\b|\*\/)*$/

/** Units in line order that cover every line. Only windows of one split unit overlap. */
export function layOut(
  text: string,
  starts: readonly number[],
  definitions: readonly Definition[],
  limits: LayoutLimits,
): readonly LayoutUnit[] {
  const children = new Map<number, number[]>()
  definitions.forEach((def, index) => {
    const siblings = children.get(def.parent)
    if (siblings === undefined) children.set(def.parent, [index])
    else siblings.push(index)
  })
  const chars = (start: number, end: number) => (starts[end] ?? 0) - (starts[start - 1] ?? 0)

  const descend = (index: number): number[] => [index, ...(children.get(index) ?? []).flatMap(descend)]

  // A module or namespace is not a result in place of its contents.
  const isFolder = (index: number) =>
    definitions[index]?.kind === 'module' && (children.get(index) ?? []).some((child) => definitions[child]?.kind !== 'other')

  const place = (index: number, start: number, end: number): LayoutUnit[] => {
    const def = definitions[index]
    const whole: LayoutUnit = { start, end, owner: def?.parent ?? -1, defs: descend(index) }
    const callable = def?.kind === 'function'
    const max = callable ? limits.maxLines : isFolder(index) ? 1 : limits.wholeLines
    if (def === undefined || (end - start < max && chars(start, end) <= limits.maxChars)) return [whole]
    const parts = (children.get(index) ?? []).filter((child) => !callable || lengthOf(definitions[child]) >= limits.smallLines)
    if (parts.length === 0) return [whole]
    const inner = cover(start, end, parts, index)
    // The definition starts in the first part of its body, so that its name is found there.
    const [first, ...rest] = inner
    const loose = (children.get(index) ?? []).filter((child) => !parts.includes(child)).flatMap(descend)
    return first === undefined ? [whole] : [{ ...first, defs: [index, ...first.defs, ...loose] }, ...rest]
  }

  const cover = (from: number, to: number, parts: readonly number[], owner: number): LayoutUnit[] => {
    const units: LayoutUnit[] = []
    let next = from
    for (const index of parts) {
      const def = definitions[index]
      if (def === undefined) continue
      const start = Math.max(def.startLine, next)
      const end = Math.min(def.endLine, to)
      if (end < start) {
        const last = units.pop()
        units.push(
          last === undefined
            ? { start: from, end: from, owner, defs: descend(index) }
            : { ...last, defs: [...last.defs, ...descend(index)] },
        )
        next = Math.max(next, (units.at(-1)?.end ?? from) + 1)
        continue
      }
      if (start > next) units.push({ start: next, end: start - 1, owner, defs: [] })
      units.push(...place(index, start, end))
      next = end + 1
    }
    if (next <= to) units.push({ start: next, end: to, owner, defs: [] })
    return units
  }

  const lineCount = starts.length - 1
  const isFiller = (unit: LayoutUnit) => unit.defs.length === 0 && PUNCTUATION.test(text.slice(starts[unit.start - 1], starts[unit.end]))
  const units = mergeSmall(absorb(cover(1, lineCount, children.get(-1) ?? [], -1), isFiller), definitions, chars, limits)
  return units.flatMap((unit) => {
    if (unit.end - unit.start < limits.maxLines && chars(unit.start, unit.end) <= limits.maxChars) return [unit]
    return windowsOf(unit, starts, { lines: limits.maxLines, chars: limits.maxChars, overlap: limits.overlapLines })
  })
}

const lengthOf = (def: Definition | undefined): number => (def === undefined ? 0 : def.endLine - def.startLine + 1)

/** Assigns blank lines and closing brackets to the preceding unit, or to the next one at the top of the file. */
function absorb(units: readonly LayoutUnit[], isFiller: (unit: LayoutUnit) => boolean): readonly LayoutUnit[] {
  const kept: LayoutUnit[] = []
  let leading: number | null = null
  for (const unit of units) {
    const last = kept.at(-1)
    if (isFiller(unit)) {
      if (last === undefined) leading ??= unit.start
      else last.end = unit.end
    } else {
      kept.push({ ...unit, start: leading ?? unit.start })
      leading = null
    }
  }
  const lastUnit = units.at(-1)
  return kept.length === 0 && lastUnit !== undefined ? [{ ...lastUnit, start: 1 }] : kept
}

/**
 * Merges runs of short constants and type aliases, and small runs of plain lines. Callable and instantiable definitions are never merged,
 * because queries name them.
 */
function mergeSmall(
  units: readonly LayoutUnit[],
  definitions: readonly Definition[],
  chars: (start: number, end: number) => number,
  limits: LayoutLimits,
): readonly LayoutUnit[] {
  const merged: LayoutUnit[] = []
  let open = false
  for (const unit of units) {
    const def = definitions[unit.defs[0] ?? -1]
    const small =
      def === undefined ? unit.end - unit.start + 1 < limits.smallLines : def.kind === 'other' && lengthOf(def) <= limits.tinyLines
    const last = merged.at(-1)
    const joins =
      open &&
      small &&
      last !== undefined &&
      last.owner === unit.owner &&
      last.defs.length > 0 === unit.defs.length > 0 &&
      unit.end - last.start < limits.mergedLines &&
      chars(last.start, unit.end) <= limits.maxChars
    if (joins) merged[merged.length - 1] = { ...last, end: unit.end, defs: [...last.defs, ...unit.defs] }
    else {
      merged.push(unit)
      open = small
    }
  }
  return merged
}

/** Cuts a unit into overlapping windows. The definitions of the unit belong to the first one. */
export function windowsOf(
  unit: LayoutUnit,
  starts: readonly number[],
  size: { lines: number; chars: number; overlap: number },
): readonly LayoutUnit[] {
  const windows: LayoutUnit[] = []
  const owner = unit.defs[0] ?? unit.owner
  let start = unit.start
  for (;;) {
    let end = start
    while (end < unit.end && end - start + 1 < size.lines && (starts[end + 1] ?? 0) - (starts[start - 1] ?? 0) <= size.chars) end++
    windows.push({ start, end, owner, defs: windows.length === 0 ? unit.defs : [] })
    if (end >= unit.end) return windows
    // The overlap is at most half of a window, so that every window advances.
    start = end + 1 - Math.min(size.overlap, (end - start) >> 1)
  }
}
