'use strict'
const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { PAGE, page, primitiveDocs, primitivesForModel, signature } = require('../../../skills_js/docs')
const { NAMES } = require('../../../skills_js/bot_facade/errors')

const ROOT = path.resolve(__dirname, '..', '..', '..', 'skills_js')

test('docs/primitives.md is what the JSDoc gives', () => {
  assert.equal(fs.readFileSync(PAGE, 'utf8'), page(), 'run node skills_js/docs.js')
})

test('every file of a primitive exports exactly the function of its name, and stands in the index', () => {
  for (const folder of ['primitives', 'queries']) {
    const files = fs.readdirSync(path.join(ROOT, folder))
      .filter((file) => file.endsWith('.js') && file !== 'index.js')
      .map((file) => file.slice(0, -3))
    assert.deepEqual(Object.keys(require(path.join(ROOT, folder, 'index.js'))).sort(), files.sort())
    for (const file of files) assert.deepEqual(Object.keys(require(path.join(ROOT, folder, `${file}.js`))), [file])
  }
})

test('every primitive documents its parameters, result, named failures and an example', () => {
  for (const doc of primitiveDocs()) {
    const primitive = { ...require(path.join(ROOT, 'queries')), ...require(path.join(ROOT, 'primitives')) }[doc.name]
    const params = /\(([^)]*)\)/.exec(
      Function.prototype.toString.call(primitive).replace(/\(\) => null/, 'null')
    )?.[1] ?? ''
    assert.deepEqual(
      doc.params.map(({ name }) => name), params.split(',').map((param) => param.split('=')[0].trim()), doc.name
    )
    assert.equal(doc.params[0].name, 'bot', doc.name)
    assert.ok(doc.text.length > 20 && doc.returns.type !== '' && doc.examples.length > 0, doc.name)
    assert.deepEqual(doc.throws.filter(({ name }) => !Object.hasOwn(NAMES, name)), [], doc.name)
    assert.ok(doc.examples.every((example) => example.includes(`${doc.name}(bot`)), doc.name)
  }
})

test('the text for models has every primitive with its signature', () => {
  const text = primitivesForModel()
  for (const doc of primitiveDocs()) assert.ok(text.includes(`\n${signature(doc)}\n`), doc.name)
})
