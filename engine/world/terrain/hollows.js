'use strict'
/**
 * Pools of lava and water, and dungeons with chests. Each lies within one column, and is sealed where it would leak.
 */
const { diceAt } = require('./dice')
const { ON } = require('./canvas')
const { SEA } = require('./climate')

const SALT = Object.freeze({ lavaPool: 61, pond: 62, cavePool: 63, dungeon: 64 })
/**
 * One in how many columns: lava on the surface (vanilla: 200), lava underground (vanilla: 9), water underground,
 * dungeons.
 */
const RARE = Object.freeze({ lavaPool: 120, caveLava: 9, caveWater: 12, dungeon: 10 })
/** Half the inner size of a dungeon, minimum and maximum, in blocks. */
const ROOM = [2, 3]
const DUNGEON_HEIGHT = 4

/** @typedef {{ kind: string, x: number, y: number, z: number, half: number[], chests: number[][] }} Dungeon */

/** The hollows of one world. */
class Hollows {
  /**
   * @param {import('../data').GameData} data
   * @param {number} seed
   * @param {import('./outline').Outlines} outlines
   * @param {import('./caves').Caves} caves
   */
  constructor (data, seed, outlines, caves) {
    this.seed = seed
    this.outlines = outlines
    this.caves = caves
    this.data = data
    this.stone = data.stateId('stone')
    this.liquids = { lava: data.stateId('lava'), water: data.stateId('water') }
    this.walls = [data.stateId('cobblestone'), data.stateId('mossy_cobblestone')]
    this.spawner = data.stateId('spawner')
    this.chests = ['north', 'south', 'west', 'east'].map((facing) => data.stateId('chest', { facing }))
  }

  /**
   * @param {import('./canvas').Canvas} canvas
   * @param {number} cx
   * @param {number} cz
   * @param {(x: number, z: number) => boolean} taken
   */
  draw (canvas, cx, cz, taken) {
    this.surfacePool(canvas, cx, cz, taken)
    for (const [kind, rare] of /** @type {['lava' | 'water', number][]} */ ([['lava', RARE.caveLava],
      ['water', RARE.caveWater]])) {
      const dice = diceAt(this.seed, cx, cz, SALT.cavePool + rare)
      if (dice.chance(1 / rare)) this.cavePool(canvas, cx, cz, kind, dice)
    }
    const dungeon = this.dungeon(cx, cz)
    if (dungeon) this.drawDungeon(canvas, dungeon)
  }

  /**
   * Draw a pool of lava on even, dry ground.
   * @param {import('./canvas').Canvas} canvas
   * @param {number} cx
   * @param {number} cz
   * @param {(x: number, z: number) => boolean} taken
   */
  surfacePool (canvas, cx, cz, taken) {
    const dice = diceAt(this.seed, cx, cz, SALT.lavaPool)
    if (!dice.chance(1 / RARE.lavaPool)) return
    const { ground } = this.outlines.at(cx, cz)
    const around = [[8, 8], [2, 8], [13, 8], [8, 2], [8, 13], [3, 3], [12, 12], [3, 12],
      [12, 3]].map(([x, z]) => ground[z * 16 + x])
    const level = Math.min(...around)
    if (level <= SEA + 1 || Math.max(...around) - level > 2 || taken(cx * 16 + 8, cz * 16 + 8)) return
    this.pool(canvas, { x: cx * 16 + 8, y: level, z: cz * 16 + 8 }, [dice.int(3, 4), 3, dice.int(3, 4)], 'lava', 6)
  }

  /**
   * @param {import('./canvas').Canvas} canvas
   * @param {number} cx
   * @param {number} cz
   * @param {'lava' | 'water'} kind
   * @param {import('./dice').Dice} dice
   */
  cavePool (canvas, cx, cz, kind, dice) {
    const top = this.outlines.at(cx, cz).low - 14
    if (top <= -50) return
    this.pool(canvas, { x: cx * 16 + dice.int(7, 8), y: dice.int(-50, top), z: cz * 16 + dice.int(7, 8) },
      [dice.int(3, 5), dice.int(2, 3), dice.int(3, 5)], kind, 3)
  }

