'use strict'
/** Light on the wire: what a client reads out of a column's packet is what the engine has computed. */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Codec } = require('../../../bridge/servers/embedded/codec')
const { Columns, lightOf } = require('../../../bridge/servers/embedded/columns')
const { World } = require('../../../engine/world')

/**
 * Decode a packet's light as a client does: section 0 lies below the world, two levels a byte, the lower block first.
 * @param {any} fields
 */
function reader (fields) {
  const has = (/** @type {number[][]} */ mask, /** @type {number} */ i) => mask.length > 0 &&
    ((mask[0][i < 32 ? 1 : 0] >>> (i & 31)) & 1) === 1
  const at = (/** @type {'sky' | 'block'} */ kind) =>
    (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => {
    const index = ((y + 64) >> 4) + 1
    const mask = fields[`${kind}LightMask`]
    if (!has(mask, index)) return has(fields[`empty${kind === 'sky' ? 'Sky' : 'Block'}LightMask`], index) ? 0 : NaN
    let before = 0
    for (let i = 0; i < index; i++) if (has(mask, i)) before++
    const place = (y & 15) << 8 | z << 4 | x
    return (fields[`${kind}Light`][before][place >> 1] >> (place & 1) * 4) & 15
  }
  return { sky: at('sky'), block: at('block') }
}

test('a client reads the light that the engine has computed, roofs and torches included', () => {
  const world = new World({ seed: 1 })
  world.command('fill 2 -57 2 9 -57 9 stone')
  world.command('setblock 5 -60 5 torch')
  const read = reader(lightOf(world.light.reach(0, 0)))
  for (let x = 0; x < 16; x++) {
    for (let z = 0; z < 16; z++) {
      for (const y of [-61, -60, -59, -57, -56, 0, 100]) {
        assert.equal(read.sky(x, y, z), world.light.sky(x, y, z), `sky at ${x} ${y} ${z}`)
        assert.equal(read.block(x, y, z), world.light.block(x, y, z), `lamps at ${x} ${y} ${z}`)
      }
    }
  }
  assert.equal(read.block(5, -60, 5), 14)
  assert.equal(read.sky(0, 300, 0), 15)
})

test('a lamp in the next column makes a lit column\'s packet anew, a dark one\'s stays', () => {
  const world = new World({ seed: 1 })
  const columns = new Columns(
    new Codec('1.20.4'), (cx, cz) => world.column(cx, cz), () => true, (cx, cz) => world.light.reach(cx, cz)
  )
  const [lit, dark] = [columns.frame(0, 0, true), columns.frame(0, 0, false)]
  assert.equal(columns.frame(0, 0, true), lit)
  world.command('fill 14 -58 0 20 -58 8 stone')
  world.command('setblock 17 -60 4 glowstone')
  assert.notEqual(columns.frame(0, 0, true), lit)
  assert.equal(columns.frame(0, 0, false), dark)
})
