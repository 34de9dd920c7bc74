'use strict'
/**
 * Natural spawning (wiki: "Spawn"): monsters in the dark and at night, animals on grass in the light, by biome, as long
 * as there are fewer than the caps. It is on in survival land and after `gamerule doMobSpawning true`.
 *
 * It is simpler than vanilla: a sixteenth of the loaded chunks around players is tried per tick instead of all; biomes
 * have the mobs that this engine has; there are no structures and no patrols. Phantoms are in phantoms.js.
 */
const { dimensionAt } = require('../../dimensions')
const { keyOf } = require('../../terrain/terrain')
const { length3 } = require('../../../lengths')

/** @typedef {import('../../entities/entity').Entity} Entity */
/** @typedef {import('../../entities/mobs').Mob} Mob */
/**
 * A mob that has spawned naturally.
 *
 * @typedef {Mob & { natural?: boolean, drawColour?: (random: import('../../random').RandomStream) => void }} Spawned
 */
/** @typedef {{ type: string, weight: number, least: number, most: number }} Entry */

/** Caps per 289 chunks around players, by category, and ticks between two attempts. */
const CAPS = Object.freeze({ monster: 70, animal: 10 })
const ANIMALS_EVERY = 400
const CHUNK_RADIUS = 8
const FULL_AREA = (2 * CHUNK_RADIUS + 1) ** 2
/** Side of the area around a player, in columns, including a border of one column. */
const SIDE = 2 * CHUNK_RADIUS + 3
/** Ticks between two updates of the chunks around players. */
const CHUNKS_EVERY = 20
/** Maximum number of players whose distances are compared in pairs. */
const MANY = 64
/** One chunk in this number is tried per tick. */
const PART = 16
/**
 * Minimum distance of a spawn from players and from the world spawn, and maximum distance from the nearest player, in
 * blocks.
 */
const MIN_DISTANCE = 24
const MAX_DISTANCE = 128
/** Maximum number of groups per attempt, and of attempts per group. */
const GROUPS = 3
const GROUP_TRIES = 4
/** A monster spawns if the light is at most a random number from 0 to this. */
const DARK = 7
const UNKNOWN = -32768

/** @param {string} type @param {number} weight @param {number} [least] @param {number} [most] @returns {Entry} */
const entry = (type, weight, least = 4, most = 4) => ({ type, weight, least, most })
const MONSTERS = Object.freeze([entry('spider', 100), entry('zombie', 95), entry('skeleton', 100),
  entry('creeper', 100), entry('enderman', 10, 1, 4), entry('witch', 5, 1, 1)])
const HUSKS = Object.freeze([...MONSTERS.filter(({ type }) => type !== 'zombie'), entry('zombie', 19),
  entry('husk', 80)])
const STRAYS = Object.freeze([...MONSTERS.filter(({ type }) => type !== 'skeleton'), entry('skeleton', 20),
  entry('stray', 80)])
const FARM = Object.freeze([entry('sheep', 12), entry('pig', 10), entry('chicken', 10), entry('cow', 8)])
const FORTRESS = Object.freeze([entry('blaze', 10, 2, 3), entry('wither_skeleton', 8, 5, 5),
  entry('zombified_piglin', 5), entry('magma_cube', 3)])
const RABBITS = Object.freeze([entry('rabbit', 4, 2, 3)])

/**
 * Monsters and animals by words in a biome's name; the first match counts.
 *
 * @type {readonly [RegExp, readonly Entry[], readonly Entry[]][]}
 */
const BIOMES = Object.freeze([
  [/mushroom|deep_dark|void/, [], []],
  [/nether_wastes/, [entry('zombified_piglin', 100), entry('ghast', 50, 1, 1), entry('piglin', 15),
    entry('magma_cube', 2), entry('enderman', 1)], []],
  [/crimson_forest/, [entry('hoglin', 9, 3, 4), entry('piglin', 5, 3, 4), entry('zombified_piglin', 1, 2, 4)], []],
  [/warped_forest/, [entry('enderman', 1)], []],
  [/soul_sand_valley/, [entry('ghast', 50, 1, 1), entry('skeleton', 20, 4, 5), entry('enderman', 1)], []],
  [/basalt_deltas/, [entry('magma_cube', 100, 2, 5), entry('ghast', 40, 1, 1)], []],
  [/^(the_end|end_)/, [entry('enderman', 10)], []],
  [/desert/, HUSKS, RABBITS],
  [/badlands|beach|river|ocean|shore/, MONSTERS, []],
  [/snowy_(plains|slopes)|ice_spikes|frozen_peaks|jagged_peaks/, STRAYS, [entry('rabbit', 10, 2, 3)]],
  [/taiga/, MONSTERS, [...FARM, entry('wolf', 8), ...RABBITS]],
  [/^(forest|flower_forest)$/, MONSTERS, [...FARM, entry('wolf', 5)]],
  [/swamp/, [...MONSTERS, entry('slime', 1, 1, 1)], FARM],
  [/plains/, MONSTERS, [...FARM, entry('horse', 5, 2, 6)]],
  [/./, MONSTERS, FARM]
])

