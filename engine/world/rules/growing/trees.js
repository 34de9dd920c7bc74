'use strict'
/**
 * Shapes of trees, as lists of blocks around the sapling's position. Heights are vanilla's (wiki: "Tree"). Crowns have
 * vanilla's size with one shape for each kind; vanilla's rare large oaks are missing.
 */

/** @typedef {import('../../random').RandomStream} RandomStream */
/**
 * `far`: distance of leaves from the nearest wood, in steps.
 *
 * @typedef {{ x: number, y: number, z: number, log: boolean, far: number }} Part
 */

/** @param {Part[]} parts @param {number} height @param {boolean} wide */
function trunk (parts, height, wide) {
  for (let y = 0; y < height; y++) {
    for (const [x, z] of wide ? [[0, 0], [1, 0], [0, 1], [1, 1]] : [[0, 0]]) parts.push({ x, y, z, log: true, far: 0 })
  }
}

/**
 * Add a round layer of leaves.
 *
 * @param {Part[]} parts
 * @param {number} y
 * @param {number} radius
 * @param {boolean} wide
 * @param {(corner: boolean) => boolean} keep
 */
function layer (parts, y, radius, wide, keep) {
  const end = wide ? 1 : 0
  for (let x = -radius; x <= radius + end; x++) {
    for (let z = -radius; z <= radius + end; z++) {
      const dx = x < 0 ? -x : Math.max(0, x - end)
      const dz = z < 0 ? -z : Math.max(0, z - end)
      if (keep(dx === radius && dz === radius)) parts.push({ x, y, z, log: false, far: dx + dz })
    }
  }
}

/**
 * Return an oak, birch, jungle or cherry tree: two wide layers and two small ones around the top of the trunk.
 *
 * @param {number} height
 * @param {RandomStream} random
 * @param {number} radius
 * @returns {Part[]}
 */
function round (height, random, radius) {
  /** @type {Part[]} */
  const parts = []
  for (let y = height - 3; y <= height; y++) {
    const top = y >= height - 1
    layer(parts, y, top ? radius - 1 : radius, false, (corner) => !corner || (y < height && random.chance(0.5)))
  }
  trunk(parts, height, false)
  return parts
}

/**
 * Return a spruce: rings that widen and narrow.
 *
 * @param {number} height
 * @param {RandomStream} random
 * @param {boolean} wide
 * @returns {Part[]}
 */
function cone (height, random, wide) {
  /** @type {Part[]} */
  const parts = []
  const bare = random.int(1, 2)
  const most = random.int(2, 3)
  let radius = 0
  let ring = 1
  for (let y = height; y >= bare; y--) {
    layer(parts, y, radius, wide, (corner) => !corner || radius === 0)
    if (radius < ring) radius++
    else {
      radius = radius > 1 ? 1 : 0
      ring = Math.min(most, ring + 1)
    }
  }
  trunk(parts, height, wide)
  return parts
}

/**
 * Return an acacia: a bent trunk under a flat crown.
 *
 * @param {number} height
 * @param {RandomStream} random
 * @returns {Part[]}
 */
function bent (height, random) {
  /** @type {Part[]} */
  const parts = []
  const [dx, dz] = [[1, 0], [-1, 0], [0, 1], [0, -1]][random.int(0, 3)]
  const bend = height - random.int(1, 3)
  let [x, z] = [0, 0]
  for (let y = 0; y < height; y++) {
    if (y >= bend) { x += dx; z += dz }
    parts.push({ x, y, z, log: true, far: 0 })
  }
  /** @type {Part[]} */
  const crown = []
  layer(crown, height - 1, 3, false, (corner) => !corner)
  layer(crown, height, 1, false, () => true)
  return [...crown.map((part) => ({ ...part, x: part.x + x, z: part.z + z })), ...parts]
}

/**
 * Return a dark oak: four trunks under a thick flat crown.
 *
 * @param {number} height
 * @param {RandomStream} random
 * @returns {Part[]}
 */
function broad (height, random) {
  /** @type {Part[]} */
  const parts = []
  layer(parts, height - 2, 2, true, (corner) => !corner || random.chance(0.5))
  layer(parts, height - 1, 3, true, (corner) => !corner)
  layer(parts, height, 2, true, (corner) => !corner)
  trunk(parts, height, true)
  return parts
}

/**
 * Return the blocks of a tree.
 *
 * @param {string} kind of wood
 * @param {boolean} wide true for a tree from four saplings
 * @param {RandomStream} random
 * @returns {Part[]} leaves first, wood last
 */
function treeOf (kind, wide, random) {
  if (kind === 'spruce') return cone(wide ? random.int(13, 30) : random.int(6, 9), random, wide)
  if (kind === 'dark_oak') return broad(random.int(6, 9), random)
  if (kind === 'acacia') return bent(random.int(5, 9), random)
  if (kind === 'jungle' && wide) return giant(random.int(10, 31), random)
  const height = { birch: random.int(5, 7), jungle: random.int(4, 12), cherry: random.int(7, 9) }[kind] ??
    random.int(4, 6)
  return round(height, random, kind === 'cherry' ? 3 : 2)
}

/** Return a jungle tree from four saplings. @param {number} height @param {RandomStream} random @returns {Part[]} */
function giant (height, random) {
  /** @type {Part[]} */
  const parts = []
  for (const [down, radius] of [[0, 2], [1, 3], [2, 4]]) {
    layer(parts, height - down, radius, true, (corner) => !corner && (radius < 4 || random.chance(0.95)))
  }
  trunk(parts, height, true)
  return parts
}

module.exports = { treeOf }
