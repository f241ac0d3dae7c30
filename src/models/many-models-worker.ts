import { pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'
import type { SeatRequest } from './model-thread-host.js'
import { type LoadModel, serve } from './onnx-model.js'

/** Serves several models on one thread, each through its own port and worker module. */
parentPort?.on('message', ({ workerFile, setup, port }: SeatRequest) => {
  void serve(port, async () => {
    const { load }: { readonly load: LoadModel } = await import(pathToFileURL(workerFile).href)
    return load(setup)
  })
})