/** Number of chunks around players, and positions of the loaded ones. */
class Around {
  constructor () {
    this.count = 0
    this.made = 0
    this.east = new Int32Array(FULL_AREA)
    this.south = new Int32Array(FULL_AREA)
  }

  /** @param {number} cx @param {number} cz @param {boolean} made */
  add (cx, cz, made) {
    this.count++
    if (!made) return
    if (this.made === this.east.length) this.grow()
    this.east[this.made] = cx
    this.south[this.made++] = cz
  }

  grow () {
    const { east, south } = this
    this.east = new Int32Array(2 * this.made)
    this.south = new Int32Array(2 * this.made)
    this.east.set(east)
    this.south.set(south)
  }
}

/**
 * Return true if no chunk is near two of the players.
 *
 * @param {{ x: number, z: number }[]} players
 * @returns {boolean}
 */
function apart (players) {
  if (players.length > MANY) return false
  const reach = 16 * (2 * CHUNK_RADIUS + 2)
  return players.every((a, at) =>
    players.every((b, other) => other <= at || Math.abs(a.x - b.x) > reach || Math.abs(a.z - b.z) > reach))
}

/** Natural spawning in one world. */
class Spawning {
  /** @param {import('../../world').World} world */
  constructor (world) {
    this.world = world
    /** True if mobs spawn naturally in this world. */
    this.on = world.terrain.generated
    this.around = new Around()
    /** World age until which the chunks are valid. */
    this.fresh = 0
    /** Result of `counts`; null if it must be counted again. @type {{ monster: number, animal: number } | null} */
    this.counted = null
    /** Mobs of each biome by biome id. @type {{ monsters: readonly Entry[], animals: readonly Entry[] }[]} */
    this.byBiome = []
    /** 1 for loaded columns of the area around a player, including its border. */
    this.there = new Uint8Array(SIDE * SIDE)
  }

  tick () {
    const { world } = this
    if (!this.on || !world.rules.doMobSpawning || world.players.size === 0) return
    if (world.age >= this.fresh) {
      this.look()
      this.fresh = world.age + CHUNKS_EVERY
    }
    const { made } = this.around
    if (made === 0) return
    this.counts()
    const random = world.random.stream('spawning')
    const animals = world.age % ANIMALS_EVERY === 0 && this.room('animal')
    const monsters = world.difficulty !== 'peaceful' && this.room('monster')
    if (monsters) {
      for (let i = Math.ceil(made / PART); i > 0 && this.room('monster'); i--) {
        this.tryAt(random.int(0, made - 1), 'monster', random)
      }
    }
    if (animals) for (let chunk = 0; chunk < made; chunk++) if (this.room('animal')) this.tryAt(chunk, 'animal', random)
  }

  /** Return true if there are fewer mobs than the cap. @param {'monster' | 'animal'} way @returns {boolean} */
  room (way) { return this.counts()[way] < CAPS[way] * this.around.count / FULL_AREA }

  /**
   * Return true if a column and its neighbours, which give it light, are already generated.
   *
   * @param {number} cx
   * @param {number} cz
   * @returns {boolean}
   */
  ready (cx, cz) { return !this.world.terrain.generated || this.world.columnsReady(cx, cz) }

