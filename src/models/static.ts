import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryError } from '../errors.js'
import { normaliseVector } from './normalise-vector.js'
import { createStaticTokeniser } from './static-tokens.js'

const MODEL_FILE = 'static-gte-256.semb'
const PROJECTION_FILE = 'gte-query-projection.f32'
const FILE_MAGIC = 'SEMB'
const FORMAT_VERSION = 1
const HEADER_BYTES = 24
const TEACHER_DIMENSIONS = 384
const MAX_TOKENS = 512

/** One stored vector per token: rough, but fast enough to embed a repository in seconds. */
export interface StaticEmbedder {
  readonly id: string
  readonly dimensions: number
  embed(text: string): Float32Array
  /** Projects a unit vector of gte-small into this embedder's space. */
  project(gteVector: Float32Array): Float32Array
}

interface Table {
  readonly rows: number
  readonly dimensions: number
  /** Exponent of token counts. */
  readonly exponent: number
  readonly vocabulary: ReadonlyMap<string, number>
  readonly scales: Float32Array
  readonly values: Int8Array
}

export function openStaticEmbedder(folder: string): StaticEmbedder {
  const { rows, dimensions, exponent, vocabulary, scales, values } = readTable(join(folder, MODEL_FILE))
  const projection = readProjection(join(folder, PROJECTION_FILE), dimensions)
  const tokeniser = createStaticTokeniser(vocabulary, vocabulary.get('[UNK]') ?? 0)
  const weights = Float32Array.from({ length: MAX_TOKENS + 1 }, (_, count) => count ** exponent)
  // Reused by every call; `counts` is zero between calls.
  const tokens = new Int32Array(MAX_TOKENS)
  const counts = new Uint16Array(rows)

  return {
    id: `static-gte-${dimensions}`,
    dimensions,
    embed(text) {
      const length = tokeniser.fill(text, tokens)
      const vector = new Float32Array(dimensions)
      for (let i = 0; i < length; i++) {
        const token = tokens[i] ?? 0
        counts[token] = (counts[token] ?? 0) + 1
      }
      for (let i = 0; i < length; i++) {
        const token = tokens[i] ?? 0
        const count = counts[token] ?? 0
        if (count === 0) continue
        counts[token] = 0
        const weight = (weights[count] ?? 0) * (scales[token] ?? 0)
        const row = token * dimensions
        for (let k = 0; k < dimensions; k++) vector[k] = (vector[k] ?? 0) + weight * (values[row + k] ?? 0)
      }
      return normaliseVector(vector)
    },
    project(gteVector) {
      if (gteVector.length !== TEACHER_DIMENSIONS) {
        throw new MemoryError(
          'invalid_input',
          `Only a vector of ${TEACHER_DIMENSIONS} dimensions can be projected, not ${gteVector.length}.`,
        )
      }
      const vector = new Float32Array(dimensions)
      for (let i = 0; i < TEACHER_DIMENSIONS; i++) {
        const centred = (gteVector[i] ?? 0) - (projection[i] ?? 0)
        const row = TEACHER_DIMENSIONS + i * dimensions
        for (let k = 0; k < dimensions; k++) vector[k] = (vector[k] ?? 0) + centred * (projection[row + k] ?? 0)
      }
      return normaliseVector(vector)
    },
  }
}

/**
 * Little endian: magic, version, rows, dimensions, exponent (f32), size of the vocabulary in bytes; the vocabulary, one token per line; a
 * scale (f32) per row; the int8 rows. The vector of a token is its row times its scale.
 */
function readTable(file: string): Table {
  const bytes = readAsset(file)
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== FILE_MAGIC || bytes.readUInt32LE(4) !== FORMAT_VERSION) {
    throw damaged(file, `it does not begin with ${FILE_MAGIC} version ${FORMAT_VERSION}`)
  }
  const rows = bytes.readUInt32LE(8)
  const dimensions = bytes.readUInt32LE(12)
  const scalesAt = HEADER_BYTES + bytes.readUInt32LE(20)
  const valuesAt = scalesAt + rows * Float32Array.BYTES_PER_ELEMENT
  const end = valuesAt + rows * dimensions
  if (bytes.length !== end) throw damaged(file, `it has ${bytes.length} bytes instead of ${end}`)
  const words = bytes.toString('utf8', HEADER_BYTES, scalesAt).split('\n', rows)
  return {
    rows,
    dimensions,
    exponent: bytes.readFloatLE(16),
    vocabulary: new Map(words.map((word, row) => [word, row])),
    scales: new Float32Array(copyOf(bytes, scalesAt, valuesAt)),
    values: new Int8Array(copyOf(bytes, valuesAt, end)),
  }
}

/** Little endian f32: the mean of the source model's vectors, then one row of weights per dimension. */
function readProjection(file: string, dimensions: number): Float32Array {
  const bytes = readAsset(file)
  const expected = (TEACHER_DIMENSIONS + TEACHER_DIMENSIONS * dimensions) * Float32Array.BYTES_PER_ELEMENT
  if (bytes.length !== expected) throw damaged(file, `it has ${bytes.length} bytes instead of ${expected}`)
  return new Float32Array(copyOf(bytes, 0, bytes.length))
}

function readAsset(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new MemoryError('unavailable', `The file of the static embedder cannot be read: ${file}.`, {
      hint: 'It is part of the package: reinstall mneme.',
      cause,
    })
  }
}

/** Copies, because typed arrays need an aligned address, which a slice of a pooled buffer may not have. */
function copyOf(bytes: Buffer, start: number, end: number): ArrayBuffer {
  const copy = new ArrayBuffer(end - start)
  new Uint8Array(copy).set(bytes.subarray(start, end))
  return copy
}

function damaged(file: string, reason: string): MemoryError {
  return new MemoryError('unavailable', `${file} is not a file of the static embedder: ${reason}.`, {
    hint: 'It is part of the package: reinstall mneme.',
  })
}
