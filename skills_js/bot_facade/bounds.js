/**
 * Limits on built-ins that V8 cannot interrupt: searching one long text for another, or a list that is long by its
 * `length` alone, would continue for minutes after a program's end. Calls far beyond any honest program are refused at
 * once.
 */
'use strict'

/** Largest product of the lengths of both texts. */
const MAX_STEPS = 2e8
/** Longest text for functions that apply the rules of languages; sorting its accents takes quadratic time. */
const MAX_LETTERS = 20_000
/** Maximum length of a list; at this length even a list of numbers fills a program's memory. */
const MAX_PLACES = 2 ** 24

/** Methods that search one text for another, letter by letter. */
const SEARCHES = ['indexOf', 'lastIndexOf', 'includes', 'split', 'replace', 'replaceAll']
const LETTERS = ['normalize', 'localeCompare']
/** Methods that visit all places of a list, even of an empty one. */
const LISTS = [
  'concat', 'copyWithin', 'fill', 'flat', 'includes', 'indexOf', 'join', 'lastIndexOf', 'reverse', 'shift', 'slice',
  'sort', 'splice',
  'toLocaleString', 'toReversed', 'toSorted', 'toSpliced', 'unshift'
]

/**
 * @param {any} prototype
 * @param {string[]} names
 * @param {(self: any, args: any[], name: string) => void} check throws when it would take too long
 */
function guard (prototype, names, check) {
  for (const name of names) {
    const original = prototype[name]
    const { [name]: guarded } = {
      /** @this {any} @param {unknown[]} args */
      [name] (...args) {
        check(this, args, name)
        return Reflect.apply(original, this, args)
      }
    }
    Object.defineProperty(guarded, 'length', { value: original.length })
    Object.defineProperty(prototype, name, { value: guarded, writable: true, enumerable: false, configurable: true })
  }
}

/** @param {string} name @param {string} what @param {number} most */
const refuse = (name, what, most) =>
  new RangeError(`${name} of ${what}: the most is ${most} here; work on smaller parts`)

/** @param {any} self @param {unknown[]} args @param {string} name */
function checkSearch (self, [wanted], name) {
  if (typeof self !== 'string' || typeof wanted !== 'string' || self.length * wanted.length <= MAX_STEPS) return
  throw refuse(name, `a text of ${wanted.length} characters in one of ${self.length}, multiplied`, MAX_STEPS)
}

/** @param {any} self @param {unknown[]} args @param {string} name */
function checkLetters (self, args, name) {
  const longest = Math.max(...[self, ...args].map((each) => typeof each === 'string' ? each.length : 0))
  if (longest > MAX_LETTERS) throw refuse(name, `a text of ${longest} characters`, MAX_LETTERS)
}

/** @param {any} self @param {unknown[]} args @param {string} name */
function checkList (self, args, name) {
  if (self?.length > MAX_PLACES) throw refuse(name, `a list of ${self.length} places`, MAX_PLACES)
}

/** Apply the limits, before the prototypes are frozen. */
function bound () {
  guard(String.prototype, SEARCHES, checkSearch)
  guard(String.prototype, LETTERS, checkLetters)
  guard(Array.prototype, LISTS, checkList)
}

module.exports = { MAX_LETTERS, MAX_PLACES, MAX_STEPS, bound }
