/** Scales the vector to length one in place. A zero vector stays zero. */
export function normaliseVector(vector: Float32Array): Float32Array {
  let squares = 0
  for (let i = 0; i < vector.length; i++) squares += (vector[i] ?? 0) ** 2
  if (squares === 0) return vector
  const factor = 1 / Math.sqrt(squares)
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * factor
  return vector
}
