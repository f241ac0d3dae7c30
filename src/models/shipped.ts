import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

// Next to this file in the build, one level down in the bundle, in `dist` when run from source.
const WORKER_FOLDERS = ['.', './models', '../../dist/models']
const EMBEDDER_FOLDERS = ['./gte-small', './models/gte-small', '../../dist/models/gte-small']
const WASM_FOLDERS = ['./wasm', './models/wasm', '../../dist/models/wasm']
const STATIC_MODEL_FOLDERS = ['../../assets/static', '../assets/static']
const RERANKER_FOLDERS = ['../../assets/reranker', '../assets/reranker']
const RECIPE_FOLDERS = ['../../assets/recall', '../assets/recall']
const LANGUAGE_FOLDERS = ['../../assets/language', '../assets/language']

export const shippedWorkerFile = (name: 'onnx-worker' | 'pair-worker' | 'many-models-worker'): string =>
  locate(WORKER_FOLDERS.map((folder) => `${folder}/${name}.js`))
export const shippedModelFolder = (): string => locate(EMBEDDER_FOLDERS)
/** The WebAssembly runtime of models. */
export const shippedWasmRuntime = (): string => locate(WASM_FOLDERS.map((folder) => `${folder}/ort.node.min.mjs`))
/** The folder in which packages are installed: mneme's own, or the one with the node_modules that contains it. */
export function installFolder(): string {
  const own = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]+$/, '')
  return basename(dirname(own)) === 'node_modules' ? dirname(dirname(own)) : own
}

export const shippedStaticFolder = (): string => locate(STATIC_MODEL_FOLDERS)
export const shippedLanguageFolder = (): string => locate(LANGUAGE_FOLDERS)
export const shippedRecipeFolder = (): string => locate(RECIPE_FOLDERS)
export const shippedRerankerFolder = (): string => locate(RERANKER_FOLDERS)

function locate(candidates: readonly string[]): string {
  const paths = candidates.map((candidate) => fileURLToPath(new URL(candidate, import.meta.url)))
  return paths.find((path) => existsSync(path)) ?? paths[0] ?? ''
}
