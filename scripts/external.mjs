// Packages that stay outside the bundle, so that whoever installs the program needs them.
// They load files that lie beside them, or are native. All others are inside.
export const EXTERNAL = [
  'better-sqlite3',
  'onnxruntime-node',
  '@huggingface/tokenizers',
  'web-tree-sitter',
  '@vscode/tree-sitter-wasm',
  '@parcel/watcher',
  'chokidar',
]
