/** The part of WebAssembly used here; neither ES2023 nor Node's type package declares it. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance<Exports> {
    constructor(module: Module, imports: { env: { memory: Memory } })
    readonly exports: Exports
  }
}
