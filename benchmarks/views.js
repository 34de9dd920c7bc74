'use strict'
/**
 * Cost of pictures: CPU time of a picture of 320 x 180 pixels, and of keeping up with changed blocks and their light.
 *
 *   node benchmarks/views.js [--pictures 100]
 *
 * prints a line of JSON for each scene: milliseconds of CPU for a picture (median of batches of ten), and for a tick in
 * which ten players each change a block: the light that follows each change, and the columns unpacked again. Two more
 * lines tell the cost of 30 players in one world who each look once in a second: pictures, PNG files, and the share of
 * a core that both take.
 */
const { View, encodePng } = require('../engine/view')
const scenes = require('../tests/js/pictures/scenes')

/** Scene from within a sea of survival land, 15 blocks deep: rays that only meet water are the longest. */
const DEEP = Object.freeze({ about: 'Deep sea.', seed: 3, terrain: /** @type {const} */ ('survival'), commands: [],
  players: {}, camera: /** @type {[number, number, number, number, number]} */ ([-336.5, 53, 144.5, 0, 0]) })
const SIZE = { width: 320, height: 180 }
const BATCH = 10
/** Blocks that change in a tick. */
const CHANGES = 10
/** Players who look once a second, this many blocks from each other; ticks of a second, and blocks changed in it. */
const CROWD = Object.freeze({ players: 30, across: 6, apart: 5, ticks: 20, seconds: 15, blocks: 4 })
const DOING = Object.freeze(['walking', 'standing', 'building'])

/** @typedef {import('../engine/world').World} World */

/** Return the CPU time of some work in milliseconds. @param {() => void} work */
function cpuOf (work) {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
/** @param {number[]} values */
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1]
/** @param {number} ms */
const rounded = (ms) => Math.round(ms * 100) / 100

/**
 * Measure one scene.
 * @param {string} name
 * @param {import('../tests/js/pictures/scenes').Scene} scene
 * @param {number} pictures
 */
function measure (name, { world, pose }, pictures) {
  const view = new View(world)
  const first = cpuOf(() => { view.take(pose, SIZE) })
  // Never the same pose again, so that nothing is kept from one picture to the next.
  let turns = 0
  const turn = () => view.take({ ...pose, yaw: pose.yaw + turns++ * 360.1 / BATCH }, SIZE)
  for (let i = 0; i < BATCH * 2; i++) turn()
  const batches = Array.from({ length: Math.ceil(pictures / BATCH) }, () =>
    cpuOf(() => { for (let i = 0; i < BATCH; i++) turn() }) / BATCH)
  const picture = view.take(pose, SIZE)
  const png = cpuOf(() => { for (let i = 0; i < BATCH; i++) encodePng(picture) }) / BATCH
  return { scene: name, picture_ms: rounded(median(batches)), png_ms: rounded(png), upkeep_ms: rounded(upkeep(view,
    pose)),
    first_ms: rounded(first), seen: picture.seen.length }
}

/**
 * Return the CPU time that a picture costs more for a tick with changed blocks: their light and their columns.
 * @param {View} view @param {import('../engine/view/camera').Pose} pose
 */
function upkeep (view, pose) {
  const { world, land } = view
  const stone = world.data.stateId('stone')
  const torch = world.data.stateId('torch')
  const times = []
  for (let tick = 0; tick < 40; tick++) {
    const places = Array.from({ length: CHANGES }, (_, i) =>
      ({ x: Math.floor(pose.eye.x) + (i * 7 + tick) % 40 - 20, y: Math.floor(pose.eye.y) - 2 + i % 3,
        z: Math.floor(pose.eye.z) + (i * 11 + tick * 3) % 40 - 20 }))
    const before = places.map(({ x, y, z }) => world.terrain.get(x, y, z))
    for (const [i, { x, y, z }] of places.entries()) world.terrain.set(x, y, z, i % 2 ? stone : torch)
    times.push(cpuOf(() => {
      for (const place of places) land.changed({ ...place, stateId: world.terrain.get(place.x, place.y, place.z) })
      land.begin()
      for (const { x, z } of places) land.column(x >> 4, z >> 4)
    }))
    for (const [i, { x, y, z }] of places.entries()) {
      world.terrain.set(x, y, z, before[i])
      land.changed({ x, y, z, stateId: before[i] })
    }
    land.begin()
  }
  return times.reduce((sum, each) => sum + each, 0) / times.length
}