  /** Find the chunks within eight of a player who is not a spectator. */
  look () {
    const { around, world } = this
    const players = [...world.players.values()].filter(({ gamemode }) => gamemode !== 'spectator')
    const seen = apart(players) ? null : new Set()
    around.count = around.made = 0
    for (const { x, z } of players) {
      const px = Math.floor(x) >> 4
      const pz = Math.floor(z) >> 4
      this.survey(px - CHUNK_RADIUS - 1, pz - CHUNK_RADIUS - 1)
      for (let cx = px - CHUNK_RADIUS; cx <= px + CHUNK_RADIUS; cx++) {
        for (let cz = pz - CHUNK_RADIUS; cz <= pz + CHUNK_RADIUS; cz++) {
          if (seen !== null) {
            const key = keyOf(cx, cz)
            if (seen.has(key)) continue
            seen.add(key)
          }
          around.add(cx, cz, this.whole(cx - px + CHUNK_RADIUS + 1, cz - pz + CHUNK_RADIUS + 1))
        }
      }
    }
  }

  /** Find the loaded columns of an area. @param {number} west @param {number} north first column */
  survey (west, north) {
    const { there, world } = this
    for (let east = 0; east < SIDE; east++) {
      for (let south = 0; south < SIDE; south++) {
        there[east * SIDE + south] = Number(world.columnReady(west + east, north + south))
      }
    }
  }

  /**
   * Return true if a column of the area and its neighbours, which give it light, are loaded.
   *
   * @param {number} east
   * @param {number} south position in the area
   * @returns {boolean}
   */
  whole (east, south) {
    const { there } = this
    for (let at = (east - 1) * SIDE + south; at <= (east + 1) * SIDE + south; at += SIDE) {
      if (there[at - 1] + there[at] + there[at + 1] < 3) return false
    }
    return true
  }

  /** Return the mobs of a biome. @param {number} biome id */
  mobsOf (biome) {
    let mobs = this.byBiome[biome]
    if (mobs === undefined) {
      const { name } = this.world.registry.biomes[biome]
      const [, monsters, animals] = BIOMES.find(([pattern]) => pattern.test(name)) ?? BIOMES[BIOMES.length - 1]
      this.byBiome[biome] = mobs = { monsters, animals }
    }
    return mobs
  }

  /** Count again, because a mob has become persistent or has ceased to be. */
  changed () { this.counted = null }

  /** Update the counts for a body that has come (1) or gone (-1). @param {Entity} entity @param {1 | -1} by */
  tally (entity, by) {
    const way = wayOf(entity)
    if (this.counted !== null && way !== null) this.counted[way] += by
  }

  /**
   * Return the number of mobs by category. As in vanilla, mobs that are persistent by a name do not count; animals
   * always do.
   */
  counts () {
    if (this.counted !== null) return this.counted
    const counts = this.counted = { monster: 0, animal: 0 }
    for (const entity of this.world.entities.values()) {
      const way = wayOf(entity)
      if (way !== null) counts[way]++
    }
    return counts
  }

  /**
   * Try to spawn in a chunk.
   *
   * @param {number} chunk index among the loaded chunks
   * @param {'monster' | 'animal'} way
   * @param {import('../../random').RandomStream} random
   */
  tryAt (chunk, way, random) {
    const { world } = this
    const cx = this.around.east[chunk]
    const cz = this.around.south[chunk]
    if (!world.columnReady(cx, cz)) return
    const x = cx * 16 + random.int(0, 15)
    const z = cz * 16 + random.int(0, 15)
    const y = random.int(world.minY, this.surface(x, z) + 1)
    if (world.data.state(world.terrain.peek(x, y, z)).fullCube) return
    for (let group = 0; group < GROUPS; group++) this.group({ x, y, z }, way, random)
  }

  /**
   * Spawn up to four mobs of one kind, each some blocks from the last.
   *
   * @param {import('../../types').Pos} from
   * @param {'monster' | 'animal'} way
   * @param {import('../../random').RandomStream} random
   */
  group (from, way, random) {
    const drawn = this.draw(from, way, random)
    if (!drawn) return
    let { x, z } = from
    let made = 0
    for (let i = 0; i < GROUP_TRIES && made < drawn.most; i++) {
      x += random.int(0, 5) - random.int(0, 5)
      z += random.int(0, 5) - random.int(0, 5)
      if (this.fits(drawn.type, { x, y: from.y, z }, way, random) &&
        this.make(drawn.type, { x, y: from.y, z }, random)) {
        made++
      }
    }
  }

