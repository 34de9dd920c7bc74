'use strict'
/**
 * Changes sources of the product as they are loaded, so that the product itself has no switch that turns a defence off.
 * A test writes this file, behind `const CHANGES = [...]` and `const ROOT = ...` and before what is to be started, to a
 * folder of its own.
 */
/* global CHANGES, ROOT */
const fs = require('node:fs')
const Module = require('node:module')
const path = require('node:path')

/** @param {any} file @returns {any[]} */
const changesOf = (file) => CHANGES.filter((change) => path.join(ROOT, change.file) === file)

const read = fs.readFileSync
// What goes into an isolate is read as text (skills_js/bot_facade/bundle.js), what runs in Node is required.
fs.readFileSync = /** @type {any} */ ((/** @type {any} */ file, /** @type {any} */ options) =>
  changesOf(file).reduce((text, { from, to }) => {
  if (text.split(from).length !== 2) throw new Error(`${file}: ${JSON.stringify(from)} is not there exactly once`)
  return text.replace(from, () => to)
}, read(file, options)))

const extensions = /** @type {any} */ (Module)._extensions
const original = extensions['.js']
extensions['.js'] = (/** @type {any} */ module, /** @type {string} */ file) => {
  if (changesOf(file).length === 0) return original(module, file)
  module._compile(fs.readFileSync(file, 'utf8'), file)
}