/**
 * Measure 30 players who look once a second, in turn over its ticks, while the world goes on.
 * @param {string} name @param {import('../tests/js/pictures/scenes').Scene} scene @param {string} doing one of `DOING`
 */
function crowd (name, { world, pose }, doing) {
  const view = new View(world)
  const names = Array.from({ length: CROWD.players }, (_, i) => `Player${i}`)
  for (const [i, each] of names.entries()) {
    const x = Math.floor(pose.eye.x) + (i % CROWD.across - CROWD.across / 2) * CROWD.apart
    const z = Math.floor(pose.eye.z) + (Math.floor(i / CROWD.across) - 2) * CROWD.apart
    let y = world.minY + world.height - 1
    while (y > world.minY && world.terrain.get(x, y - 1, z) === 0) y--
    const player = world.addPlayer(each)
    player.place3d({ x: x + 0.5, y, z: z + 0.5 })
    player.yaw = player.headYaw = i * 47 % 360
  }
  let second = 0
  const costs = Array.from({ length: CROWD.seconds }, () => {
    let [pictures, files] = [0, 0]
    second++
    for (let tick = 0; tick < CROWD.ticks; tick++) {
      world.tick()
      if (doing === 'building' && tick % (CROWD.ticks / CROWD.blocks) === 0) build(world, names, second, tick)
      for (const each of names.filter((_, i) => i % CROWD.ticks === tick)) {
        if (doing === 'walking') walk(world, each)
        /** @type {import('../engine/view').Picture[]} */
        const taken = []
        pictures += cpuOf(() => { taken.push(view.fromPlayer(each, { ...SIZE, from: 'eyes' })) })
        files += cpuOf(() => { encodePng(taken[0]) })
      }
    }
    return { pictures, files }
  }).slice(1)
  const [pictures, files] = [median(costs.map((each) => each.pictures)), median(costs.map((each) => each.files))]
  return { crowd: name, players: CROWD.players, doing, pictures_ms: rounded(pictures), png_ms: rounded(files),
    core: rounded((pictures + files) / 1000) }
}

/** Let a player look from another place into another direction. @param {World} world @param {string} name */
function walk (world, name) {
  const player = /** @type {import('../engine/world/player').Player} */ (world.players.get(name))
  player.yaw = player.headYaw = (player.yaw + 23) % 360
  player.place3d({ x: player.x + 0.11, y: player.y, z: player.z + 0.07 })
}

/**
 * Put a block two blocks before one of the players, or remove it again.
 * @param {World} world @param {string[]} names @param {number} second @param {number} tick
 */
function build (world, names, second, tick) {
  const at = /** @type {import('../engine/world/types').Pos} */ (world.players.get(names[tick * 7 % names.length]))
  const { x, y, z } = at
  const place = `${Math.floor(x) + 2} ${Math.floor(y)} ${Math.floor(z)}`
  world.command(`setblock ${place} ${second % 2 ? 'oak_planks' : 'air'}`)
}

/** @param {string[]} argv */
function main (argv) {
  const pictures = argv[0] === '--pictures' ? Number(argv[1]) : 100
  for (const name of scenes.NAMES) {
    process.stdout.write(`${JSON.stringify(measure(name, scenes.scene(name), pictures))}\n`)
  }
  process.stdout.write(`${JSON.stringify(measure('deep', scenes.build(DEEP), pictures))}\n`)
  for (const name of ['land', 'meeting']) {
    for (const doing of DOING) process.stdout.write(`${JSON.stringify(crowd(name, scenes.scene(name), doing))}\n`)
  }
}

main(process.argv.slice(2))
