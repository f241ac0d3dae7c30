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
  // The reader of documents runs in a thread of its own, outside the bundle.
  'linkedom',
  '@mozilla/readability',
  'turndown',
  '@joplin/turndown-plugin-gfm',
  'unpdf',
]
