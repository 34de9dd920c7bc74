/** Lists that go to a policy whole or cut off at the end, so that they never grow beyond an answer's size. */
'use strict'
const { CAPS } = require('./host_api')

/** Lists no longer than this are not measured: no entry has so many characters that they would not fit. */
const SURELY = 100
/** Characters of the brackets around a list, and of the comma behind each entry. */
const BRACKETS = 2
const COMMA = 1

/**
 * @template T
 * @param {T[]} list - what matters most first
 * @returns {T[]} as many of the first entries as an answer has room for
 */
function fitting (list) {
  if (list.length <= SURELY) return list
  let size = BRACKETS
  const end = list.findIndex((entry) => (size += JSON.stringify(entry).length + COMMA) > CAPS.resultChars)
  return end < 0 ? list : list.slice(0, end)
}

module.exports = { fitting }
