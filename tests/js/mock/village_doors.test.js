'use strict'
/**
 * Every house of a village can be walked into by its door and out again: by an opened door, and with `canOpenDoors` by
 * a closed one.
 */
const test = require('node:test')
const assert = require('node:assert/strict')
const { gameData } = require('../../../engine/world/data')
const { SurvivalTerrain } = require('../../../engine/world/terrain/survival')
const { doorstep } = require('../../../engine/world/terrain/villages/plan')
const { Movements } = require('../../../skills_js/bot_facade/walking')
const { createMockWorld, Vec3, goals, skills } = require('../../../skills_js/mock')

/** Squares of the land, each with one candidate, that are looked through along both axes. */
const SQUARES = 6
/** @type {Record<string, number[]>} */
const INWARDS = { north: [0, 1], south: [0, -1], west: [1, 0], east: [-1, 0] }

/**
 * @returns {{ style: string, houses: { step: any, inside: any, door: any }[] }[]} one village of each style: before and
 *   behind every door
 */
function villages () {
  const terrain = new SurvivalTerrain(gameData('1.20.4'), '1')
  /** @type {Map<string, any>} */
  const styles = new Map()
  for (let sx = -SQUARES; sx < SQUARES; sx++) {
    for (let sz = -SQUARES; sz < SQUARES; sz++) {
      const village = terrain.villages.villageOf(sx, sz)
      if (village && !styles.has(village.style)) styles.set(village.style, village)
    }
  }
  return [...styles].map(([style, { buildings }]) => ({
    style,
    houses: buildings.filter((/** @type {any} */ { kind }) => kind !== 'farm').map((/** @type {any} */ building) => {
      const [x, z] = doorstep(building)
      const [dx, dz] = INWARDS[building.front]
      return {
        step: new Vec3(x, building.floor + 1, z),
        inside: new Vec3(x + 2 * dx, building.floor + 1, z + 2 * dz),
        door: new Vec3(x + dx, building.floor + 1, z + dz)
      }
    })
  }))
}

for (const { style, houses } of villages()) {
  test(`every house of a ${style} village is entered and left by its door`, async () => {
    const world = createMockWorld({ seed: 1, terrain: 'survival' })
    const bot = world.join('Gizmo')
    world.command('gamerule doMobSpawning false')
    world.command('time set day')
    let walked = 0
    await world.run(async () => {
      for (const { step, inside, door } of houses) {
        world.command(`tp Gizmo ${step.x + 0.5} ${step.y} ${step.z + 0.5}`)
        world.command('kill @e[type=!player]')
        await bot.waitForTicks(5)
        if (!bot.blockAt(door)?.name.endsWith('_door')) continue
        const opens = Object.assign(new Movements(bot), { canDig: false, canOpenDoors: true, scafoldingBlocks: [] })
        bot.pathfinder.setMovements(opens)
        await bot.pathfinder.goto(new goals.GoalBlock(inside.x, inside.y, inside.z))
        await skills.closeDoor(bot, door)
        await bot.pathfinder.goto(new goals.GoalXZ(step.x, step.z))
        await skills.openDoor(bot, door)
        bot.pathfinder.setMovements(undefined)
        await skills.goTo(bot, inside, 0)
        await bot.pathfinder.goto(new goals.GoalXZ(step.x, step.z))
        walked++
      }
    }, { seconds: 600 })
    assert.ok(walked >= 3, `${walked} of ${houses.length} houses have a door`)
  })
}
