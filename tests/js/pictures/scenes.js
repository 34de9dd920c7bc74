'use strict'
/**
 * Scenes for the tests and the benchmark of pictures: a world, and where it is looked at from. They are data, which the
 * tests of the mock and the embedded world build too.
 */
const { World } = require('../../../engine/world')
const SCENES = /** @type {Record<string, SceneData>} */ (
  /** @type {unknown} */ (require('../../fixtures/pictures.json')))

/** Height of a player's eyes. */
const EYES = 1.62

/** @typedef {import('../../../engine/view/camera').Pose} Pose */
/** @typedef {{ world: World, pose: Pose }} Scene */
/**
 * `players`: x, z and yaw of each on the flat ground; `camera`: feet of the one who looks, yaw, pitch.
 * @typedef {{ about: string, seed: number, terrain: 'flat' | 'survival', commands: string[],
 *   players: Record<string, [number, number, number]>, camera: [number, number, number, number, number] }} SceneData
 */

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

/** Build a scene of the data by its name. @param {string} name @returns {Scene} */
const scene = (name) => build(SCENES[name])

/** Build a scene. @param {SceneData} data @returns {Scene} */
function build ({ seed, terrain, commands, players, camera: [x, y, z, yaw, pitch] }) {
  const world = new World({ seed, terrain })
  run(world, commands)
  stand(world, players)
  return { world, pose: { eye: { x, y: y + EYES, z }, yaw, pitch } }
}

module.exports = { NAMES: Object.keys(SCENES), scene, build, run, stand }
