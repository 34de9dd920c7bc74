'use strict'
/** Scenes for the tests and the benchmark of pictures: a world, and where it is looked at from. */
const { World } = require('../../../engine/world')

/** @typedef {import('../../../engine/view/camera').Pose} Pose */
/** @typedef {{ world: World, pose: Pose }} Scene */

/** @param {World} world @param {string[]} commands */
function run (world, commands) {
  for (const text of commands) {
    const { ok, reply } = world.command(text)
    if (!ok) throw new Error(`${text}: ${reply}`)
  }
}

/** @param {World} world @param {Record<string, [number, number, number]>} players x, z and yaw of each */
function stand (world, players) {
  for (const [name, [x, z, yaw]] of Object.entries(players)) {
    const player = world.addPlayer(name)
    player.place3d({ x, y: -60, z })
    player.yaw = player.headYaw = yaw
  }
}

/** Hills, trees, plants and water. @returns {Scene} */
function land () {
  const world = new World({ seed: 3, terrain: 'survival' })
  const { x, y, z } = world.spawn
  return { world, pose: { eye: { x: x + 0.5, y: y + 6, z: z + 0.5 }, yaw: 0, pitch: 8 } }
}

/** Room with furniture and two torches at night. @returns {Scene} */
function house () {
  const world = new World({ seed: 1 })
  world.sky.timeOfDay = 18000
  run(world, ['fill -6 -61 -6 6 -56 6 oak_planks hollow', 'fill -6 -61 -6 6 -61 6 spruce_planks',
    'fill -2 -59 6 2 -58 6 glass_pane', 'setblock 5 -58 0 wall_torch[facing=west]',
    'setblock -5 -58 0 wall_torch[facing=east]', 'setblock -4 -60 5 crafting_table', 'setblock 3 -60 5 bookshelf',
    'setblock -3 -60 5 furnace[facing=north]', 'setblock -2 -60 5 chest[facing=north]', 'setblock 0 -60 2 oak_fence',
    'setblock 5 -60 4 red_bed[part=head,facing=south]', 'setblock 5 -60 3 red_bed[part=foot,facing=south]',
    'setblock -4 -60 3 oak_stairs[facing=west]', 'setblock 2 -60 2 oak_slab', 'setblock -5 -60 0 ladder[facing=east]',
    'setblock 0 -60 -6 oak_door[half=lower,facing=south]', 'setblock 0 -59 -6 oak_door[half=upper,facing=south]'])
  return { world, pose: { eye: { x: 0.5, y: -58.2, z: -4.5 }, yaw: 0, pitch: 12 } }
}

/** Players, animals, items on the ground, a field, a pond and glass. @returns {Scene} */
function meeting () {
  const world = new World({ seed: 1 })
  world.sky.timeOfDay = 4000
  run(world, ['fill -20 -60 8 20 -60 8 oak_fence', 'fill 4 -61 0 10 -61 7 water', 'fill -12 -61 1 -6 -61 7 farmland',
    'fill -12 -60 1 -10 -60 7 wheat[age=7]', 'fill -9 -60 1 -6 -60 7 carrots[age=4]', 'setblock 3 -60 7 poppy',
    'setblock 2 -60 6 short_grass', 'setblock -3 -60 6 stone_brick_stairs[facing=north]', 'setblock -2 -60 7 glass',
    'setblock -1 -60 7 light_blue_stained_glass', 'setblock -5 -60 7 iron_ore', 'setblock -5 -59 7 diamond_ore',
    'summon cow 7 -60 9.9', 'summon pig 4 -60 9.5', 'summon sheep -6 -60 10', 'summon villager 3.2 -60 4.5',
    'summon creeper -8.5 -60 9.9'])
  for (const entity of world.entities.values()) entity.yaw = 170
  stand(world, { Gizmo: [-1.5, 2.5, 160], Glitch: [1.5, 3.5, -170], Rusty_Nail: [0, 5, 90] })
  ;['diamond', 'raw_iron', 'iron_ingot', 'bread', 'stone_pickaxe', 'oak_log'].forEach((name, i) => {
    world.spawnItem(world.stacks.make(name, 1), { x: i * 0.7 - 2, y: -60, z: 0.5 })
  })
  return { world, pose: { eye: { x: 0, y: -58.2, z: -4.5 }, yaw: 0, pitch: 8 } }
}

/** Mine of two ores with a torch. @returns {Scene} */
function cave () {
  const world = new World({ seed: 1 })
  run(world, ['fill -8 -61 -8 8 -50 14 stone', 'fill -3 -60 -4 3 -57 10 air',
    'setblock 2 -59 4 wall_torch[facing=west]',
    'fill 3 -60 5 3 -59 8 iron_ore', 'fill -3 -60 11 -1 -59 11 diamond_ore', 'fill 3 -60 3 3 -57 3 cobblestone',
    'fill -3 -60 8 -2 -60 10 gravel', 'setblock -3 -60 4 chest[facing=east]', 'setblock 3 -59 4 stone'])
  return { world, pose: { eye: { x: 0, y: -58.2, z: -3 }, yaw: 0, pitch: 6 } }
}

module.exports = { land, house, meeting, cave, run, stand }
