'use strict'
/**
 * Dispensers and droppers (minecraft.wiki): a random stack gives one item. Dispensers shoot arrows, throw items, pour
 * buckets and light TNT.
 */
const { STEP, OPPOSITE, beside } = require('./power')
const { inventoryAt, putOne } = require('../functional_blocks/sided_inventories')
const { Projectile } = require('../../entities/projectiles')
const { cartOn } = require('../../entities/minecart')
const { PrimedTnt } = require('../../entities/falling')
const { REMAINDERS } = require('../workshops/crafting')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */

/** Yaw and pitch, in degrees, along each facing. @type {Record<string, [number, number]>} */
const VIEWS = { south: [0, 0], west: [90, 0], north: [180, 0], east: [-90, 0], up: [0, -90], down: [0, 90] }
const THROWN = /^(arrow|spectral_arrow|tipped_arrow|snowball|egg)$/
const SPEED = 1.1

/** @param {World} world @param {Pos} pos @param {BlockState} state */
function dispense (world, pos, state) {
  const entity = world.blockEntities.at(pos)
  const filled = (entity?.store.slots ?? []).flatMap((item, i) => (item ? [i] : []))
  if (!entity || filled.length === 0) return
  const slot = filled[world.random.stream('dispensers').int(0, filled.length - 1)]
  const item = /** @type {Item} */ (entity.store.get(slot))
  const one = /** @type {Item} */ (world.stacks.withCount(item, 1))
  const left = state.name === 'dropper' ? into(world, pos, state, one) : special(world, pos, state, one)
  if (left === undefined) eject(world, pos, state, one)
  const rests = left && left !== one && item.count === 1
  entity.store.set(slot, rests ? left : world.stacks.withCount(item, item.count - (left === one ? 0 : 1)))
  if (left && left !== one && !rests) {
    const rest = entity.store.insert(world.stacks, left, entity.store.slots.keys())
    if (rest) eject(world, pos, state, rest)
  }
}

/**
 * Move an item from a dropper into the container before it.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} state
 * @param {Item} item
 * @returns {Item | null | undefined} the remaining stack; undefined without a container
 */
function into (world, pos, state, item) {
  const { facing } = state.props
  const there = inventoryAt(world, beside(pos, facing))
  return there ? putOne(world, there, item, OPPOSITE[facing]) ? null : item : undefined
}

/**
 * Let a dispenser use an item.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} state
 * @param {Item} item
 * @returns {Item | null | undefined} the remaining stack; undefined if the item is thrown out as it is
 */
function special (world, pos, state, item) {
  const at = beside(pos, state.props.facing)
  const there = world.stateAt(at.x, at.y, at.z)
  if (THROWN.test(item.name)) {
    const [yaw, pitch] = VIEWS[state.props.facing]
    const mouth = centre(pos, state)
    const shooter = /** @type {any} */ ({ id: -1, ...mouth, yaw, pitch,
      eyes: { x: mouth.x, y: mouth.y + 0.1, z: mouth.z }, vx: 0, vy: 0, vz: 0, onGround: true })
    world.enter(new Projectile(world, /arrow/.test(item.name) ? 'arrow' : item.name, shooter, SPEED, 6))
    return null
  }
  const cart = cartOn(world, item.name, at)
  if (cart) {
    world.enter(cart)
    return null
  }
  if (item.name === 'tnt') {
    world.enter(new PrimedTnt(world, { x: at.x + 0.5, y: at.y, z: at.z + 0.5 }))
    return null
  }
  const liquid = /^(water|lava)_bucket$/.exec(item.name)?.[1]
  if (liquid && there.replaceable) {
    world.setBlock(at.x, at.y, at.z, world.data.stateId(liquid))
    return world.stacks.make(REMAINDERS[item.name])
  }
  if (item.name === 'bucket' && /^(water|lava)$/.test(there.name) && there.props.level === '0') {
    world.setBlock(at.x, at.y, at.z, 0)
    return world.stacks.make(`${there.name}_bucket`)
  }
  return undefined
}

/** @param {Pos} pos @param {BlockState} state @returns {Pos} position before the mouth */
function centre (pos, state) {
  const [dx, dy, dz] = STEP[state.props.facing]
  return { x: pos.x + 0.5 + dx * 0.7, y: pos.y + 0.5 + dy * 0.7, z: pos.z + 0.5 + dz * 0.7 }
}

/** @param {World} world @param {Pos} pos @param {BlockState} state @param {Item} item */
function eject (world, pos, state, item) {
  const [dx, dy, dz] = STEP[state.props.facing]
  const at = centre(pos, state)
  const thrown = world.spawnItem(item, { ...at, y: at.y - (dy === 0 ? 0.156 : 0.125) })
  const random = world.random.stream('dispensers')
  const speed = random.between(0.2, 0.3)
  Object.assign(thrown, { vx: random.triangle(dx * speed, 0.1), vy: random.triangle(0.2 + dy * speed, 0.1),
    vz: random.triangle(dz * speed, 0.1) })
}

module.exports = { dispense }
