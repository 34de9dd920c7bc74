'use strict'
/** What blocks do when redstone power comes or goes (minecraft.wiki, each block's page). */
const { OPPOSITE, beside, heldBy, from, received } = require('./power')
const { settle } = require('./dust')
const { movePiston } = require('./pistons')
const { dispense } = require('./dispensing')
const { run } = require('../command_blocks')
const { powered: sounded } = require('../note_blocks')
const { PrimedTnt } = require('../../entities/falling')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */
/** @typedef {(world: World, pos: Pos, state: BlockState) => void} Reaction */

const LAMP_TICKS = 4
const TORCH_TICKS = 2
const REPEATER_TICKS = 2
const DISPENSER_TICKS = 4

/** @param {World} world @param {Pos} pos @param {BlockState} state @param {Record<string, boolean>} props */
function change (world, pos, state, props) { world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, props)) }

/** Later, if the same block is still there. @param {World} world @param {Pos} pos @param {string} name @param {number} ticks @param {(state: BlockState) => void} what */
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
  after(world, pos, state.name, LAMP_TICKS, (now) => { if (now.props.lit === 'true' && received(world, pos) === 0) change(world, pos, now, { lit: false }) })
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

/** What is torn off by the power in what holds it. @type {Reaction} */
function torch (world, pos, state) {
  const side = state.name === 'redstone_torch' ? 'down' : OPPOSITE[state.props.facing]
  const right = () => from(world, pos, side) === 0
  if (right() === (state.props.lit === 'true')) return
  after(world, pos, state.name, TORCH_TICKS, (now) => { if (right() !== (now.props.lit === 'true')) change(world, pos, now, { lit: right() }) })
}

/** @type {Reaction} */
function repeater (world, pos, state) {
  const input = () => from(world, pos, state.props.facing) > 0
  if (input() === (state.props.powered === 'true')) return
  const rising = input()
  // A pulse shorter than the delay comes out as long as the delay.
  after(world, pos, state.name, REPEATER_TICKS * Number(state.props.delay), (now) => {
    if (rising && now.props.powered === 'false') {
      change(world, pos, now, { powered: true })
      if (!input()) world.updates.schedule(pos, 1)
    } else if (!rising && !input() && now.props.powered === 'true') change(world, pos, now, { powered: false })
  })
}

/** Dispensers and droppers; power right above counts, too. @type {Reaction} */
function dispenser (world, pos, state) {
  const power = received(world, pos) > 0 || received(world, beside(pos, 'up')) > 0
  if (power === (state.props.triggered === 'true')) return
  change(world, pos, state, { triggered: power })
  if (power) after(world, pos, state.name, DISPENSER_TICKS, (now) => dispense(world, pos, now))
}

/** @type {Reaction} */
function piston (world, pos, state) {
  const power = received(world, pos, state.props.facing) > 0 || received(world, beside(pos, 'up'), 'down') > 0
  if (power !== (state.props.extended === 'true')) movePiston(world, pos, state, power)
}

/** @type {Reaction} */
function tnt (world, pos) {
  if (received(world, pos) === 0) return
  world.setBlock(pos.x, pos.y, pos.z, 0)
  world.enter(new PrimedTnt(world, { x: pos.x + 0.5, y: pos.y, z: pos.z + 0.5 }))
}

/** Impulse command blocks run once when power comes. @type {Reaction} */
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

/** Who hears of power. @type {[RegExp, Reaction][]} */
const RECEIVERS = [
  [/^redstone_wire$/, (world, pos) => settle(world, pos)], [/^redstone_lamp$/, lamp], [/_(door|trapdoor|fence_gate)$/, openable], [/^redstone_(wall_)?torch$/, torch], [/^repeater$/, repeater],
  [/^(dispenser|dropper)$/, dispenser], [/^(sticky_)?piston$/, piston], [/^tnt$/, tnt], [/^command_block$/, commandBlock], [/^note_block$/, (world, pos, state) => sounded(world, pos, state, received(world, pos) > 0)], [/^bell$/, bell]
]

/** @param {string} name @returns {Reaction | null} */
function receiverOf (name) { return RECEIVERS.find(([pattern]) => pattern.test(name))?.[1] ?? null }

module.exports = { receiverOf, heldBy }
