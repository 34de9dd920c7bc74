'use strict'
/**
 * A player's actions on blocks and entities, each confirmed from the world afterwards, as on servers.
 *
 * @module skills_js/mock/backend/hands
 */
const { named } = require('../../bot_facade/errors')
const { TICK_MS } = require('../clock')
const { EYE_HEIGHT, eyeDistance, firstHit } = require('../sight')
const { blockThere, effectsOf } = require('./reads')

/** Reach from the eye to a block's middle, in blocks; the same as for bots on servers. */
const REACH = 5.1
const LAND_TICKS = 30
/** Vanilla's reach for entities in survival is 3 blocks from the eye to the nearest side; a body is about one wide. */
const HIT_REACH = 4
/** Directions of the faces 0 to 5. */
const FACES = Object.freeze([[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1], [-1, 0, 0], [1, 0, 0]])
const TOP = 1

/**
 * @typedef {import('../client').Client} Client
 * @typedef {{x: number, y: number, z: number}} Place
 */

/**
 * @param {Client} client
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @returns {Generator<number | void, boolean, void>} ends once the block is gone; whether this player broke it
 * @throws {BlockGone}
 * @throws {NotBroken}
 * @throws {OutOfReach}
 */
function * dig (client, x, y, z) {
  diggable(client, { x, y, z })
  client.stopWalk()
  return yield * breakBlock(client, { x, y, z })
}

/**
 * Break a block, whether the player is walking or not.
 * @param {Client} client
 * @param {{x: number, y: number, z: number}} at
 * @returns {Generator<number | void, boolean, void>} whether this player broke it
 */
function * breakBlock (client, at) {
  const { player, body, simulation: { space } } = client
  const { x, y, z } = at
  const block = diggable(client, at)
  // In the air digging takes five times as long, so land first.
  for (let tick = 0; !body.onGround && tick < LAND_TICKS; tick++) yield
  const ticks = digTicks(client, block)
  yield * client.lookAt({ x: x + 0.5, y: y + 0.5, z: z + 0.5 }, true)
  const before = space.stateAt(x, y, z)
  const begun = player.startDig(at, faceTowards(client, at))
  if (!begun.ok) throw refused(block, at, begun.reason)
  const atOnce = space.stateAt(x, y, z) !== before
  client.digging = at
  try {
    for (let tick = 0; tick < ticks; tick++) {
      yield
      if (client.digging !== at) throw named('Cancelled', `digging ${block.name} at ${show(at)} was stopped`)
      if (player.dead) throw named('NotBroken', `${block.name} at ${show(at)}: the bot died`)
      // A block that falls or that others break ends the dig, as it does for bots on servers.
      if (space.stateAt(x, y, z) === 0) break
    }
    const stands = space.stateAt(x, y, z) === before
    if (stands) finish(client, block, at)
    client.emit('dug', at)
    yield // the server's word
    return stands || atOnce
  } finally {
    if (client.digging === at) client.digging = null
    if (space.stateAt(x, y, z) === before) {
      // A dig that was begun meanwhile is the player's only one.
      if (client.digging === null) player.abortDig()
      client.emit('digStopped', at)
    }
  }
}

/** @param {Client} client @param {any} block @param {{ x: number, y: number, z: number }} at */
function finish (client, block, at) {
  const end = client.player.finishDig(at)
  if (end.ok) return
  throw named(
    'NotBroken', `the server did not let ${block.name} at ${show(at)} be broken: ${end.reason ?? 'it still stands'}`
  )
}

/** @param {Client} client @param {{ x: number, y: number, z: number }} at @returns {any} the block, prismarine-block */
function diggable (client, at) {
  const block = blockThere(client, at.x, at.y, at.z)
  if (block.type === 0) throw named('BlockGone', `there is air at ${show(at)}, nothing to dig`)
  if (block.boundingBox === 'empty' && !block.diggable) {
    throw named('BlockGone', `there is ${block.name} at ${show(at)}, nothing to dig`)
  }
  if (!block.diggable) throw named('NotBroken', `${block.name} at ${show(at)} cannot be broken`)
  const distance = eyeDistance(client.eye, at)
  if (distance > REACH) {
    throw named('OutOfReach', `${block.name} at ${show(at)} is ${distance.toFixed(1)} blocks away; go within 4.5 first`)
  }
  return block
}

