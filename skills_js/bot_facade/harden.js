/**
 * Freezing of the language's own objects in this isolate, so that a program cannot alter what the bot facade relies on.
 * (The host guards the border; this keeps a program's mistakes local and its results truthful.)
 */
'use strict'

/** Prototypes whose fields are often set on inheriting objects (`error.name = ...`), which freezing would forbid. */
const INHERITED_FROM = [
  'Object', 'Function', 'Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError'
]
const OTHERS = [
  'Array', 'Promise', 'Map', 'Set', 'WeakMap', 'WeakSet', 'String', 'Number', 'Boolean', 'Symbol', 'RegExp', 'BigInt',
  'Proxy'
]
const PLAIN = ['JSON', 'Reflect', 'Math']

/**
 * Freeze a prototype, but let inheriting objects have own fields under the same names.
 * @param {any} prototype
 */
function freezeGently (prototype) {
  for (const key of Reflect.ownKeys(prototype)) {
    const field = Object.getOwnPropertyDescriptor(prototype, key)
    if (!field || !('value' in field) || !field.configurable) continue
    Object.defineProperty(prototype, key, {
      get: () => field.value,
      /** @this {any} */
      set (value) {
        if (this === prototype) throw new TypeError(`${String(key)} of a built-in prototype cannot be replaced`)
        Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true })
      },
      enumerable: field.enumerable,
      configurable: false
    })
  }
  Object.freeze(prototype)
}

/**
 * Seal the facade's own classes, which programs and primitives share: an object of theirs may be given members, the
 * class and its prototype stay as they are.
 * @param {...Function} classes
 */
function seal (...classes) {
  for (const each of classes) {
    Object.freeze(each.prototype)
    Object.freeze(each)
  }
}

/**
 * @param {any} value - plain data
 * @returns {any}
 */
function deepFreeze (value) {
  if (value === null || typeof value !== 'object') return value
  // No list of the values is made: this is done with every answer of the host.
  for (const key in value) deepFreeze(value[key])
  return Object.freeze(value)
}

/** Freeze what the bot facade relies on. */
function harden () {
  const scope = /** @type {any} */ (globalThis)
  for (const name of [...INHERITED_FROM, ...OTHERS]) Object.freeze(scope[name])
  for (const name of OTHERS) if (scope[name].prototype) Object.freeze(scope[name].prototype)
  for (const name of PLAIN) Object.freeze(scope[name])
  for (const name of INHERITED_FROM) freezeGently(scope[name].prototype)
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))
  Object.freeze(iterator)
  for (const sample of [
    [][Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), ''[Symbol.iterator]()
  ]) {
    Object.freeze(Object.getPrototypeOf(sample))
  }
}

module.exports = { deepFreeze, harden, seal }
