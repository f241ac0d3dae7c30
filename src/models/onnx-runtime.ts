import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Env, InferenceSession, InferenceSessionFactory, TensorConstructor } from 'onnxruntime-common'
import { shippedWasmRuntime } from './shipped.js'

/** The common interface of both ONNX runtimes. */
interface Runtime {
  readonly InferenceSession: InferenceSessionFactory
  readonly Tensor: TensorConstructor
}

export type RuntimeKind = 'native' | 'wasm'

interface LoadedRuntime extends Runtime {
  readonly kind: RuntimeKind
  readonly sessionOptions: InferenceSession.SessionOptions
  /** Why the native runtime is not used, if there should be one. */
  readonly notice?: string
}

/** Packages of mneme are named after their system. */
const system = `${process.platform}-${process.arch}`

const RUNTIME_PACKAGE = `mneme-runtime-${system}`

/** Systems with a native runtime. Linux means glibc. */
const NATIVE_PLATFORMS = new Set(['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64', 'win32-arm64'])

/**
 * The native runtime of this system, or the WebAssembly one if that is missing or cannot be loaded. Their vectors agree, see
 * docs/packages.md.
 */
export async function loadRuntime(only?: RuntimeKind): Promise<LoadedRuntime> {
  if (only === 'wasm') return loadWasm()
  try {
    return { kind: 'native', ...(await loadNative()), sessionOptions: {} }
  } catch (failure) {
    if (only === 'native') throw failure
    const expected = isNativeExpected()
    try {
      return { ...(await loadWasm()), ...(expected ? { notice: slowBecause(failure) } : {}) }
    } catch (second) {
      throw expected ? failure : second
    }
  }
}

/** True if the native runtime comes from a package, which supports one thread per process. */
export function isPackagedRuntime(): boolean {
  try {
    createRequire(import.meta.url).resolve(RUNTIME_PACKAGE)
    return true
  } catch {
    return false
  }
}

/** A clone has the package for all systems. */
async function loadNative(): Promise<Runtime> {
  const own = await ifInstalled<{ readonly default: Runtime }>(() => import(RUNTIME_PACKAGE))
  return (own ?? (await import('onnxruntime-node'))).default
}

async function loadWasm(): Promise<LoadedRuntime> {
  const runtime = await importWasm()
  // Computes in this thread.
  runtime.env.wasm.numThreads = 1
  const { InferenceSession, Tensor } = runtime
  return { kind: 'wasm', InferenceSession, Tensor, sessionOptions: { executionProviders: ['wasm'] } }
}

/** In a clone it is in the build output. */
async function importWasm(): Promise<Runtime & { readonly env: Env }> {
  const built = shippedWasmRuntime()
  if (existsSync(built)) return import(pathToFileURL(built).href)
  const own = await ifInstalled<Runtime & { readonly env: Env }>(() => import(`mneme-wasm-${system}`))
  return own ?? import(ANY_SYSTEM)
}

/** For systems without a package. */
const ANY_SYSTEM: string = 'mneme-wasm'

async function ifInstalled<Module>(load: () => Promise<Module>): Promise<Module | undefined> {
  try {
    return await load()
  } catch (failure) {
    if (isMissing(failure)) return undefined
    throw failure
  }
}

const isMissing = (failure: unknown): boolean =>
  failure instanceof Error && 'code' in failure && ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(String(failure.code))

function isNativeExpected(): boolean {
  return NATIVE_PLATFORMS.has(system) && (process.platform !== 'linux' || hasGlibc())
}

function hasGlibc(): boolean {
  const report: unknown = process.report.getReport()
  if (typeof report !== 'object' || report === null || !('header' in report)) return true
  const { header } = report
  return typeof header === 'object' && header !== null && 'glibcVersionRuntime' in header
}

function slowBecause(failure: unknown): string {
  const [line = ''] = (failure instanceof Error ? failure.message : String(failure)).split('\n', 1)
  return `the model runs as WebAssembly, several times slower, because its native runtime cannot be loaded (${line.replace(/[.:]$/, '')})`
}
