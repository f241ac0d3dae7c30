// Dot products of one 16-bit query with 8-bit rows. `dimensions` is a multiple of 16 and rows are contiguous;
// the caller scales the query so that no sum leaves 32 bits.

// @ts-ignore: decorator
@inline
function sum(lanes: v128): i32 {
  const pairs = i32x4.add(lanes, i8x16.shuffle(lanes, lanes, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7))
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1)
}

// @ts-ignore: decorator
@inline
function dot(query: usize, row: usize, dimensions: usize): i32 {
  let low = i32x4.splat(0)
  let high = i32x4.splat(0)
  for (let i: usize = 0; i < dimensions; i += 16) {
    low = i32x4.add(low, i32x4.dot_i16x8_s(v128.load_ext<i8>(row + i), v128.load(query + 2 * i)))
    high = i32x4.add(high, i32x4.dot_i16x8_s(v128.load_ext<i8>(row + i, 8), v128.load(query + 2 * i, 16)))
  }
  return sum(i32x4.add(low, high))
}

// Two rows per pass share the loads of the query.
// @ts-ignore: decorator
@inline
function dotPair(query: usize, first: usize, second: usize, dimensions: usize, out: usize): void {
  let a = i32x4.splat(0)
  let b = i32x4.splat(0)
  for (let i: usize = 0; i < dimensions; i += 16) {
    const low = v128.load(query + 2 * i)
    const high = v128.load(query + 2 * i, 16)
    a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load_ext<i8>(first + i), low))
    b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load_ext<i8>(second + i), low))
    a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load_ext<i8>(first + i, 8), high))
    b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load_ext<i8>(second + i, 8), high))
  }
  store<i32>(out, sum(a))
  store<i32>(out, sum(b), 4)
}

export function scan(query: usize, rows: usize, count: i32, dimensions: i32, out: usize): void {
  const width = <usize>dimensions
  let row = rows
  let at = out
  const pairsEnd = out + 4 * <usize>(count & ~1)
  for (; at < pairsEnd; at += 8) {
    dotPair(query, row, row + width, width, at)
    row += 2 * width
  }
  if (count & 1) store<i32>(at, dot(query, row, width))
}

export function gather(query: usize, rows: usize, slots: usize, count: i32, dimensions: i32, out: usize): void {
  const width = <usize>dimensions
  let at = out
  let slot = slots
  const pairsEnd = out + 4 * <usize>(count & ~1)
  for (; at < pairsEnd; at += 8) {
    dotPair(query, rows + <usize>load<u32>(slot) * width, rows + <usize>load<u32>(slot, 4) * width, width, at)
    slot += 8
  }
  if (count & 1) store<i32>(at, dot(query, rows + <usize>load<u32>(slot) * width, width))
}

// A component of a row consists of two bytes in two planes.
// @ts-ignore: decorator
@inline
function component(high: usize, low: usize): f64 {
  return <f64>(<i32>load<i8>(high) * 256 + <i32>load<i8>(low))
}

// Added in order, so that the sum has the same bits everywhere.
export function exact(query: usize, high: usize, low: usize, dimensions: i32): f64 {
  let total: f64 = 0
  for (let i: usize = 0; i < <usize>dimensions; i++) total += <f64>load<f32>(query + 4 * i) * component(high + i, low + i)
  return total
}

export function decode(high: usize, low: usize, dimensions: i32, scale: f64, out: usize): void {
  for (let i: usize = 0; i < <usize>dimensions; i++) store<f32>(out + 4 * i, <f32>(component(high + i, low + i) * scale))
}

// Finds the products of a scan that are at least `least` after multiplication by the scale of their row. Writes rows and scores, and
// returns their number. `slots` lists the scanned rows; 0 means the first ones.
export function above(products: usize, scales: usize, slots: usize, count: i32, least: f64, found: usize, scores: usize): i32 {
  let kept: i32 = 0
  for (let i: i32 = 0; i < count; i++) {
    const row: u32 = slots == 0 ? i : load<u32>(slots + 4 * <usize>i)
    const score = <f64>load<i32>(products + 4 * <usize>i) * load<f64>(scales + 8 * <usize>row)
    if (score < least) continue
    store<u32>(found + 4 * <usize>kept, row)
    store<f64>(scores + 8 * <usize>kept, score)
    kept++
  }
  return kept
}
