// Packages outside of the bundle, which an installation therefore needs: they are native or load files next to them.
export const EXTERNAL = [
  'better-sqlite3',
  'onnxruntime-node',
  '@huggingface/tokenizers',
  '@vscode/tree-sitter-wasm',
  '@parcel/watcher',
  'chokidar',
  // The document reader runs in a thread outside of the bundle.
  'linkedom',
  '@mozilla/readability',
  'turndown',
  '@joplin/turndown-plugin-gfm',
  'unpdf',
]
