/** Typed arrays that double when full. */
export interface Column<A extends Int32Array | Uint8Array | Float64Array> {
  values: A
}

export const int32 = (): Column<Int32Array> => ({ values: new Int32Array(1024) })
export const uint8 = (): Column<Uint8Array> => ({ values: new Uint8Array(1024) })
export const float64 = (): Column<Float64Array> => ({ values: new Float64Array(1024) })

export function grow(columns: readonly Column<Int32Array | Uint8Array | Float64Array>[], size: number): void {
  for (const column of columns) {
    if (column.values.length >= size) continue
    const length = Math.max(size, column.values.length * 2)
    const { values } = column
    const larger =
      values instanceof Int32Array
        ? new Int32Array(length)
        : values instanceof Uint8Array
          ? new Uint8Array(length)
          : new Float64Array(length)
    larger.set(values)
    column.values = larger
  }
}