/**
 * @param {Client} client
 * @param {any} block
 * @returns {number} ticks that it takes with what is in the hand, where the player is
 */
function digTicks (client, block) {
  const { body, player } = client
  const held = player.heldItem
  const ms = block.digTime(
    held?.type ?? null,
    player.gamemode === 'creative',
    body.inWater,
    !body.onGround,
    held?.enchants ?? [],
    effectsOf(client)
  )
  if (!Number.isFinite(ms)) throw named('NotBroken', `${block.name} cannot be broken`)
  return Math.ceil(ms / TICK_MS)
}

/**
 * @param {Client} client
 * @param {{x: number, y: number, z: number}} at
 * @returns {number} the face that the eye sees first
 */
function faceTowards (client, at) {
  const hit = firstHit(client.simulation.space, client.eye, { x: at.x + 0.5, y: at.y + 0.5, z: at.z + 0.5 }, REACH)
  return hit !== null && hit.x === at.x && hit.y === at.y && hit.z === at.z ? hit.face : TOP
}

/** @param {any} block @param {{ x: number, y: number, z: number }} at @param {string} [reason] */
function refused (block, at, reason) {
  return named(
    'NotBroken', `the server did not let ${block.name} at ${show(at)} be broken: ${reason ?? 'it still stands'}`
  )
}

/**
 * Place the block in the hand; the generator ends once the block stands.
 *
 * @param {Client} client
 * @param {Place} pos the block to place against
 * @param {number[]} face of that block, a unit vector
 * @param {boolean} [walking] whether the block belongs to the player's walk, which then continues
 * @returns {Generator<number | void, void, void>}
 * @throws {BadArgument} the face is no unit vector
 * @throws {NotPlaced}
 * @throws {OutOfReach}
 */
function * place (client, pos, [faceX, faceY, faceZ], walking = false) {
  const { player, simulation: { space, world } } = client
  const held = player.heldItem
  if (!held) throw named('NotPlaced', 'there is nothing in the hand to place; equip a block first')
  const face = FACES.findIndex((side) => side[0] === faceX && side[1] === faceY && side[2] === faceZ)
  if (face < 0) {
    throw named('BadArgument', `the face is (${faceX}, ${faceY}, ${faceZ}); give a unit vector such as (0, 1, 0)`)
  }
  const { x, y, z } = pos
  const target = { x: x + faceX, y: y + faceY, z: z + faceZ }
  const against = blockThere(client, x, y, z)
  if (against.type === 0) throw named('NotPlaced', `there is air at ${show(pos)} to place ${held.name} against`)
  const typeAt = () => world.registry.blocksByStateId[space.stateAt(target.x, target.y, target.z)]
  const before = typeAt()
  if (before.boundingBox === 'block') throw named('NotPlaced', `${before.name} is in the way at ${show(target)}`)
  if (eyeDistance(client.eye, pos) > REACH) {
    throw named('OutOfReach', `${show(pos)} is too far away to place at; go within 4.5 blocks first`)
  }
  if (!walking) client.stopWalk()
  const cursor = { x: 0.5 + faceX / 2, y: 0.5 + faceY / 2, z: 0.5 + faceZ / 2 }
  yield * client.lookAt({ x: x + cursor.x, y: y + cursor.y, z: z + cursor.z }, true)
  // A chest or table that is placed against would open: hands that build are sneaking.
  const verdict = player.place({ pos, face, cursor, hand: 0 })
  yield
  if (typeAt() === before) {
    throw named(
      'NotPlaced',
      `the server did not place ${held.name} at ${show(target)}${verdict.reason ? `: ${verdict.reason}` : ''}`
    )
  }
}

/**
 * Use a block, such as a door or a lever.
 *
 * @param {Client} client
 * @param {Place} at
 * @param {(number | null)[]} side face that is touched, a unit vector; without it the top, as in mineflayer
 * @returns {Generator<number | void, void, void>}
 * @throws {BadArgument} the face is no unit vector
 * @throws {OutOfReach}
 */
