'use strict'
/** Items used on a block without placing one: hoes, axes, shovels, flint and steel, bone meal, buckets, spawn eggs. */
const { FACES } = require('../../geometry')
const { boneMeal } = require('../growing/bone_meal')
const { isCampfire } = require('../functional_blocks/campfires')
const { PrimedTnt } = require('../../entities/falling')

/** @typedef {import('../../types').Verdict} Verdict */
/** @typedef {import('../blocks/placing').Target} Target */
/** @typedef {import('../../types').Item} Item */
/**
 * @typedef
 *   {{ world: import('../../world').World, player: import('../../player').Player, target: Target, item: Item, state:
 *   import('../../data').BlockState }} Use
 */

/** @type {Verdict} */
const OK = Object.freeze({ ok: true })

/**
 * @param {import('../../world').World} world
 * @param {import('../../player').Player} player
 * @param {Target} target
 * @param {Item} item
 * @returns {Verdict | null} null if the item does nothing to this block
 */
function useTool (world, player, target, item) {
  const use = { world, player, target, item, state: world.stateAt(target.pos.x, target.pos.y, target.pos.z) }
  if (/_hoe$/.test(item.name)) return turnInto(use, hoed(use))
  if (/_axe$/.test(item.name)) return turnInto(use, stripped(use))
  if (/_shovel$/.test(item.name)) return turnInto(use, flattened(use) ?? doused(use))
  if (item.name === 'bone_meal') return fertilize(use)
  if (item.name === 'flint_and_steel') return ignite(use)
  if (item.name.endsWith('_spawn_egg')) return hatch(use)
  return null
}

/** @param {Use} use @param {number | null} stateId @returns {Verdict | null} */
function turnInto ({ world, player, target, item }, stateId) {
  if (stateId === null) return null
  world.setBlock(target.pos.x, target.pos.y, target.pos.z, stateId)
  world.stats.add(player, 'used', item.name)
  player.wearSlot(player.handSlot(target.hand), 1)
  return OK
}

/** @param {Use} use */
function airAbove ({ world, target: { pos } }) { return world.stateAt(pos.x, pos.y + 1, pos.z).air }

/** @param {Use} use */
function hoed (use) {
  if (use.target.face === 0 || !airAbove(use)) return null
  if (/^(grass_block|dirt|dirt_path)$/.test(use.state.name)) return use.world.data.stateId('farmland')
  if (use.state.name === 'rooted_dirt') use.world.popItem(use.world.stacks.make('hanging_roots'), use.target.pos)
  return /^(coarse|rooted)_dirt$/.test(use.state.name) ? use.world.data.stateId('dirt') : null
}

/** @param {Use} use */
function flattened (use) {
  return use.target.face !== 0 && airAbove(use) &&
    /^(grass_block|dirt|podzol|coarse_dirt|mycelium|rooted_dirt)$/.test(use.state.name)
    ? use.world.data.stateId('dirt_path') : null
}

/** Let a shovel put out a campfire. @param {Use} use */
function doused ({ world, target, state }) {
  return target.face !== 0 && isCampfire(state.name) && state.props.lit === 'true'
    ? world.data.withProps(state.stateId, { lit: false }) : null
}

/** @param {Use} use */
function stripped ({ world, state }) {
  const name = `stripped_${state.name}`
  return /_(log|wood|stem|hyphae)$|^bamboo_block$/.test(state.name) && world.registry.blocksByName[name]
    ? world.data.stateId(name, state.props.axis ? { axis: state.props.axis } : {}) : null
}

/** @param {Use} use @returns {Verdict | null} */
function fertilize ({ world, player, target, item }) {
  if (!boneMeal(world, target.pos)) return null
  world.stats.add(player, 'used', item.name)
  player.consume(target.hand)
  return OK
}

/** @param {Use} use @returns {Verdict | null} */
function ignite (use) {
  const { world, target, state } = use
  if (isCampfire(state.name) && state.props.lit === 'false' && state.props.waterlogged !== 'true') {
    return turnInto(use, world.data.withProps(state.stateId, { lit: true }))
  }
  if (state.name === 'tnt') return light(use)
  const step = FACES[target.face]
  const at = { x: target.pos.x + step.x, y: target.pos.y + step.y, z: target.pos.z + step.z }
  if (!world.stateAt(at.x, at.y, at.z).air || world.stateAt(at.x, at.y - 1, at.z).shapes.length === 0) return null
  use.player.wearSlot(use.player.handSlot(target.hand), 1)
  if (world.portals.light(at)) return OK
  world.setBlock(at.x, at.y, at.z, world.data.stateId('fire'))
  // Fire neither spreads nor burns blocks here; it goes out by itself.
  world.later(100, () => { if (world.stateAt(at.x, at.y, at.z).name === 'fire') world.setBlock(at.x, at.y, at.z, 0) })
  return OK
}

/** @param {Use} use @returns {Verdict | null} */
function light (use) {
  const { x, y, z } = use.target.pos
  use.world.enter(new PrimedTnt(use.world, { x: x + 0.5, y, z: z + 0.5 }, undefined, use.player))
  return turnInto(use, 0)
}

/** @param {Use} use @returns {Verdict | null} */
function hatch ({ world, player, target, item }) {
  const step = FACES[target.face]
  const type = item.name.replace(/_spawn_egg$/, '')
  const made = world.summon(type,
    { x: target.pos.x + step.x + 0.5, y: target.pos.y + step.y, z: target.pos.z + step.z + 0.5 })
  if (!made) return null
  player.consume(target.hand)
  return OK
}

module.exports = { useTool }