  /**
   * Draw half an ellipsoid of liquid below a level, with air above and stone where it would leak.
   * @param {import('./canvas').Canvas} canvas
   * @param {{ x: number, y: number, z: number }} middle `y`: the highest layer of liquid
   * @param {number[]} half sizes along x, y, z
   * @param {'lava' | 'water'} kind
   * @param {number} clear blocks of air above
   */
  pool (canvas, { x, y, z }, [rx, ry, rz], kind, clear) {
    const inside = (/** @type {number} */ dx, /** @type {number} */ dy, /** @type {number} */ dz) =>
      (dx / (rx + 0.5)) ** 2 + (dy / (ry + 0.5)) ** 2 + (dz / (rz + 0.5)) ** 2 < 1
    for (let dx = -rx - 1; dx <= rx + 1; dx++) {
      for (let dz = -rz - 1; dz <= rz + 1; dz++) {
        for (let dy = -ry - 1; dy <= 0; dy++) {
          if (inside(dx, dy, dz)) canvas.put(x + dx, y + dy, z + dz, this.liquids[kind], ON.ANYTHING)
          else if (inside(dx - Math.sign(dx), dy - Math.sign(dy), dz - Math.sign(dz))) {
            canvas.put(x + dx, y + dy, z + dz, this.stone, ON.ANYTHING)
          }
        }
        for (let dy = 1; dy <= clear; dy++) {
          if (inside(dx, Math.min(dy, ry) - 1, dz)) canvas.put(x + dx, y + dy, z + dz, 0, ON.ANYTHING)
        }
      }
    }
  }

  /**
   * Return the dungeon of a column: a room beside a cave, so that it can be found.
   * @param {number} cx
   * @param {number} cz
   * @returns {Dungeon | null}
   */
  dungeon (cx, cz) {
    const dice = diceAt(this.seed, cx, cz, SALT.dungeon)
    if (!dice.chance(1 / RARE.dungeon)) return null
    const highest = Math.min(50, this.outlines.at(cx, cz).low - 16)
    for (let tries = 0; tries < 12; tries++) {
      const half = [dice.int(ROOM[0], ROOM[1]), dice.int(ROOM[0], ROOM[1])]
      const [x, y, z] = [cx * 16 + dice.int(6, 9), dice.int(-50, highest), cz * 16 + dice.int(6, 9)]
      const kind = dice.weighted([['zombie', 2], ['skeleton', 1], ['spider', 1]])
      const chests = [0, 1].map(() => [dice.int(0, 3), dice.int(-1, 1)])
      const beside = [[half[0] + 1, 0], [-half[0] - 1, 0], [0, half[1] + 1],
        [0, -half[1] - 1]].filter(([dx, dz]) => this.caves.near(x + dx, y + 1, z + dz)).length
      if (beside >= 1 && beside <= 3) {
        return { kind, x, y, z, half,
          chests: chests.slice(0, dice.int(1, 2)).map(([side, along]) => chestAt({ x, y, z }, half, side, along)) }
      }
    }
    return null
  }

  /** @param {import('./canvas').Canvas} canvas @param {Dungeon} dungeon */
  drawDungeon (canvas, { x, y, z, half: [hx, hz], chests }) {
    const dice = diceAt(this.seed, x, z, SALT.dungeon + 1)
    for (let dx = -hx - 1; dx <= hx + 1; dx++) {
      for (let dz = -hz - 1; dz <= hz + 1; dz++) {
        for (let dy = -1; dy <= DUNGEON_HEIGHT; dy++) {
          const wall = Math.abs(dx) === hx + 1 || Math.abs(dz) === hz + 1
          const mossy = dice.chance(dy === -1 ? 0.75 : 0)
          if (wall || dy === -1 || dy === DUNGEON_HEIGHT) {
            canvas.put(x + dx, y + dy, z + dz, this.walls[Number(mossy)], dy === -1 && !wall ? ON.ANYTHING : ON.SOLID)
          } else {
            canvas.put(x + dx, y + dy, z + dz, 0, ON.ANYTHING)
          }
        }
      }
    }
    canvas.put(x, y, z, this.spawner, ON.ANYTHING)
    for (const [cx, cy, cz, facing] of chests) canvas.put(cx, cy, cz, this.chests[facing], ON.ANYTHING)
  }
}

/**
 * Return a chest at a wall, facing into the room: x, y, z and index of its facing.
 * @param {{ x: number, y: number, z: number }} middle
 * @param {number[]} half
 * @param {number} side
 * @param {number} along
 */
function chestAt ({ x, y, z }, [hx, hz], side, along) {
  return [[x + along, y, z + hz, 0], [x + along, y, z - hz, 1], [x + hx, y, z + along, 2],
    [x - hx, y, z + along, 3]][side]
}

module.exports = { Hollows }
