'use strict'
/**
 * Vanilla's redstone components against docs/redstone.md: each works, as shown here, or the page lists it as absent.
 */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { World } = require('../../../../../engine/world')
const { gameData } = require('../../../../../engine/world/data')

/** Rows of the page's first table: component, its blocks as patterns, whether it works. */
const ROWS = readFileSync(join(__dirname, '../../../../../docs/redstone.md'), 'utf8').split('\n').flatMap((line) => {
  const found = /^\| ([^|`]+) \| (`[^|]+`) \| (works|absent)/.exec(line)
  return found ? [{ component: found[1], works: found[3] === 'works',
    blocks: [...found[2].matchAll(/`([^`]+)`/g)].map(([, name]) => new RegExp(`^${name.replaceAll('*', '.*')}$`)) }]
    : []
})
/** Properties that show that power affects a block, and names of affected blocks without such a property. */
const STATES = new Set(['powered', 'power', 'triggered', 'enabled', 'extended', 'locked', 'inverted', 'disarmed',
  'sculk_sensor_phase', 'shrieking', 'has_record', 'crafting', 'tilt', 'conditional', 'unstable'])
const NAMES = /redstone|_rail$|^rail$|hopper|trapped_chest|piston_head|^tnt$|^jukebox$/

test('the table lists every redstone block of 1.20.4 exactly once', () => {
  const blocks = gameData('1.20.4').registry.blocksArray.filter((/** @type {any} */ { name, states }) =>
    NAMES.test(name) || (states ?? []).some((/** @type {any} */ state) => STATES.has(state.name)))
  assert.ok(blocks.length > 100)
  for (const { name } of blocks) {
    assert.equal(ROWS.filter((row) => row.blocks.some((pattern) => pattern.test(name))).length, 1, name)
  }
  for (const { component, blocks: patterns } of ROWS) {
    assert.ok(patterns.every((pattern) =>
      gameData('1.20.4').registry.blocksArray.some((/** @type {any} */ { name }) => pattern.test(name))), component)
  }
})

const FIRE = 'setblock 0 -60 0 redstone_block'
const items = (/** @type {string} */ name) => `{Items:[{Slot:0b,id:"minecraft:${name}",Count:1b}]}`

/**
 * @typedef {{ world: any, player: any, is: (x: number, name: string, prop?: string) => string, press: (x: number) =>
 *   void, has: (type: string) => boolean }} Yard
 */
/**
 * Checks by component: what stands there (x from 1 on, beside a place at 0 from which power comes), what is done, and
 * the condition that must hold afterwards and not before.
 * @type {Record<string, [string[], (yard: Yard) => any, (yard: Yard) => boolean]>}
 */
