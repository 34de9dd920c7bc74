'use strict'
/** A program sees the world's time and no other. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { Sandbox } = require('./support')

/**
 * Inside the isolate: calls everything that the language has under a name, without arguments, and looks for a time of
 * today in what comes back. What Accord itself puts into scope is not called: it asks the host.
 */
const WALK = `
  const names = ['Array', 'ArrayBuffer', 'BigInt', 'Boolean', 'DataView', 'Date', 'Error', 'Function', 'Intl',
    'Iterator', 'JSON', 'Map', 'Math',
    'Number', 'Object', 'Promise', 'Proxy', 'Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'WeakMap', 'WeakSet',
    'performance', 'Temporal',
    'escape', 'parseFloat', 'AggregateError', 'Float64Array', 'WeakRef', 'FinalizationRegistry', 'structuredClone']
  const today = /\\b20[2-9]\\d\\b/
  const told = (value) => {
    if (typeof value === 'number' || typeof value === 'bigint') return Number(value) > 1.6e12 && Number(value) < 4.2e12
    if (typeof value === 'string') return today.test(value)
    if (value instanceof Date) return value.getTime() > 1e12
    return Array.isArray(value) && value.some((part) => told(part?.value))
  }
  const found = []
  let looks = 0
  const look = (path, call) => {
    looks++
    let value
    try { value = call() } catch { return undefined }
    if (value instanceof Promise) value.catch(() => {})
    if (told(value)) found.push(path)
    return value
  }
  const members = (owner, path, self) => {
    for (const key of Reflect.ownKeys(owner)) {
      const field = Reflect.getOwnPropertyDescriptor(owner, key)
      const value = field.get ? look(path + '.' + String(key), () => Reflect.apply(field.get, self, [])) : field.value
      if (typeof value !== 'function') continue
      look(path + '.' + String(key) + '()', () => Reflect.apply(value, self, []))
      if (self !== owner || value.prototype === undefined) continue
      const made = look('new ' + path + '.' + String(key), () => new value())
      if (made !== undefined) members(value.prototype, path + '.' + String(key) + '.prototype', made)
    }
  }
  for (const name of names) {
    const value = globalThis[name]
    if (value === undefined) continue
    if (typeof value === 'function') {
      look(name + '()', () => value())
      const made = look('new ' + name, () => new value())
      if (made !== undefined) members(value.prototype, name + '.prototype', made)
    }
    members(value, name, value)
  }
  return { found, looks }`

test('nothing that the language has tells a program the date', async () => {
  const { found, looks } = await new Sandbox().value(WALK)
  assert.deepEqual(found, [])
  assert.ok(looks > 400, `${looks} looks`)
})

test('formats without a date tell the world\'s time, and any date as it is', async () => {
  const sandbox = new Sandbox()
  sandbox.world.time = 90_061_000
  assert.deepEqual(await sandbox.value(`
    const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'UTC' })
    const { format: alone } = format
    return [format.format(), format.format(undefined), alone(), format.format(0), format.format(new Date(1e12)),
      format.format === format.format,
      format.formatToParts().map(({ value }) => value).join(''),
        format.formatToParts(0).map(({ value }) => value).join('')]`),
  ['02/01/1970, 01:01:01', '02/01/1970, 01:01:01', '02/01/1970, 01:01:01', '01/01/1970, 00:00:00',
    '09/09/2001, 01:46:40', true,
    '02/01/1970, 01:01:01', '01/01/1970, 00:00:00'])
})

test('a format that is none is an error as ever', async () => {
  assert.equal(await new Sandbox().value(`
    const { get } = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format')
    try { get.call({}) } catch (error) { return error.name }`), 'TypeError')
})

test('nothing tells when garbage is collected', async () => {
  assert.deepEqual(
    await new Sandbox().value('return [typeof WeakRef, typeof FinalizationRegistry]'), ['undefined', 'undefined']
  )
})
