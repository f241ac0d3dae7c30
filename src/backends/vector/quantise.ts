import { MemoryError } from '../../errors.js'

const CODE_LIMIT = 127
const INT16_LIMIT = 32_767
const INT32_LIMIT = 2_147_483_647

/**
 * A query has 16 bits, because the kernel widens rows to 16 bits: only the rows are rounded coarsely. The maximum falls with the number of
 * dimensions, so that sums fit 32 bits.
 */
export function quantiseQuery(vector: Float32Array): { readonly codes: Int16Array; readonly scale: number } {
  const limit = Math.min(INT16_LIMIT, Math.floor(INT32_LIMIT / (CODE_LIMIT * vector.length)))
  const scale = largest(vector) / limit
  const codes = new Int16Array(vector.length)
  if (scale > 0) for (let i = 0; i < codes.length; i++) codes[i] = Math.round((vector[i] ?? 0) / scale)
  return { codes, scale }
}

function largest(vector: Float32Array): number {
  let max = 0
  for (const component of vector) {
    const magnitude = Math.abs(component)
    if (!(magnitude < Infinity)) {
      throw new MemoryError('invalid_input', `The vector has a component that is not a finite number: ${component}.`, {
        hint: 'Check the embedding model; its result cannot be indexed.',
      })
    }
    if (magnitude > max) max = magnitude
  }
  return max
}