const CHECKS = {
  'redstone dust': [['setblock 1 -60 0 redstone_wire'], power, ({ is }) => is(1, 'redstone_wire', 'power') === '15'],
  'redstone torch': [['setblock 1 -60 0 stone', 'setblock 2 -60 0 redstone_wall_torch[facing=east]'],
    ({ world }) => world.command('setblock 1 -60 1 lever[face=wall,facing=south,powered=true]'),
    ({ is }) => is(2, 'redstone_wall_torch', 'lit') === 'false'],
  'block of redstone': [['setblock 1 -60 0 redstone_lamp'], power,
    ({ is }) => is(1, 'redstone_lamp', 'lit') === 'true'],
  lever: [['setblock 1 -60 0 lever[face=floor]', 'setblock 2 -60 0 redstone_lamp'], ({ press }) => press(1),
    ({ is }) => is(2, 'redstone_lamp', 'lit') === 'true'],
  button: [['setblock 1 -60 0 stone_button[face=floor]', 'setblock 2 -60 0 redstone_lamp'], ({ press }) => press(1),
    ({ is }) => is(2, 'redstone_lamp', 'lit') === 'true'],
  'pressure plate': [['setblock 1 -60 0 light_weighted_pressure_plate', 'setblock 2 -60 0 redstone_lamp'],
    ({ player }) => player.place3d({ x: 1.5, y: -60, z: 0.5 }), ({ is }) => is(2, 'redstone_lamp', 'lit') === 'true'],
  tripwire: [['setblock 1 -60 0 stone', 'setblock 2 -60 0 tripwire_hook[facing=east]', 'setblock 3 -60 0 tripwire',
    'setblock 5 -60 0 stone', 'setblock 4 -60 0 tripwire_hook[facing=west]'],
    ({ player }) => player.place3d({ x: 3.5, y: -60, z: 0.5 }),
    ({ is }) => is(2, 'tripwire_hook', 'powered') === 'true'],
  'trapped chest': [['setblock 1 -60 0 trapped_chest', 'setblock 2 -60 0 redstone_lamp'], ({ press }) => press(1),
    ({ is }) => is(2, 'redstone_lamp', 'lit') === 'true'],
  target: [['setblock 1 -60 0 target', 'setblock 2 -60 0 redstone_lamp'],
    ({ world }) => world.redstone.sensors.struck({ x: 1.5, y: -59, z: 0.5 }, { x: 0, y: -1, z: 0 }, 'arrow'),
    ({ is }) => is(2, 'redstone_lamp', 'lit') === 'true'],
  'daylight detector': [['setblock 1 -60 0 daylight_detector', 'time set midnight', 'setblock 2 -60 0 redstone_lamp'],
    ({ world }) => world.command('time set noon'), ({ is }) => is(2, 'redstone_lamp', 'lit') === 'true'],
  lectern: [['setblock 1 -60 0 lectern', 'setblock 2 -60 0 comparator[facing=west]',
    'item replace entity Gizmo weapon.mainhand with writable_book{pages:["a"]}'], ({ press }) => press(1),
    ({ is }) => is(2, 'comparator', 'powered') === 'true'],
  'lightning rod': [['setblock 1 -60 0 lightning_rod', 'setblock 2 -60 0 redstone_wire', 'weather thunder'],
    ({ world }) => world.precipitation.strike(9, 9),
    ({ is, world }) => Number(is(2, 'redstone_wire', 'power')) === 15 ||
    world.redstone.pending.has('lightning_rod@1,-60,0')],
  jukebox: [['setblock 1 -60 0 jukebox', 'setblock 2 -60 0 redstone_lamp',
    'item replace entity Gizmo weapon.mainhand with music_disc_cat'], ({ press }) => press(1),
    ({ is }) => is(2, 'redstone_lamp', 'lit') === 'true'],
  'detector rail': [['setblock 1 -60 0 detector_rail', 'setblock 2 -60 0 redstone_lamp'],
    ({ world }) => world.command('summon minecart 1.5 -59.9 0.5'),
    ({ is }) => is(2, 'redstone_lamp', 'lit') === 'true'],
  observer: [['setblock 1 -60 0 observer[facing=west]', 'setblock 2 -60 0 tnt'], power,
    ({ is }) => is(2, 'air') === 'yes'],
  repeater: [['setblock 1 -60 0 repeater[facing=west]', 'setblock 2 -60 0 redstone_lamp'], power,
    ({ is }) => is(2, 'redstone_lamp', 'lit') === 'true'],
  comparator: [['setblock 1 -60 0 comparator[facing=west]', 'setblock 2 -60 0 redstone_lamp'],
    ({ world }) => world.command('setblock 0 -60 0 cake'), ({ is }) => is(2, 'redstone_lamp', 'lit') === 'true'],
  lamp: [['setblock 1 -60 0 redstone_lamp'], power, ({ is }) => is(1, 'redstone_lamp', 'lit') === 'true'],
  door: [['setblock 1 -60 0 iron_trapdoor'], power, ({ is }) => is(1, 'iron_trapdoor', 'open') === 'true'],
  piston: [['setblock 1 -60 0 piston[facing=east]', 'setblock 2 -60 0 stone'], power,
    ({ is }) => is(3, 'stone') === 'yes'],
  dispenser: [[`setblock 1 -60 0 dispenser[facing=east]${items('arrow')}`], power, ({ has }) => has('arrow')],
  dropper: [[`setblock 1 -60 0 dropper[facing=east]${items('dirt')}`], power, ({ has }) => has('item')],
  hopper: [[`setblock 1 -60 0 hopper[facing=east]`, 'setblock 2 -60 0 chest'],
    ({ world }) => world.blockEntities.at({ x: 1, y: -60, z: 0 }).store.set(0, world.stacks.make('dirt')),
    ({ world }) => world.blockEntities.at({ x: 2, y: -60, z: 0 }).store.get(0)?.name === 'dirt'],
  TNT: [['setblock 1 -60 0 tnt'], power, ({ has }) => has('tnt')],
  'note block': [['setblock 1 -60 0 note_block'], power, ({ is }) => is(1, 'note_block', 'powered') === 'true'],
  bell: [['setblock 1 -60 0 bell'], power, ({ is }) => is(1, 'bell', 'powered') === 'true'],
  rail: [['setblock 1 -60 0 rail'], ({ world }) => world.command('setblock 2 -60 0 rail'),
    ({ is }) => is(1, 'rail', 'shape') === 'east_west'],
  'powered rail': [['setblock 1 -60 0 powered_rail'], power, ({ is }) => is(1, 'powered_rail', 'powered') === 'true'],
  'activator rail': [['setblock 1 -60 0 activator_rail'], power,
    ({ is }) => is(1, 'activator_rail', 'powered') === 'true'],
  'command block': [['setblock 1 -60 0 command_block{Command:"setblock 5 -60 0 gold_block"}'], power,
    ({ is }) => is(5, 'gold_block') === 'yes']
}

/** @param {Yard} yard */
function power ({ world }) { world.command(FIRE) }

test('the table marks exactly the components checked here as working', () => {
  assert.deepEqual(ROWS.filter(({ works }) => works).map(({ component }) => component).sort(),
    Object.keys(CHECKS).sort())
})

for (const [component, [setup, act, holds]] of Object.entries(CHECKS)) {
  test(`${component} works`, () => {
    /** @type {any} */
    const world = new World({ seed: 1 })
    const player = /** @type {any} */ (world.addPlayer('Gizmo'))
    player.place3d({ x: 1.5, y: -60, z: -2.5 })
    for (const command of setup) assert.ok(world.command(command).ok, command)
    const run = (/** @type {number} */ n) => { for (let i = 0; i < n; i++) world.tick() }
    /** @type {Yard} */
    const yard = {
      world,
      player,
      is: (x, name, prop) => {
        const state = world.stateAt(x, -60, 0)
        return state.name !== name ? 'no' : prop ? state.props[prop] : 'yes'
      },
      press: (x) => player.place({ pos: { x, y: -60, z: 0 }, face: 1 }),
      has: (type) => [...world.entities.values()].some((entity) => entity.type === type)
    }
    run(30)
    assert.ok(!holds(yard), 'before')
    act(yard)
    let held = false
    for (let i = 0; i < 30 && !held; i++) {
      run(1)
      held = holds(yard)
    }
    assert.ok(held, 'after')
  })
}
