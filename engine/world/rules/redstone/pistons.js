'use strict'
/** Pistons push up to 12 blocks in a row; sticky ones pull one back (minecraft.wiki, "Piston"). Blocks move at once, without vanilla's two ticks; slime pulls nothing along. */
const { beside, OPPOSITE, STEP } = require('./power')
const { bodyBox, overlap } = require('../../geometry')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */

const MOST = 12
const STUCK = /^(obsidian|crying_obsidian|bedrock|respawn_anchor|reinforced_deepslate|end_portal_frame|barrier|piston_head|moving_piston|enchanting_table|lodestone|.*_banner|.*_sign|.*_head|.*_skull|beacon|spawner|jukebox|.*glazed_terracotta)$/
const TORN = /^(.*_bed|.*_door|.*torch|.*leaves|pumpkin|carved_pumpkin|jack_o_lantern|melon|lever|.*_button|.*_pressure_plate|redstone_wire|repeater|comparator|cactus|bamboo|scaffolding|dragon_egg|chorus_.*|cobweb|lantern|soul_lantern|ladder|.*shulker_box|bell)$/

/** @param {World} world @param {Pos} pos @param {BlockState} state */
function fixed (world, pos, state) { return STUCK.test(state.name) || state.hardness < 0 || (/piston$/.test(state.name) && state.props.extended === 'true') || (world.blockEntities.at(pos) !== null && !TORN.test(state.name)) }
/** @param {BlockState} state */
const torn = (state) => TORN.test(state.name) || (state.shapes.length === 0 && !state.liquid)

/** The blocks that would be pushed, the nearest first; null when they cannot be. @param {World} world @param {Pos} pos @param {string} facing @returns {Pos[] | null} */
function row (world, pos, facing) {
  /** @type {Pos[]} */
  const blocks = []
  for (let at = beside(pos, facing); ; at = beside(at, facing)) {
    const state = world.stateAt(at.x, at.y, at.z)
    if (!world.terrain.inside(at.x, at.y, at.z)) return null
    if (state.air || state.liquid || torn(state)) return blocks
    if (fixed(world, at, state) || blocks.length === MOST) return null
    blocks.push(at)
  }
}

/** Bodies where a block comes go along. @param {World} world @param {Pos} at @param {string} facing */
function carry (world, at, facing) {
  const [dx, dy, dz] = STEP[facing]
  const box = [at.x, at.y, at.z, at.x + 1, at.y + 1, at.z + 1]
  for (const entity of world.entities.values()) {
    if (!overlap(box, bodyBox(entity, entity.width, entity.height))) continue
    const to = { x: entity.x + dx, y: entity.y + dy, z: entity.z + dz }
    const player = world.players.get(/** @type {any} */ (entity).name)
    if (player === entity) player.teleport(to)
    else {
      entity.stir()
      Object.assign(entity, to)
      world.emit('entityMove', { entity })
    }
  }
}

/** @param {World} world @param {Pos} from @param {Pos} to */
function shift (world, from, to) {
  const state = world.stateAt(to.x, to.y, to.z)
  if (!state.air && !state.liquid) world.breaking.remove(to, { drop: true })
  world.setBlock(to.x, to.y, to.z, world.blockAt(from.x, from.y, from.z))
  world.setBlock(from.x, from.y, from.z, 0)
}

/**
 * A piston goes out or in, if it can.
 * @param {World} world @param {Pos} pos @param {BlockState} state @param {boolean} out
 */
function movePiston (world, pos, state, out) {
  const { facing } = state.props
  const head = beside(pos, facing)
  const sticky = state.name === 'sticky_piston'
  if (out) {
    const blocks = row(world, pos, facing)
    if (blocks === null) return
    for (const block of [...blocks].reverse()) {
      carry(world, beside(block, facing), facing)
      shift(world, block, beside(block, facing))
    }
    carry(world, head, facing)
    if (!world.stateAt(head.x, head.y, head.z).air) world.breaking.remove(head, { drop: true })
    world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { extended: true }))
    world.setBlock(head.x, head.y, head.z, world.data.stateId('piston_head', { facing, type: sticky ? 'sticky' : 'normal' }))
  } else {
    world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { extended: false }))
    if (world.stateAt(head.x, head.y, head.z).name === 'piston_head') world.setBlock(head.x, head.y, head.z, 0)
    const far = beside(head, facing)
    const pulled = world.stateAt(far.x, far.y, far.z)
    if (sticky && !pulled.air && !pulled.liquid && !torn(pulled) && !fixed(world, far, pulled)) shift(world, far, head)
  }
  world.emit('blockAction', { ...pos, action: out ? 0 : 1, param: ['down', 'up', 'south', 'west', 'north', 'east'].indexOf(facing), blockId: state.id })
}

/** A part of an extended piston is gone: so is the other. @param {World} world @param {Pos} pos @param {BlockState} before @param {BlockState} after */
function parted (world, pos, before, after) {
  if (before.name === 'piston_head' && after.name !== 'piston_head') {
    const base = beside(pos, OPPOSITE[before.props.facing])
    const state = world.stateAt(base.x, base.y, base.z)
    if (/piston$/.test(state.name) && state.props.extended === 'true' && state.props.facing === before.props.facing) world.breaking.remove(base, { drop: true })
  } else if (/piston$/.test(before.name) && before.props.extended === 'true' && before.name !== after.name) {
    const head = beside(pos, before.props.facing)
    if (world.stateAt(head.x, head.y, head.z).name === 'piston_head') world.setBlock(head.x, head.y, head.z, 0)
  }
}

module.exports = { movePiston, parted }
