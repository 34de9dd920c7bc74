/**
 * Removal of every way in which the language would tell a program the machine's time, besides Date (scope.js): a
 * program sees the world's time only, so that the same seed gives the same run at any time on any machine.
 */
'use strict'

/** Classes that depend on the garbage collector, which would be a clock, and a die, of the machine's own. */
const COLLECTED = ['WeakRef', 'FinalizationRegistry']

/**
 * @param {any} scope - the global object, before any program
 * @param {() => number} now - ms since the world began
 */
function shutClocks (scope, now) {
  for (const name of COLLECTED) delete scope[name]
  tellWorldTime(scope.Intl.DateTimeFormat.prototype, now)
}

/**
 * Make formats without a given date show the world's time.
 * @param {any} prototype - of Intl.DateTimeFormat
 * @param {() => number} now
 */
function tellWorldTime (prototype, now) {
  const dated = (/** @type {any} */ date) => date === undefined ? now() : date
  const { get } = /** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, 'format'))
  const { formatToParts } = prototype
  /** @type {WeakMap<object, Function>} the same function at each look, as the language has it */
  const formats = new WeakMap()
  replace(prototype, 'format', {
    /** @this {any} */
    get () {
      if (!formats.has(this)) {
        const format = Reflect.apply(get, this, [])
        formats.set(this, (/** @type {any} */ date) => format(dated(date)))
      }
      return formats.get(this)
    }
  })
  replace(prototype, 'formatToParts', {
    /** @this {any} @param {any} date */
    value (date) { return Reflect.apply(formatToParts, this, [dated(date)]) }
  })
}

/** @param {any} owner @param {string} name @param {PropertyDescriptor} field */
function replace (owner, name, field) {
  Object.defineProperty(owner, name, { enumerable: false, configurable: false, ...field })
}

module.exports = { shutClocks }
