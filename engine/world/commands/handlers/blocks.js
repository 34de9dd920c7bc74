'use strict'
/** Handlers of setblock, fill and clone. */
const { corners, isBlock, places } = require('../areas')
const { containerNbt } = require('../../nbt/items')
const { across } = require('../../dimensions')

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../things').BlockText} BlockText */
/** @typedef {import('../../types').Pos} Pos */

/**
 * Set one block with its contents.
 * @param {Source} source
 * @param {Pos} pos
 * @param {BlockText} block
 * @returns {boolean} true if anything changed
 */
function put ({ world }, pos, block) {
  const same = world.blockAt(pos.x, pos.y, pos.z) === block.stateId
  if (same && block.stateId === 0) return false
  const before = world.blockEntities.at(pos)
  if (before) before.store.empty()
  const changed = world.setBlock(pos.x, pos.y, pos.z, block.stateId)
  if (block.nbt) world.loadBlockEntity(pos, block.nbt)
  return changed || (same && Boolean(block.nbt))
}

/** @type {Handler} */
function setblock (args, source) {
  const pos = source.block(args.get('pos'))
  const { world } = source
  const air = world.stateAt(pos.x, pos.y, pos.z).air
  if (args.is('keep') && !air) throw source.error('commands.setblock.failed')
  const destroyed = args.is('destroy') && !air
  if (destroyed) world.breaking.remove(pos, { drop: true })
  const block = args.get('block')
  if (!put(source, pos, block) && !(destroyed && block.stateId === 0)) throw source.error('commands.setblock.failed')
  source.say('commands.setblock.success', pos.x, pos.y, pos.z)
  return 1
}

/** @param {Source} source @param {number} volume @param {string} key */
function bounded (source, volume, key) {
  const most = Number(source.world.rules.commandModificationBlockLimit)
  if (volume > most) throw source.error(key, most, volume)
}

/** @type {Handler} */
function fill (args, source) {
  const { world } = source
  const [low, high, volume] = corners(source, args.get('from'), args.get('to'))
  bounded(source, volume, 'commands.fill.toobig')
  const block = args.get('block')
  const onEdge = (/** @type {Pos} */ p) =>
    p.x === low.x || p.x === high.x || p.y === low.y || p.y === high.y || p.z === low.z || p.z === high.z
  const air = { names: new Set(['air']), label: 'minecraft:air', props: {}, stateId: 0, nbt: null }
  const filter = args.get('filter')
  let count = 0
  // Air in air changes nothing: commands that clear whole columns skip such blocks.
  const idle = block.stateId === 0 && !block.nbt && !args.is('destroy') ? world.terrain : null
  for (const pos of places(low, high, idle)) {
    if (filter && !isBlock(world, pos, filter)) continue
    if (args.is('keep') && !world.stateAt(pos.x, pos.y, pos.z).air) continue
    if (args.is('outline') && !onEdge(pos)) continue
    if (args.is('destroy') && !world.stateAt(pos.x, pos.y, pos.z).air) world.breaking.remove(pos, { drop: true })
    if (put(source, pos, args.is('hollow') && !onEdge(pos) ? air : block)) count++
    else if (args.is('destroy') && block.stateId === 0) count++
  }
  if (count === 0) throw source.error('commands.fill.failed')
  source.say('commands.fill.success', count)
  return count
}

/** Return the source moved to the same place of a dimension. @param {Source} source @param {string | undefined} name */
function inDimension (source, name) {
  return name === undefined ? source
    : source.with({ pos: across(source.pos, /** @type {any} */ (name.replace(/^minecraft:/, ''))) })
}

/** @type {Handler} */
function clone (args, source) {
  const { world } = source
  const [low, high, volume] = corners(inDimension(source, args.get('sourceDimension')), args.get('begin'),
    args.get('end'))
  bounded(source, volume, 'commands.clone.toobig')
  const to = inDimension(source, args.get('targetDimension')).block(args.get('destination'))
  const top = { x: to.x + high.x - low.x, y: to.y + high.y - low.y, z: to.z + high.z - low.z }
  if (!world.terrain.inside(top.x, top.y, top.z)) throw source.error('argument.pos.outofworld')
  const overlaps = to.x <= high.x && top.x >= low.x && to.y <= high.y && top.y >= low.y && to.z <= high.z &&
    top.z >= low.z
  if (overlaps && !args.is('force') && !args.is('move')) throw source.error('commands.clone.overlap')
  const copied = []
  for (const pos of places(low, high)) {
    const stateId = world.blockAt(pos.x, pos.y, pos.z)
    if ((args.is('masked') && stateId === 0) || (args.has('filter') && !isBlock(world, pos, args.get('filter')))) {
      continue
    }
    copied.push({ pos, stateId, entity: world.blockEntities.at(pos) })
  }
  if (args.is('move')) for (const { pos } of copied) world.setBlock(pos.x, pos.y, pos.z, 0)
  let count = 0
  for (const { pos, stateId, entity } of copied) {
    const at = { x: pos.x - low.x + to.x, y: pos.y - low.y + to.y, z: pos.z - low.z + to.z }
    if (world.setBlock(at.x, at.y, at.z, stateId)) count++
    if (entity) world.loadBlockEntity(at, containerNbt(entity))
  }
  if (count === 0) throw source.error('commands.clone.failed')
  source.say('commands.clone.success', count)
  return count
}

module.exports = { setblock, fill, clone }