function * activateBlock (client, at, side) {
  const face = touchedFace(side[0], side[1], side[2])
  const block = blockThere(client, at.x, at.y, at.z)
  if (eyeDistance(client.eye, at) > REACH) {
    throw named('OutOfReach', `${block.name} at ${show(at)} is out of reach; go within 4.5 blocks first`)
  }
  yield * click(client, at, face)
}

/**
 * @param {number | null} [x]
 * @param {number | null} [y]
 * @param {number | null} [z]
 * @returns {number} the face of that direction
 */
function touchedFace (x, y, z) {
  if (x === null || x === undefined) return TOP
  const face = FACES.findIndex((side) => side[0] === x && side[1] === y && side[2] === z)
  if (face < 0) throw named('BadArgument', `the face is (${x}, ${y}, ${z}); give a unit vector such as (0, 1, 0)`)
  return face
}

/**
 * A right click on a block.
 *
 * @param {Client} client
 * @param {{x: number, y: number, z: number}} at
 * @param {number | null} [face] 0 to 5; left out: the one that the eye sees first
 * @returns {Generator<number | void, void, void>}
 */
function * click (client, at, face = null) {
  const middle = { x: at.x + 0.5, y: at.y + 0.5, z: at.z + 0.5 }
  yield * client.lookAt(middle, true)
  client.player.place({ pos: at, face: face ?? faceTowards(client, at), cursor: { x: 0.5, y: 0.5, z: 0.5 }, hand: 0 })
  yield
}

/**
 * @param {Client} client
 * @param {number} id
 * @returns {Generator<number | void, void, void>}
 */
function * attack (client, id) {
  const entity = entityNear(client, id, 'attack')
  const { height } = sizeOf(client, entity)
  yield * client.lookAt({ x: entity.x, y: entity.y + height * 0.8, z: entity.z }, true)
  client.player.useEntity(id, 'attack')
}

/**
 * @param {Client} client
 * @param {number} id
 * @returns {Generator<number | void, void, void>}
 */
function * activateEntity (client, id) {
  entityNear(client, id, 'use')
  client.player.useEntity(id, 'interact')
  yield
}

/**
 * Use an entity at a point, which matters to armour stands.
 * @param {Client} client
 * @param {number} id
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @returns {Generator<number | void, void, void>}
 */
function * activateEntityAt (client, id, x, y, z) {
  const entity = entityNear(client, id, 'use')
  yield * client.lookAt({ x, y, z }, true)
  client.player.useEntity(id, 'interact_at', { at: { x: x - entity.x, y: y - entity.y, z: z - entity.z }, hand: 0 })
  yield
}

/** @param {Client} client @param {number} id @param {string} verb @returns {any} the entity, in reach */
function entityNear (client, id, verb) {
  const { world } = client.simulation
  /** @type {any} */
  const entity = world.entities.get(id)
  if (entity === undefined || entity === client.player || entity.removed) {
    throw named('EntityGone', `the entity to ${verb} is no longer there`)
  }
  const { body } = client
  const { height } = sizeOf(client, entity)
  const distance = Math.hypot(entity.x - body.x, entity.y + height / 2 - body.y - EYE_HEIGHT, entity.z - body.z)
  if (distance > HIT_REACH) {
    throw named(
      'OutOfReach', `${entity.name ?? entity.type} is ${distance.toFixed(1)} blocks away; go within 3 blocks first`
    )
  }
  return entity
}

/** @param {Client} client @param {any} entity @returns {{height: number}} */
function sizeOf (client, entity) {
  return { height: client.simulation.world.registry.entitiesByName[entity.type]?.height ?? 1 }
}

/** @param {{x: number, y: number, z: number}} at @returns {string} */
function show ({ x, y, z }) {
  return `(${x}, ${y}, ${z})`
}

module.exports = {
  REACH, activateBlock, activateEntity, activateEntityAt, attack, breakBlock, click, dig, entityNear, place, show
}
