const GATE_IDLE = 0
const GATE_BUSY = 1
const GATE_STOPPED = 2
const MAX_HOLD_MS = 5000

/**
 * Ending a thread inside the ONNX runtime aborts the process. This cell, shared with a worker, shows when the worker is inside, and lets
 * the owner block entry.
 */
export type NativeGate = Int32Array<SharedArrayBuffer>

export function createNativeGate(): NativeGate {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** Worker side: runs the native work, or waits forever if the thread is about to be ended. */
export async function passGate<Result>(gate: NativeGate, work: () => Promise<Result>): Promise<Result> {
  if (Atomics.compareExchange(gate, 0, GATE_IDLE, GATE_BUSY) !== GATE_IDLE) return new Promise(() => undefined)
  try {
    return await work()
  } finally {
    Atomics.store(gate, 0, GATE_IDLE)
    Atomics.notify(gate, 0)
  }
}

/** Owner side: true if the worker is outside and stays there, so that it may be ended. */
export function shutGate(gate: NativeGate): boolean {
  return Atomics.compareExchange(gate, 0, GATE_IDLE, GATE_STOPPED) !== GATE_BUSY
}

const held = new Set<NativeGate>()

/** While held, the exit of this process waits for the worker to leave the runtime. */
export function holdExit(gate: NativeGate): void {
  if (held.size === 0) process.on('exit', shutAll)
  held.add(gate)
}

export function releaseExit(gate: NativeGate): void {
  held.delete(gate)
  if (held.size === 0) process.off('exit', shutAll)
}

function shutAll(): void {
  for (const gate of held) while (!shutGate(gate)) if (Atomics.wait(gate, 0, GATE_BUSY, MAX_HOLD_MS) === 'timed-out') break
}
