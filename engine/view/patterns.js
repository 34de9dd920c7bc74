'use strict'
/**
 * Patterns of textures, made from numbers alone: each gives the colour of one of 16 x 16 texels. No picture file is
 * read, and nothing is taken from the game's own textures.
 */

/** Texels along a side. */
const SIDE = 16

/**
 * Colour of a texel: red, green, blue and opacity, 0 to 255.
 * @typedef {[number, number, number, number]} Texel
 */
/** @typedef {(x: number, y: number, main: number, second: number) => Texel} Pattern `x` to the right, `y` downward */

/** Return a number from 0 to 1 that belongs to a texel. @param {number} x @param {number} y @param {number} [salt] */
function noise (x, y, salt = 0) {
  let h = Math.imul(x + 11, 0x27d4eb2d) ^ Math.imul(y + 7, 0x165667b1) ^ Math.imul(salt + 3, 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return ((h ^ (h >>> 15)) >>> 8) / 0x1000000
}

/** Return a colour, made brighter or darker. @param {number} rgb @param {number} by factor @returns {Texel} */
function tone (rgb, by) {
  const part = (/** @type {number} */ shift) => Math.max(0, Math.min(255, Math.round(((rgb >> shift) & 255) * by)))
  return [part(16), part(8), part(0), 255]
}

/** @type {Texel} */
const HOLE = [0, 0, 0, 0]
/** @param {Texel} texel @param {number} alpha @returns {Texel} */
const clear = ([r, g, b], alpha) => [r, g, b, alpha]
/** @param {number} x @param {number} y @param {number} amount */
const grain = (x, y, amount) => 1 - amount + 2 * amount * noise(x, y)
/** Return coarse and fine noise together. @param {number} x @param {number} y @param {number} amount */
const rough = (x, y, amount) => 1 + amount * (noise(x >> 1, y >> 1, 5) + noise(x, y) - 1)
/** Distance to the middle of the texture along the farther axis. @param {number} x @param {number} y */
const ring = (x, y) => Math.max(Math.abs(x - 7.5), Math.abs(y - 7.5))
/** @param {number} x @param {number} y */
const radius = (x, y) => Math.sqrt((x - 7.5) ** 2 + (y - 7.5) ** 2)

/** Return the colour of a seam or of a stone between seams. @param {number} rows @param {number} length */
const masonry = (rows, length) => /** @type {Pattern} */ (x, y, main, second) => {
  const row = Math.floor(y / rows)
  const along = x + (row % 2) * (length >> 1)
  if (y % rows === rows - 1 || along % length === length - 1) return tone(second, grain(x, y, 0.06))
  return tone(main, 0.9 + 0.16 * noise(Math.floor(along / length), row, 9) + 0.06 * noise(x, y))
}

/**
 * Plant with stalks and heads.
 * @param {number} stalks
 * @param {number} top row of the highest head
 * @param {number} head texels across; 0 for blades without heads
 * @returns {Pattern}
 */
const plant = (stalks, top, head) => (x, y, main, second) => {
  for (let i = 0; i < stalks; i++) {
    const foot = Math.floor((i + 0.5) * SIDE / stalks)
    const tip = top + Math.floor(noise(i, stalks, 3) * (head > 0 ? 3 : 6))
    const lean = Math.round((noise(i, stalks, 8) - 0.5) * 4 * (SIDE - y) / SIDE)
    if (head > 0 && Math.abs(x - foot - lean) <= head / 2 && Math.abs(y - tip - head / 2) <= head / 2) {
      return tone(second, 0.85 + 0.3 * noise(x, y))
    }
    if (y >= tip && x === foot + lean) return tone(main, 0.75 + 0.4 * noise(x, y))
    if (head === 0 && y >= tip + 4 && x === foot + lean + 1) return tone(main, 0.7 + 0.3 * noise(x, y))
  }
  return HOLE
}

/** Draw a figure of letters: `#` main, `+` second, `.` hole. @param {string[]} rows @returns {Pattern} */
const figure = (rows) => (x, y, main, second) => {
  const cell = rows[Math.floor(y * rows.length / SIDE)][Math.floor(x * rows[0].length / SIDE)]
  return cell === '.' ? HOLE : tone(cell === '#' ? main : second, grain(x, y, 0.06))
}

/** Round stones with seams. @type {Pattern} */
const cobbles = (x, y, main, second) => {
  let [near, next, which] = [99, 99, 0]
  for (let i = 0; i < 9; i++) {
    const [cx, cy] = [(i % 3) * 5.3 + 2 + noise(i, 1) * 3, Math.floor(i / 3) * 5.3 + 2 + noise(i, 2) * 3]
    const wrap = (/** @type {number} */ d) => Math.min(Math.abs(d), SIDE - Math.abs(d))
    const far = wrap(x - cx) ** 2 + wrap(y - cy) ** 2
    if (far < near) [next, near, which] = [near, far, i]
    else if (far < next) next = far
  }
  return next - near < 6 ? tone(second, grain(x, y, 0.08)) : tone(main, 0.88 + 0.24 * noise(which,
    4) + 0.06 * noise(x, y))
}
/** Boards of four texels. @type {Pattern} */
const planks = (x, y, main) => {
  const board = y >> 2
  const seam = y % 4 === 3 || (x + board * 5) % SIDE === 0
  return tone(main, seam ? 0.72 : 0.93 + 0.1 * noise(board, 3) + 0.08 * noise(x >> 2, y, 1))
}
/** Frame with a bright edge. @type {Pattern} */
const panel = (x, y, main) => tone(main, (ring(x, y) > 6.9 ? 0.78 : ring(x, y) > 5.9 ? 1.08 : 1) * grain(x, y, 0.04))
/** Ribs from top to bottom. @type {Pattern} */
const pumpkin = (x, y, main) => tone(main, x % 4 === 0 ? 0.82 : 0.97 + 0.06 * noise(x, y))

/** @satisfies {Record<string, Pattern>} */
const PATTERNS = {
  plain: (x, y, main) => tone(main, grain(x, y, 0.03)),
  fine: (x, y, main) => tone(main, grain(x, y, 0.08)),
  coarse: (x, y, main) => tone(main, rough(x, y, 0.22)),
  /** Two colours in patches. */
  mottled: (x, y, main, second) =>
    tone(noise(x >> 1, y >> 1, 2) + 0.4 * noise(x, y) > 0.85 ? second : main, grain(x, y, 0.07)),
  /** Lumps of the second colour in stone. */
  ore: (x, y, main, second) => {
    const lump = [[3, 3], [11, 4], [6, 9], [12, 12], [2, 13]].some(([a, b]) =>
      Math.abs(x - a) + Math.abs(y - b) <= 1 + (noise(a, b) > 0.4 ? 1 : 0))
    return lump ? tone(second, 0.85 + 0.3 * noise(x, y)) : tone(main, rough(x, y, 0.18))
  },
  cobbles,
  bricks: masonry(4, 8),
  large_bricks: masonry(8, 16),
  planks,
  upright_planks: (x, y, main, second) => planks(y, x, main, second),
  bark: (x, y, main) => tone(main, 0.78 + 0.34 * noise(x, y >> 3, 4) + 0.08 * noise(x, y)),
  birch_bark: (x, y, main, second) =>
    tone(noise(x >> 2, y, 6) > 0.83 ? second : main, 0.93 + 0.1 * noise(x, y >> 2)),
  rings: (x, y, main, second) => {
    const far = Math.floor(ring(x, y))
    return far >= 7 ? tone(second, grain(x, y, 0.08)) : tone(main, far % 2 ? 0.88 : 1.03)
  },
  leaves: (x, y, main) => tone(main, 0.62 + 0.62 * noise(x, y, 7) * (0.6 + 0.4 * noise(x >> 1, y >> 1, 2))),
  /** Soil with a fringe of the second colour along the upper edge. */
  fringe: (x, y, main, second) => y < 3 + Math.floor(noise(x, 0, 12) * 3)
    ? tone(second, 0.85 + 0.25 * noise(x, y)) : tone(main, rough(x, y, 0.2)),
  furrows: (x, y, main) => tone(main, (y % 4 < 2 ? 0.8 : 1.06) * grain(x, y, 0.05)),
  /** Frame of the second colour around the main one. */
  framed: (x, y, main, second) => ring(x, y) > 6.9 ? tone(second, grain(x, y, 0.05)) : tone(main, grain(x, y, 0.05)),
  panel,
  tiles: (x, y, main, second) => tone((x >> 3) + (y >> 3) & 1 ? second : main, grain(x, y, 0.05)),
  pillar: (x, y, main) => tone(main, x % 5 === 0 ? 0.85 : 1.02),
  glass: (x, y, main) => {
    if (ring(x, y) > 6.9) return clear(tone(main, 1), 210)
    return clear(tone(main, 1.1), (x + y === 9 || x + y === 10) && x > 1 && y > 1 ? 150 : 38)
  },
  stained: (x, y, main) => clear(tone(main, 1), ring(x, y) > 6.9 ? 225 : 120),
  ice: (x, y, main) => clear(tone(main, grain(x, y, 0.06)), (x * 3 + y) % 13 === 0 ? 230 : 165),
  jelly: (x, y, main) => clear(tone(main, ring(x, y) > 4.5 ? 0.9 : 1.1), 180),
  shimmer: (x, y, main) => clear(tone(main, 0.8 + 0.5 * noise(x >> 1, y >> 1)), 170),
  bars: (x, y, main) => x % 4 === 1 || y === 0 || y === 15 ? tone(main, grain(x, y, 0.1)) : HOLE,
  web: (x, y, main) => x === y || x + y === 15 || ring(x, y) === 4.5 || x === 7 ? tone(main, 1) : HOLE,
  ladder: (x, y, main) => x % 12 === 2 || x % 12 === 1 || y % 4 === 1 ? tone(main, grain(x, y, 0.1)) : HOLE,
  rail: (x, y, main, second) => x === 2 || x === 13 ? tone(second, grain(x, y, 0.08))
    : y % 4 < 2 && x > 0 && x < 15 ? tone(main, grain(x, y, 0.1)) : HOLE,
  dust: (x, y, main) => ring(x, y) < 2 || (Math.abs(x - 7.5) < 1 || Math.abs(y - 7.5) < 1)
    ? tone(main, 0.8 + 0.4 * noise(x, y)) : HOLE,
  hanging: (x, y, main) => noise(x >> 1, y >> 1, 13) > 0.42 ? tone(main, 0.7 + 0.5 * noise(x, y)) : HOLE,
  pad: (x, y, main) => radius(x, y) < 7.6 && !(x > 7 && Math.abs(y - 7.5) < (x - 7) / 2)
    ? tone(main, grain(x, y, 0.1)) : HOLE,
  petals: (x, y, main, second) => noise(x >> 1, y >> 1, 21) > 0.6 ? tone(noise(x, y) > 0.8 ? second : main, 1) : HOLE,
  blades: plant(6, 4, 0),
  tall_blades: plant(6, 0, 0),
  bush: (x, y, main, second) => radius(x, y + 1) < 7.2 + noise(x, y) && noise(x, y, 6) > 0.25
    ? tone(noise(x >> 1, y >> 1, 17) > 0.86 ? second : main, 0.7 + 0.5 * noise(x, y)) : HOLE,
  flower: plant(1, 3, 5),
  flowers: plant(3, 0, 4),
  mushroom: figure(['........', '........', '..####..', '.######.', '.######.', '...++...', '...++...', '...++...']),
  sapling: (x, y, main, second) => y > 9 ? (Math.abs(x - 7.5) < 1 ? tone(second, 1) : HOLE)
    : radius(x, y + 2) < 5.5 && noise(x, y) > 0.2 ? tone(main, 0.75 + 0.4 * noise(x, y)) : HOLE,
  young_crop: plant(5, 10, 0),
  half_crop: plant(7, 6, 0),
  ripe_crop: plant(8, 1, 3),
  roots_crop: plant(7, 4, 0),
  cane: (x, y, main) => x % 6 === 2 || x % 6 === 3 ? tone(main, y % 5 === 0 ? 0.7 : grain(x, y, 0.1)) : HOLE,
  weed: (x, y, main) => Math.abs(x - 7.5 - (y % 8 < 4 ? 1 : -1)) < 2 ? tone(main, 0.7 + 0.5 * noise(x, y)) : HOLE,
  coral: (x, y, main) => (x + y) % 5 === 0 || (x - y + 16) % 6 === 0 ? tone(main, 0.8 + 0.4 * noise(x, y)) : HOLE,
  crystal: plant(5, 4, 2),
  flame: (x, y, main, second) => y > 3 + noise(x, 1) * 8 ? tone(y > 10 ? second : main, 0.9 + 0.3 * noise(x, y)) : HOLE,
  torch: (x, y, main, second) => tone(y < 9 ? second : main, y < 9 ? 1.1 : grain(x, y, 0.12)),
  door: (x, y, main) => panel(x * 2 % SIDE, y * 2 % SIDE, main, main),
  window_door: (x, y, main, second) => y > 1 && y < 9 && x > 1 && x < 14 && x % 7 !== 0 && y !== 5
    ? tone(second, 1) : tone(main, ring(x, y) > 6.9 ? 0.78 : grain(x, y, 0.05)),
  hatch: (x, y, main) => (x % 8 > 1 && x % 8 < 6 && y % 8 > 1 && y % 8 < 6) ? HOLE : tone(main, grain(x, y, 0.07)),
  chest: (x, y, main, second) => Math.abs(x - 7.5) < 1.5 && y > 4 && y < 10 ? tone(second, 1.1)
    : tone(main, ring(x, y) > 6.2 || y === 6 ? 0.55 : 0.9 + 0.15 * noise(x >> 2, y)),
  books: (x, y, main, second) => y % 8 === 7 || y % 8 === 0 ? tone(main, 0.9)
    : tone([second, 0x7b2d26, 0x2d4b7b, 0x4b6b2d, 0x8a7a3a][Math.floor(noise(x >> 1, y >> 3, 3) * 5)], x % 2 ? 0.8 : 1),
  oven: (x, y, main, second) => y > 8 && y < 14 && x > 3 && x < 12 ? tone(second, 0.9 + 0.2 * noise(x, y))
    : cobbles(x, y, main, 0x555555),
  workbench: (x, y, main, second) => ring(x, y) > 6.9 || x === 5 || x === 10 || y === 5 || y === 10
    ? tone(second, 1) : tone(main, grain(x, y, 0.08)),
  pumpkin,
  carved: (x, y, main, second) => ((y === 5 || y === 6) && (x > 2 && x < 6 || x > 9 && x < 13)) ||
    (y > 9 && y < 13 && x > 2 && x < 13 && (x + y) % 4 !== 0) ? tone(second, 1) : pumpkin(x, y, main, main),
  spiny: (x, y, main) => x % 5 === 2 && y % 4 === 1 ? tone(0xe8e8d0, 1) : tone(main, x % 5 === 0 ? 0.75 : 1),
  lava: (x, y, main, second) => tone(noise(x >> 2, y >> 2, 31) > 0.5 ? main : second, 0.9 + 0.2 * noise(x >> 1,
    y >> 1)),
  stitched: (x, y, main) => tone(main, 0.93 + 0.09 * noise(x, y) - ((x + y) % 4 === 0 ? 0.05 : 0)),
  face: (x, y, main, second) => y > 6 && y < 10 && (x > 2 && x < 6 || x > 9 && x < 13)
    ? tone(x === 5 || x === 10 || x === 4 || x === 11 ? second : 0xf4f4f4, 1)
    : y === 12 && x > 5 && x < 10 ? tone(main, 0.7) : tone(main, grain(x, y, 0.04)),
  snout: (x, y, main, second) => y > 4 && y < 8 && (x > 1 && x < 4 || x > 11 && x < 14) ? tone(0x101010, 1)
    : y > 8 && x > 3 && x < 12 ? tone(second, x === 5 || x === 10 ? 0.6 : 1) : tone(main, grain(x, y, 0.06)),
  stare: (x, y, main, second) => y > 5 && y < 9 && (x > 1 && x < 6 || x > 9 && x < 14) ? tone(second, 1)
    : tone(main, grain(x, y, 0.1)),
  creeper: (x, y, main, second) => (y > 3 && y < 8 && (x > 2 && x < 6 || x > 9 && x < 13)) ||
    (y > 7 && y < 13 && x > 5 && x < 10) || (y > 9 && y < 15 && (x === 4 || x === 5 || x === 10 || x === 11))
    ? tone(second, 1) : tone(main, rough(x, y, 0.3)),
  // Items on the ground.
  lump: figure(['........', '..###...', '.#####+.', '.######.', '########', '#+#####.', '.####+#.', '..####..']),
  ingot: figure(['........', '........', '....####', '..####++', '####+++.', '#+++++..', '.+++....', '........']),
  gem: figure(['........', '..####..', '.######.', '.#+####.', '.######.', '..####..', '...##...', '........']),
  rod: figure(['......##', '.....##.', '....##..', '...##...', '..##....', '.##.....', '##......', '........']),
  grains: figure(['........', '.#...#..', '...#....', '.#...#..', '...#...#', '.#..#...', '...#..#.', '........']),
  pickaxe: figure(['..####..', '....###.', '....+###', '...+.###', '..+...##', '.+....#.', '+.......', '........']),
  axe: figure(['...##...', '..####..', '..#####.', '....+##.', '...+.#..', '..+.....', '.+......', '+.......']),
  shovel: figure(['.....##.', '....####', '....####', '...+.##.', '..+.....', '.+......', '+.......', '........']),
  sword: figure(['......##', '.....###', '....###.', '...###..', '+.###...', '.+##....', '.++.....', '+..+....']),
  hoe: figure(['..####..', '.....##.', '....+.#.', '...+....', '..+.....', '.+......', '+.......', '........']),
  apple: figure(['....+...', '...+....', '.######.', '########', '########', '########', '.######.', '..#..#..']),
  loaf: figure(['........', '.....##.', '...####.', '..#+###.', '.###+##.', '.####...', '..##....', '........']),
  bucket: figure(['........', '.######.', '#++++++#', '.######.', '.######.', '..####..', '..####..', '........']),
  book: figure(['.#####..', '.######.', '.#+++##.', '.#+++##.', '.######.', '.######.', '.+++++..', '..#####.']),
  coat: figure(['.##..##.', '########', '########', '##.##.##', '..####..', '..####..', '..####..', '........'])
}

/** @typedef {keyof typeof PATTERNS} PatternName */

module.exports = { PATTERNS, SIDE, noise }
