type Values = Int32Array | Uint8Array | Float64Array

/** Typed arrays that double when full. They start small: a store may have thousands of owners with a few facts each. */
export interface Column<A extends Values> {
  values: A
}

const INITIAL_CAPACITY = 64

export const int32 = (): Column<Int32Array> => ({ values: new Int32Array(INITIAL_CAPACITY) })
export const uint8 = (): Column<Uint8Array> => ({ values: new Uint8Array(INITIAL_CAPACITY) })
export const float64 = (): Column<Float64Array> => ({ values: new Float64Array(INITIAL_CAPACITY) })

export function grow(columns: readonly Column<Values>[], size: number): void {
  for (const column of columns)
    if (column.values.length < size) column.values = larger(column.values, Math.max(size, column.values.length * 2))
}

function larger(values: Values, length: number): Values {
  if (values instanceof Int32Array) return copied(values, new Int32Array(length))
  if (values instanceof Uint8Array) return copied(values, new Uint8Array(length))
  return copied(values, new Float64Array(length))
}

function copied<A extends { set(from: A): void }>(from: A, to: A): A {
  to.set(from)
  return to
}
