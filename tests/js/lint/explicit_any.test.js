'use strict'
/** The count of explicit `any` sees JSDoc, casts and declarations, and no text or other comment. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { countAny } = require('../../lint/explicit_any')

for (const { text, count } of [
  { text: '/** @param {any} a @returns {Record<string, any>} */ function f (a) { return a }', count: 2 },
  { text: 'const a = /** @type {any} */ (b)', count: 1 },
  { text: '/** @typedef {{ x: any }} T any value */', count: 1 },
  { text: 'class A {\n  /** @type {any[]} */\n  b = []\n}', count: 1 },
  { text: "// any\nconst any = 'any' /* any */", count: 0 },
  { text: '/** Return any block. @param {number} any */ function f (any) { return any }', count: 0 }
]) {
  test(`${count} in ${text}`, () => assert.equal(countAny('a.js', text), count))
}
test('a declaration file', () => assert.equal(countAny('a.d.ts', 'export const a: any; export type B = any[]'), 2))
