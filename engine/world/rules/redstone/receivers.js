'use strict'
/** Reactions of blocks to a change of redstone power (minecraft.wiki, each block's page). */
const { beside, heldBy, received } = require('./power')
const { repeater, comparator, torch, change } = require('./diodes')
const { rail, poweredRail } = require('./rails')
const { settle } = require('./dust')
const { movePiston } = require('./pistons')
const { dispense } = require('./dispensing')
const { run } = require('../functional_blocks/command_blocks')
const { powered: sounded } = require('../functional_blocks/note_blocks')
const { PrimedTnt } = require('../../entities/falling')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */
/** @typedef {(world: World, pos: Pos, state: BlockState) => void} Reaction */

const LAMP_TICKS = 4
/** Ticks from power to a piston's move, which then happens at once. Vanilla's begins at once and takes two ticks. */
const PISTON_TICKS = 1
const DISPENSER_TICKS = 4

/**
 * Run an action later, if the same block is still there.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {string} name
 * @param {number} ticks
 * @param {(state: BlockState) => void} what
 */
function after (world, pos, name, ticks, what) {
  world.later(ticks, () => {
    const now = world.stateAt(pos.x, pos.y, pos.z)
    if (now.name === name) what(now)
  })
}

/** @type {Reaction} */
function lamp (world, pos, state) {
  const power = received(world, pos) > 0
  if (power === (state.props.lit === 'true')) return
  if (power) return change(world, pos, state, { lit: true })
  after(world, pos, state.name, LAMP_TICKS, (now) => {
    if (now.props.lit === 'true' && received(world, pos) === 0) change(world, pos, now, { lit: false })
  })
}

/** Doors with both halves, trapdoors and gates. @type {Reaction} */
function openable (world, pos, state) {
  const mate = world.breaking.mate(state, pos)
  const power = received(world, pos) > 0 || (mate !== null && received(world, mate.pos) > 0)
  if (power === (state.props.powered === 'true')) return
  change(world, pos, state, { powered: power, open: power })
  if (mate) change(world, mate.pos, world.data.state(mate.stateId), { powered: power, open: power })
  world.emit('sound', { name: power ? 'block.open' : 'block.close', x: pos.x + 0.5, y: pos.y + 0.5, z: pos.z + 0.5 })
}

/** Dispensers and droppers, which also react to power above them. @type {Reaction} */
function dispenser (world, pos, state) {
  const power = received(world, pos) > 0 || received(world, beside(pos, 'up')) > 0
  if (power === (state.props.triggered === 'true')) return
  change(world, pos, state, { triggered: power })
  if (power) after(world, pos, state.name, DISPENSER_TICKS, (now) => dispense(world, pos, now))
}

/** @type {Reaction} */
function piston (world, pos, state) {
  const power = () => received(world, pos, state.props.facing) > 0 || received(world, beside(pos, 'up'), 'down') > 0
  if (power() === (state.props.extended === 'true')) return
  world.redstone.once(pos, state.name, PISTON_TICKS, (now) => {
    if (power() !== (now.props.extended === 'true')) movePiston(world, pos, now, power())
  })
}

/** Hoppers, which power locks. @type {Reaction} */
function hopper (world, pos, state) {
  const enabled = received(world, pos) === 0
  if (enabled !== (state.props.enabled === 'true')) change(world, pos, state, { enabled })
}

/** @type {Reaction} */
function tnt (world, pos) {
  if (received(world, pos) === 0) return
  world.setBlock(pos.x, pos.y, pos.z, 0)
  world.enter(new PrimedTnt(world, { x: pos.x + 0.5, y: pos.y, z: pos.z + 0.5 }))
}

/** Impulse command blocks, which run once when power arrives. @type {Reaction} */
function commandBlock (world, pos) {
  const entity = world.blockEntities.at(pos)
  if (!entity) return
  const power = received(world, pos) > 0
  if (power === entity.powered) return
  entity.powered = power
  if (power) world.later(1, () => run(world, entity))
}

/** @type {Reaction} */
function bell (world, pos, state) {
  const power = received(world, pos) > 0
  if (power === (state.props.powered === 'true')) return
  change(world, pos, state, { powered: power })
  if (power) world.emit('sound', { name: 'block.bell.use', x: pos.x + 0.5, y: pos.y + 0.5, z: pos.z + 0.5 })
}

/** Blocks on which power acts. @type {[RegExp, Reaction][]} */
const RECEIVERS = [
  [/^redstone_wire$/, (world, pos) => settle(world, pos)], [/^redstone_lamp$/, lamp],
  [/_(door|trapdoor|fence_gate)$/, openable], [/^redstone_(wall_)?torch$/, torch], [/^repeater$/, repeater],
  [/^comparator$/, comparator],
  [/^hopper$/, hopper], [/^(rail|detector_rail)$/, rail], [/^(powered|activator)_rail$/, poweredRail],
  [/^(dispenser|dropper)$/, dispenser], [/^(sticky_)?piston$/, piston], [/^tnt$/, tnt],
  [/^command_block$/, commandBlock],
  [/^note_block$/, (world, pos, state) => sounded(world, pos, state, received(world, pos) > 0)], [/^bell$/, bell]
]

/** @param {string} name @returns {Reaction | null} */
function receiverOf (name) { return RECEIVERS.find(([pattern]) => pattern.test(name))?.[1] ?? null }

module.exports = { receiverOf, heldBy }
