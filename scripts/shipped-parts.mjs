// Files of packages that the program needs little of: they go into dist, and whoever installs it has none of the rest.
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from './install.mjs'

/** By package: its files, and where they go in dist. */
const PARTS = [
  // The runtime of the models as WebAssembly, for systems that have no native one: three files of 138 MB.
  { from: 'onnxruntime-web/dist/ort.node.min.mjs', to: 'models/wasm/ort.node.min.mjs' },
  { from: 'onnxruntime-web/dist/ort-wasm-simd-threaded.mjs', to: 'models/wasm/ort-wasm-simd-threaded.mjs' },
  { from: 'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm', to: 'models/wasm/ort-wasm-simd-threaded.wasm' },
  // The package around this one has an install script and sources of 9 MB.
  { from: 'tree-sitter-c/tree-sitter-c.wasm', to: 'parsers/tree-sitter-c.wasm' },
]

export async function copyParts() {
  for (const { from, to } of PARTS) {
    const target = join(root, 'dist', to)
    await mkdir(dirname(target), { recursive: true })
    await copyFile(join(root, 'node_modules', from), target)
  }
}
