'use strict'
/**
 * Depth of the engine's picture against prismarine-viewer's: its mesher's triangles of the same land, and Three's
 * rays through its camera (with the engine's angle of view). Nothing is installed or drawn; textures are not read. Give
 * a folder that has both packages:
 *
 *   npm install --prefix FOLDER --ignore-scripts prismarine-viewer@1.33.0 three@0.128.0
 *   node benchmarks/against_viewer.js FOLDER
 *
 * prints a line of JSON: the marked blocks by distance in both, the share of pixels that show the same block, and the
 * largest difference of distances.
 */
const path = require('node:path')
const { createRequire } = require('node:module')
const { Vec3 } = require('vec3')
const { POSE, TURNED, REACH, FIELD, markedWorld, pictureHits, compareDepths } = require('../tests/js/pictures/marked')

const [WIDTH, HEIGHT] = [96, 54]
/** Newest block models that prismarine-viewer 1.33 has for versions up to 1.20.4. */
const MODELS = 'prismarine-viewer/public/blocksStates/1.20.1.json'
/** Lowest section with blocks, and columns around the camera. */
const [LOW, HIGH] = [-64, -32]
const COLUMNS = 2
/** Blocks by which its mesher gets the land higher: it leaves out all faces below 0. */
const LIFT = 96

/**
 * Return the meshes of prismarine-viewer's sections around the camera.
 * @param {NodeRequire} load @param {ReturnType<typeof markedWorld>} world
 */
function meshesOf (load, world) {
  const THREE = load('three')
  const { getSectionGeometry } = load('prismarine-viewer/viewer/lib/models.js')
  const { World } = load('prismarine-viewer/viewer/lib/world.js')
  const models = load(MODELS)
  const land = new World(world.data.version)
  for (let cx = -COLUMNS - 1; cx <= COLUMNS + 1; cx++) {
    for (let cz = -COLUMNS - 1; cz <= COLUMNS + 1; cz++) {
      land.addColumn(cx * 16, cz * 16, world.terrain.info(cx, cz).chunk.toJson())
    }
  }
  const lifted = { getBlock: (/** @type {Vec3} */ at) => {
    const block = land.getBlock(at.offset(0, -LIFT, 0))
    if (block) block.position = at.floored()
    return block
  } }
  const meshes = []
  for (let cx = -COLUMNS; cx <= COLUMNS; cx++) {
    for (let cz = -COLUMNS; cz <= COLUMNS; cz++) {
      for (let y = LOW; y < HIGH; y += 16) {
        const { positions, indices, sx, sy, sz } = getSectionGeometry(cx * 16, y + LIFT, cz * 16, lifted,
          models)
        const geometry = new THREE.BufferGeometry()
        geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3))
        geometry.setIndex(indices)
        const mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial())
        mesh.position.set(sx, sy - LIFT, sz)
        mesh.updateMatrixWorld()
        meshes.push(mesh)
      }
    }
  }
  return meshes
}

/**
 * Return what Three's rays meet in prismarine-viewer's meshes, by pixel.
 * @param {NodeRequire} load @param {ReturnType<typeof markedWorld>} world
 * @returns {(i: number, j: number) => import('../tests/js/pictures/marked').Hit}
 */
function viewerHits (load, world) {
  const THREE = load('three')
  const meshes = meshesOf(load, world)
  const camera = new THREE.PerspectiveCamera(FIELD, WIDTH / HEIGHT, 0.1, 1000)
  camera.position.set(POSE.eye.x, POSE.eye.y, POSE.eye.z)
  // As prismarine-viewer's `setFirstPersonCamera`.
  camera.rotation.set(TURNED.pitch, TURNED.yaw, 0, 'ZYX')
  camera.updateMatrixWorld()
  const caster = new THREE.Raycaster()
  return (i, j) => {
    caster.setFromCamera({ x: 2 * (i + 0.5) / WIDTH - 1, y: 1 - 2 * (j + 0.5) / HEIGHT }, camera)
    const [hit] = caster.intersectObjects(meshes)
    if (!hit || hit.distance > REACH) return { name: 'sky', distance: Infinity }
    // The block is the one behind the face.
    const at = new Vec3(hit.point.x, hit.point.y, hit.point.z).plus(new Vec3(caster.ray.direction.x,
      caster.ray.direction.y, caster.ray.direction.z).scaled(1e-3)).floored()
    return { name: world.data.state(world.terrain.get(at.x, at.y, at.z)).name, distance: hit.distance }
  }
}

/** @param {string[]} argv */
function main ([folder]) {
  if (folder === undefined) throw new RangeError('give the folder that has prismarine-viewer and three')
  const world = markedWorld()
  const { orders, others, gap } = compareDepths(WIDTH, HEIGHT, [pictureHits(world, WIDTH, HEIGHT),
    viewerHits(createRequire(path.resolve(folder, 'x.js')), world)])
  process.stdout.write(`${JSON.stringify({ engine: orders[0], viewer: orders[1],
    same_order: orders[0].join() === orders[1].join(), same_block: 1 - others / (WIDTH * HEIGHT), gap })}\n`)
}

main(process.argv.slice(2))
