'use strict'
/** Calls of primitives get what a program gets as JSON, and nobody can change it. */
const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { asJson } = require('../../../bridge/mock/plain_host')

const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4 },
    fc.oneof(
      fc.double(),
      fc.integer(),
      fc.string(),
      fc.boolean(),
      fc.constantFrom(null, undefined, -0, NaN, Infinity, Math.max)
    ),
    fc.array(tie('any'), { maxLength: 5 }),
    fc.sparseArray(tie('any'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '1', '2'), tie('any'), { maxKeys: 4, noNullPrototype: true }),
    fc.constant(new Date(0)))
})).any

/** @param {any} part @returns {boolean} */
const frozen = (part) => typeof part !== 'object' || part === null ||
  (Object.isFrozen(part) && Object.values(part).every(frozen))

test('any value is what JSON would make of it, frozen to the bottom, and is not touched itself', () => {
  fc.assert(fc.property(value, (given) => {
    const text = JSON.stringify(given)
    const made = asJson(given)
    assert.deepStrictEqual(made, text === undefined ? undefined : JSON.parse(text))
    assert.deepEqual(Object.keys(made ?? {}), Object.keys(text === undefined ? {} : JSON.parse(text) ?? {}))
    assert.ok(frozen(made))
    assert.equal(JSON.stringify(given), text)
  }), { seed: 3, numRuns: 400 })
})
