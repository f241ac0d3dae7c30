import { pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'
import type { SeatRequest } from './model-thread-host.js'
import { type LoadModel, serve } from './onnx-model.js'

/** Serves several models on one thread: each has its own port, and the module that it would have begun its own thread with. */
parentPort?.on('message', ({ workerFile, setup, port }: SeatRequest) => {
  void serve(port, async () => {
    const { load }: { readonly load: LoadModel } = await import(pathToFileURL(workerFile).href)
    return load(setup)
  })
})
