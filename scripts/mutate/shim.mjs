// The parts of vitest that tests use, for running outside of its processes.

import {
  ASYMMETRIC_MATCHERS_OBJECT,
  customMatchers,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect'
import * as spies from '@vitest/spy'
import * as chai from 'chai'

const PAUSE_MS = 20
const WAIT_MS = 10_000

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin)

export const expect = Object.assign((value, message) => {
  setState({ assertionCalls: getState(expect).assertionCalls + 1 }, expect)
  return chai.expect(value, message)
}, chai.expect)
Object.assign(expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT], {
  getState: () => getState(expect),
  setState: (state) => setState(state, expect),
  soft: expect,
  poll: (read) => polling(read),
})
globalThis[GLOBAL_EXPECT] = expect
setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null }, expect)

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))

async function waitFor(work, options = {}) {
  const until = Date.now() + (options.timeout ?? WAIT_MS)
  for (;;) {
    try {
      return await work()
    } catch (failure) {
      if (Date.now() > until) throw failure
      await pause()
    }
  }
}

async function waitUntil(work, options) {
  return waitFor(async () => {
    const value = await work()
    if (!value) throw new Error('not yet')
    return value
  }, options)
}

/** `expect.poll(read).toBe(...)`: retries until the matcher holds. */
function polling(read, isNot = false) {
  return new Proxy(
    {},
    {
      get(_, name) {
        if (name === 'not') return polling(read, !isNot)
        return (...args) =>
          waitFor(async () => {
            const value = await read()
            const assertion = isNot ? expect(value).not : expect(value)
            assertion[name](...args)
          })
      },
    },
  )
}

export const vi = { ...spies, fn: spies.fn, spyOn: spies.spyOn, waitFor, waitUntil }

chai.expect.extend(expect, customMatchers)
