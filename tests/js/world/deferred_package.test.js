'use strict'
/** A package that is deferred is loaded when something of it is first read, and behaves as the package itself. */
const test = require('node:test')
const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { deferPackage } = require('../../../engine/world/deferred_package')

/** Loads by the packages of these tests. @type {{ loads: number }} */
const counted = Object.assign(globalThis, { loads: 0 })

/** @param {import('node:test').TestContext} t @returns {string} path of a new package that counts its loads */
function newPackage (t) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'accord-deferred-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'index.js')
  fs.writeFileSync(file, 'globalThis.loads++; module.exports = { name: "real", twice: (n) => 2 * n }')
  counted.loads = 0
  return file
}

test('a deferred package is loaded once, at its first use', (t) => {
  const file = newPackage(t)
  deferPackage(file)
  const standIn = require(file)
  assert.equal(counted.loads, 0)
  assert.equal(standIn.twice(4), 8)
  assert.equal(standIn.name, 'real')
  assert.equal(counted.loads, 1)
  assert.equal(require(file).twice, standIn.twice)
  assert.equal(counted.loads, 1)
})

test('a deferred package shows the members of the package', (t) => {
  const file = newPackage(t)
  deferPackage(file)
  const standIn = require(file)
  assert.deepEqual({ ...standIn, twice: 0 }, { name: 'real', twice: 0 })
  assert.ok('name' in standIn)
  assert.ok(!('other' in standIn))
})

test('a package that is loaded already stays', (t) => {
  const file = newPackage(t)
  const real = require(file)
  deferPackage(file)
  assert.equal(require(file), real)
})

test('a deferred package that is a function can be called', (t) => {
  const file = newPackage(t)
  fs.writeFileSync(file, 'module.exports = Object.assign((n) => 3 * n, { by: 3 })')
  deferPackage(file)
  const standIn = require(file)
  assert.equal(standIn(5), 15)
  assert.equal(standIn.by, 3)
})
