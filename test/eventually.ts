/** Ends a test that hangs; it is no measure of speed. */
export const EVENTUALLY = { timeout: 90_000, interval: 50 } as const
