/** Truncation of lists for policies, so that they never exceed the size of an answer. */
'use strict'
const { CAPS } = require('./host_api')

/** Length up to which a list is not measured: it always fits. */
const SURELY = 100
/** Characters of the brackets around a list, and of the comma after each entry. */
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
