/** For what comes by itself: ends a test that hangs, and is no measure of how fast anything should be. */
export const EVENTUALLY = { timeout: 90_000, interval: 50 } as const
