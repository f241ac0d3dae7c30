// Single files of large packages, copied to dist so that an installation does not need the packages.
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from './install.mjs'

/** Per package: its files and their places in dist. */
const PARTS = [
  // The WebAssembly runtime for systems without a native one: three files out of 138 MB.
  { from: 'onnxruntime-web/dist/ort.node.min.mjs', to: 'models/wasm/ort.node.min.mjs' },
  { from: 'onnxruntime-web/dist/ort-wasm-simd-threaded.mjs', to: 'models/wasm/ort-wasm-simd-threaded.mjs' },
  { from: 'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm', to: 'models/wasm/ort-wasm-simd-threaded.wasm' },
  // The package has an install script and 9 MB of sources.
  { from: 'tree-sitter-c/tree-sitter-c.wasm', to: 'parsers/tree-sitter-c.wasm' },
  // The package has 4 MB of source maps and debug builds.
  { from: 'web-tree-sitter/web-tree-sitter.js', to: 'parsers/web-tree-sitter.mjs' },
  { from: 'web-tree-sitter/web-tree-sitter.wasm', to: 'parsers/web-tree-sitter.wasm' },
]

export async function copyParts() {
  for (const { from, to } of PARTS) {
    const target = join(root, 'dist', to)
    await mkdir(dirname(target), { recursive: true })
    await copyFile(join(root, 'node_modules', from), target)
  }
}
