/**
 * How many random cases a test tries: `few` in every run, `all` with MNEME_TEST_FULL=1, and any number with MNEME_TEST_RUNS. Each case is
 * checked the same way.
 */
export const runs = (few: number, all: number): number =>
  Number(process.env.MNEME_TEST_RUNS ?? (process.env.MNEME_TEST_FULL === '1' ? all : few))