  /**
   * @param {import('../../types').Pos} pos
   * @param {'monster' | 'animal'} way
   * @param {import('../../random').RandomStream} random
   * @returns {Entry | null}
   */
  draw (pos, way, random) {
    const { monsters, animals } = this.mobsOf(this.world.terrain.biome(pos.x, pos.y, pos.z))
    const fortress = way === 'monster' && dimensionAt(pos.x) === 'the_nether' &&
      this.world.stateAt(pos.x, pos.y - 1, pos.z).name === 'nether_bricks'
    const list = fortress ? FORTRESS : way === 'monster' ? monsters : animals
    let all = 0
    for (const { weight } of list) all += weight
    let left = random.next() * all
    for (const entry of list) if ((left -= entry.weight) < 0) return entry
    return null
  }

  /**
   * @param {string} type
   * @param {import('../../types').Pos} pos
   * @param {'monster' | 'animal'} way
   * @param {import('../../random').RandomStream} random
   */
  fits (type, { x, y, z }, way, random) {
    const { world } = this
    if (!this.ready(x >> 4, z >> 4)) return false
    const at = { x: x + 0.5, y, z: z + 0.5 }
    const below = world.stateAt(x, y - 1, z)
    const clear = (/** @type {number} */ dy) => {
      const s = world.stateAt(x, y + dy, z)
      return s.shapes.length === 0 && !s.liquid
    }
    if (!below.fullCube || below.name === 'bedrock' || below.info.transparent || !clear(0) || !clear(1)) return false
    if (!world.nearestPlayer(at, MAX_DISTANCE) || world.nearestPlayer(at, MIN_DISTANCE)) return false
    if (length3(world.spawn.x - at.x, world.spawn.y - at.y, world.spawn.z - at.z) < MIN_DISTANCE) return false
    if (way === 'animal') {
      return /^(grass_block|sand|snow_block)$/.test(below.name) &&
        (below.name === 'grass_block' || type === 'rabbit') && world.light.raw(x, y, z) > 8
    }
    if (dimensionAt(x) !== 'overworld') return world.light.block(x, y, z) <= 11
    return world.light.block(x, y, z) === 0 && world.light.sky(x, y, z) <= random.int(0, 31) &&
      world.light.now(x, y, z, world.sky.weather === 'thunder' ? 10 : world.sky.darken) <= random.int(0, DARK)
  }

  /** @param {string} type @param {import('../../types').Pos} pos @param {import('../../random').RandomStream} random */
  make (type, { x, y, z }, random) {
    const mob = /** @type {Spawned | null} */ (this.world.summon(type, { x: x + 0.5, y, z: z + 0.5 }))
    if (!mob) return false
    mob.natural = true
    mob.yaw = mob.headYaw = random.between(-180, 180)
    mob.drawColour?.(random)
    return true
  }

  /** Return the height of the highest block that is not air. @param {number} x @param {number} z */
  surface (x, z) {
    const info = this.world.terrain.info(x >> 4, z >> 4)
    const tops = (info.tops ??= { revision: info.revision, heights: new Int16Array(256).fill(UNKNOWN) })
    if (tops.revision !== info.revision) {
      tops.revision = info.revision
      tops.heights.fill(UNKNOWN)
    }
    const across = (z & 15) << 4 | (x & 15)
    if (tops.heights[across] === UNKNOWN) tops.heights[across] = this.top(info, across)
    return tops.heights[across]
  }

  /** @param {import('../../terrain/terrain').ColumnInfo} info @param {number} across z * 16 + x within the column */
  top ({ chunk: { sections }, cells }, across) {
    const { minY, data } = this.world
    for (let index = sections.length - 1; index >= 0; index--) {
      if (sections[index].solidBlockCount === 0) continue
      const open = cells[index]
      for (let up = 15; up >= 0; up--) {
        const at = up << 8 | across
        if (!data.state(open === null ? sections[index].data.get(at) : open[at]).air) return minY + index * 16 + up
      }
    }
    return minY
  }
}

/**
 * Return the category whose cap counts a body, or null.
 * @param {Entity} entity
 * @returns {'monster' | 'animal' | null}
 */
function wayOf (entity) {
  const { kind, persistent } = /** @type {Partial<Mob>} */ (entity)
  if (kind === undefined) return null
  return kind.is === 'animal' || (kind.is === 'monster' && !persistent) ? kind.is : null
}

module.exports = { Spawning, BIOMES, FORTRESS, CAPS }
