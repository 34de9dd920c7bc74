'use strict'
/**
 * The world: blocks, bodies, rules and clock of one game, joined. Everything happens inside a call of a verb or of `tick()`;
 * there is no other time, and no randomness but the seeded streams. Surface: types.d.ts; seam: docs/seams.md, section 5.
 */
const { EventEmitter } = require('node:events')
const { gameData } = require('./data')
const { Random } = require('./random')
const { Stacks, plainText } = require('./stacks')
const { makeTerrain, MIN_Y, HEIGHT } = require('./terrain')
const { Player } = require('./player')
const { rayBox } = require('./geometry')
const { ItemEntity, ExperienceOrb, Drop } = require('./entities/drops')
const { NETHER_FROM } = require('./dimensions')
const { Populating } = require('./entities/populating')
const { Litter } = require('./entities/litter')
const { Sleep } = require('./entities/sleep')
const { Crafting } = require('./rules/workshops/crafting')
const { Loot } = require('./rules/items/block_loot')
const { Scoreboard, Statistics } = require('./rules/operators/scoreboard')
const { defaultRules } = require('./rules/operators/gamerules')
const { BlockEntities } = require('./rules/blocks/block_entities')
const { Breaking } = require('./rules/blocks/breaking')
const { Placing } = require('./rules/blocks/placing')
const { Smelting } = require('./rules/workshops/smelting')
const { WindowOpener } = require('./rules/functional_blocks/block_windows')
const { CraftingGrids } = require('./windows/grids')
const { Deaths } = require('./rules/damage/deaths')
const { SavedPlayers } = require('./rules/players/saved_players')
const { Combat } = require('./rules/damage/combat')
const { Updates } = require('./rules/blocks/updates')
const { Growth } = require('./rules/growing/random_ticks')
const { Redstone } = require('./rules/redstone')
const { Hoppers } = require('./rules/functional_blocks/hoppers')
const { Portals } = require('./rules/functional_blocks/portals')
const { Explosions } = require('./rules/damage/explosions')
const { Spawning } = require('./rules/mobs/spawning')
const { Light } = require('./rules/sky/light')
const { Precipitation } = require('./rules/sky/precipitation')
const { Phantoms } = require('./rules/mobs/phantoms')
const { Sky } = require('./rules/sky/sky')
const { Commands } = require('./commands/commands')
const { tickCampfire } = require('./rules/functional_blocks/campfires')
const { composterChanged } = require('./rules/functional_blocks/composters')
const { tickStand } = require('./rules/brewing/stand')
const { Beds } = require('./rules/functional_blocks/beds')
const { Signs } = require('./rules/functional_blocks/signs')
const { Teams } = require('./rules/operators/teams')
const { WorldBorder } = require('./rules/operators/world_border')
const { summon } = require('./rules/mobs/summoning')
const { announce } = require('./rules/players/announcements')
const { tags } = require('./nbt/values')
const { itemNbt, loadContainer } = require('./nbt/items')
const { length3 } = require('../lengths')

/** @typedef {import('./types').Pos} Pos */
/** @typedef {import('./types').Item} Item */
/** @typedef {import('./entities/entity').Entity} Entity */

/** Ticks between two looks for far columns to forget. */
const EVICT_EVERY = 200
const NAME = /^[A-Za-z0-9_]{1,16}$/

/** One world. */
class World extends EventEmitter {
  /** @param {import('./types').WorldOptions} [options] */
  constructor ({ seed = 0, version = '1.20.4', surfaceY = -60, terrain = 'flat' } = {}) {
    super()
    this.setMaxListeners(0)
    this.seed = String(seed)
    this.version = version
    this.data = gameData(version)
    /** @type {any} */
    this.registry = this.data.registry
    /** @type {any} */
    this.Item = this.data.Item
    this.random = new Random(seed)
    this.stacks = new Stacks(this.data)
    this.terrain = makeTerrain(this.data, { terrain, seed: this.seed, surfaceY })
    this.minY = MIN_Y
    this.height = HEIGHT
    this.rules = defaultRules()
    this.pvp = true
    this.nextEntityId = 1
    /** @type {Map<number, Entity>} */
    this.entities = new Map()
    /** Those that live in each tick: all that do not sleep. @type {Set<Entity>} */
    this.active = new Set()
    /** @type {Map<string, Player>} */
    this.players = new Map()
    /** Items and orbs on the ground. @type {Set<Drop>} */
    this.loose = new Set()
    this.litter = new Litter()
    this.age = 0
    /** By `tick freeze`: nothing goes on but where players walk and look. */
    this.frozen = false
    /** Ticks that pass all the same, by `tick step`; and those that pass as fast as they can, by `tick sprint`. */
    this.steps = this.sprint = 0
    /** Ticks a second that whoever keeps the clock aims at, by `tick rate`. */
    this.tickRate = 20
    /** Whether it may be: a world whose time passes only while somebody waits for it would stand still for ever. */
    this.freezable = true
    /** @type {import('./types').Gamemode} */
    this.defaultGamemode = 'survival'
    this.difficulty = 'normal'
    /** @type {false} */
    this.hardcore = false
    this.spawn = { ...this.terrain.generator.spawn(), angle: 0 }
    /** Vanilla effect name -> number on the wire. @type {Map<string, number>} */
    this.effectIds = new Map(this.registry.effectsArray.map((/** @type {any} */ e) => [snake(e.name), e.id]))
    /** Work for later ticks. @type {Map<number, (() => void)[]>} */
    this.agenda = new Map()
    this.nbt = tags
    this.plainText = plainText
    this.scoreboard = new Scoreboard((event) => this.emit('scoreboard', event))
    this.stats = new Statistics(this.scoreboard)
    this.crafting = new Crafting(this.data, this.stacks)
    this.craftingGrids = new CraftingGrids(this)
    this.loot = new Loot(this.data, this.stacks)
    this.smelting = new Smelting(this)
    this.blockEntities = new BlockEntities(this)
    this.breaking = new Breaking(this)
    this.placing = new Placing(this)
    this.opener = new WindowOpener(this)
    this.deaths = new Deaths(this)
    this.saved = new SavedPlayers()
    this.combat = new Combat(this)
    this.updates = new Updates(this)
    this.growth = new Growth(this)
    this.redstone = new Redstone(this)
    this.hoppers = new Hoppers(this)
    this.portals = new Portals(this)
    this.light = new Light(this)
    this.explosions = new Explosions(this)
    this.spawning = new Spawning(this)
    this.populating = new Populating(this)
    this.sleep = new Sleep(this)
    this.sky = new Sky(this)
    this.precipitation = new Precipitation(this)
    this.phantoms = new Phantoms(this)
    this.signs = new Signs(this)
    this.beds = new Beds(this)
    this.teams = new Teams(this)
    this.border = new WorldBorder(this)
    this.commands = new Commands(this)
  }

  get timeOfDay () { return this.sky.timeOfDay }
  set timeOfDay (ticks) { this.sky.timeOfDay = ticks }
  get weather () { return this.sky.weather }
  set weather (weather) { this.sky.weather = weather }

  // --- blocks ---

  /** @param {number} x @param {number} y @param {number} z @returns {number} state id */
  blockAt (x, y, z) { return this.terrain.get(x, y, z) }

  /** @param {number} x @param {number} y @param {number} z @returns {string} e.g. "plains" */
  biomeAt (x, y, z) { return this.registry.biomes[this.terrain.biome(x, y, z)].name }

  /** @param {number} x @param {number} y @param {number} z */
  stateAt (x, y, z) { return this.data.state(this.terrain.get(x, y, z)) }

  /**
   * Sets a block; contents of another kind of block that was there are gone.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} stateId
   * @returns {boolean} whether anything changed
   */
  setBlock (x, y, z, stateId) {
    if (!Number.isInteger(stateId) || !this.registry.blocksByStateId[stateId]) throw new Error(`state id ${stateId} is not legal: use one of ${this.version}'s, or world.data.stateId(name)`)
    const before = this.stateAt(x, y, z)
    if (!this.terrain.set(x, y, z, stateId)) return false
    const after = this.data.state(stateId)
    this.blockEntities.changed({ x, y, z }, before.name, after.name)
    this.light.changed({ x, y, z }, before.stateId, stateId)
    this.growth.changed({ x, y, z }, before, after)
    this.litter.stir(x, z)
    this.emit('block', { x, y, z, stateId })
    this.updates.around({ x, y, z })
    this.redstone.changed({ x, y, z }, before, after)
    this.portals.changed({ x, y, z }, before, after)
    composterChanged(this, { x, y, z }, before, after)
    return true
  }

  /** Whether no block is on the straight way between two places. @param {Pos} from @param {Pos} to */
  clear (from, to) {
    const [dx, dy, dz] = [to.x - from.x, to.y - from.y, to.z - from.z]
    const steps = Math.ceil(length3(dx, dy, dz) * 2) || 1
    let [lastX, lastY, lastZ] = [NaN, NaN, NaN]
    for (let i = 0; i <= steps; i++) {
      const x = Math.floor(from.x + dx * i / steps)
      const y = Math.floor(from.y + dy * i / steps)
      const z = Math.floor(from.z + dz * i / steps)
      if (x === lastX && y === lastY && z === lastZ) continue
      lastX = x; lastY = y; lastZ = z
      const { shapes } = this.stateAt(x, y, z)
      if (shapes.length === 0) continue
      const [a, b] = [[from.x, from.y, from.z], [to.x, to.y, to.z]]
      for (const s of shapes) if (rayBox(a, b, [x + s[0], y + s[1], z + s[2], x + s[3], y + s[4], z + s[5]]) !== null) return false
    }
    return true
  }

  /** Tells the truth about a block to one player (fronts may tell all). @param {Pos} pos @param {Player} player */
  showBlock ({ x, y, z }, player) {
    if (this.terrain.inside(x, y, z)) this.emit('block', { x, y, z, stateId: this.terrain.get(x, y, z), player })
  }

  /** @param {number} cx @param {number} cz the prismarine-chunk column */
  column (cx, cz) { return this.terrain.info(cx, cz).chunk }

  /** Whether a column costs nothing to have: it is there already, or one stands for all. @param {number} cx @param {number} cz */
  columnReady (cx, cz) { return (!this.terrain.generated && cx * 16 < NETHER_FROM) || this.terrain.has(cx, cz) }

  /** Whether a column and the eight around it, from which light comes, cost nothing to have. @param {number} cx @param {number} cz */
  columnsReady (cx, cz) {
    if (!this.terrain.generated && cx * 16 < NETHER_FROM - 16) return true
    for (let dx = -1; dx <= 1; dx++) for (let dz = -1; dz <= 1; dz++) if (!this.columnReady(cx + dx, cz + dz)) return false
    return true
  }

  /** @param {number} cx @param {number} cz @returns {import('./types').ColumnInfo} */
  columnInfo (cx, cz) { return this.terrain.info(cx, cz) }

  evictColumns () {
    const gone = this.terrain.evict([...this.players.values(), this.spawn])
    this.light.evict()
    return gone
  }

  /** @param {Pos} pos @param {any} tag typed NBT compound with Items, CustomName */
  loadBlockEntity (pos, tag) {
    const entity = this.blockEntities.at(pos)
    if (entity) loadContainer(this, entity, tag)
  }

  /** @param {Item} item */
  itemNbt (item) { return itemNbt(item) }

  // --- bodies ---

  /**
   * A player joins: at the world's spawn, or as and where a player of that name left.
   * @param {string} name
   * @param {{ uuid?: string, gamemode?: import('./types').Gamemode, op?: boolean }} [options]
   * @returns {Player}
   */
  addPlayer (name, options = {}) {
    if (!NAME.test(name)) throw new Error(`player name ${JSON.stringify(name)} is not legal: use 1 to 16 letters, digits and _`)
    if (this.players.has(name)) throw new Error(`player ${name} is in the world already: use another name, or remove that one first`)
    const player = new Player(this, name, { ...options, op: !this.commands.neverOps.has(name) && (options.op ?? this.commands.ops.has(name)) })
    this.saved.restore(player, options)
    announce(this, 'multiplayer.player.joined', player)
    this.players.set(name, player)
    this.terrain.serve(this.players.size)
    this.enter(player)
    this.emit('join', { player })
    this.portals.put(player)
    return player
  }

  /** @param {Player} player */
  removePlayer (player) {
    if (this.players.get(player.name) !== player) return
    player.using.stop()
    player.digging.stop()
    player.dismount()
    player.wake()
    player.screens.close(false)
    this.stats.add(player, 'custom', 'leave_game')
    this.saved.save(player)
    this.players.delete(player.name)
    this.terrain.serve(this.players.size)
    announce(this, 'multiplayer.player.left', player)
    player.remove()
    this.emit('leave', { player })
  }

  /** @template {Entity} T @param {T} entity @returns {T} */
  enter (entity) {
    this.entities.set(entity.id, entity)
    this.active.add(entity)
    if (entity instanceof Drop) {
      this.loose.add(entity)
      this.litter.add(entity)
    } else {
      this.spawning.tally(entity, 1)
      this.populating.enter(entity)
    }
    this.emit('entityAdd', { entity })
    return entity
  }

  /** Takes an entity out of the world. @param {Entity} entity */
  leave (entity) {
    this.entities.delete(entity.id)
    this.active.delete(entity)
    if (entity instanceof Drop) {
      this.loose.delete(entity)
      this.litter.remove(entity)
    }
    this.sleep.forget(entity)
    this.spawning.tally(entity, -1)
    this.populating.leave(entity)
  }

  /** All entities no further from a place than that along x and z, in no order. @param {{ x: number, z: number }} at @param {number} reach blocks @returns {Entity[]} */
  entitiesNear ({ x, z }, reach) {
    /** @type {Entity[]} */
    const found = []
    const look = (/** @type {Entity} */ entity) => { if (Math.abs(entity.x - x) <= reach && Math.abs(entity.z - z) <= reach) found.push(entity) }
    for (const entity of this.active) look(entity)
    this.sleep.around(x, z, reach, look)
    return found
  }

  /** What lies on the ground. */
  drops () { return this.loose }

  /** Bodies that stand in the way of blocks, with their middles no further from a place than that along x and z. @param {{ x: number, z: number }} at @param {number} reach blocks @returns {import('./entities/living').LivingEntity[]} */
  bodiesNear (at, reach) {
    return /** @type {any} */ (this.entitiesNear(at, reach).filter((e) => e.living && !(/** @type {any} */ (e).dead) && /** @type {any} */ (e).gamemode !== 'spectator'))
  }

  /** @param {Item} item @param {Pos} at @returns {ItemEntity} */
  spawnItem (item, at) { return this.enter(new ItemEntity(this, item, at)) }

  /** A stack jumps out of a block, as loot does. @param {Item} item @param {Pos} pos */
  popItem (item, pos) {
    const random = this.random.stream('drops')
    const spot = () => 0.5 + random.between(-0.25, 0.25)
    // Places and speeds are drawn before the entity is told of, so that fronts see it as it starts.
    const entity = new ItemEntity(this, item, { x: pos.x + spot(), y: pos.y + spot() - 0.125, z: pos.z + spot() })
    entity.vx = random.between(-0.1, 0.1)
    entity.vy = 0.2
    entity.vz = random.between(-0.1, 0.1)
    return this.enter(entity)
  }

  /** @param {number} points @param {Pos} at */
  popExperience (points, at) { return this.enter(new ExperienceOrb(this, points, at)) }

  /** A body by its name; null for what this engine does not have. @param {string} type @param {Pos} at @param {import('./nbt/values').Tag | null} [tag] its saved data @returns {Entity | null} */
  summon (type, at, tag = null) { return summon(this, type, at, tag) }

  /** @param {Pos} at @param {number} within @param {(p: Player) => boolean} [fits] @returns {Player | null} */
  nearestPlayer (at, within, fits = () => true) {
    let best = null
    let far = within * within
    for (const player of this.players.values()) {
      const d = (player.x - at.x) ** 2 + (player.y - at.y) ** 2 + (player.z - at.z) ** 2
      if (d <= far && fits(player)) {
        best = player
        far = d
      }
    }
    return best
  }

  // --- time ---

  /** Does something in a later tick. @param {number} ticks @param {() => void} what */
  later (ticks, what) {
    const due = this.age + Math.max(1, ticks)
    const list = this.agenda.get(due)
    if (list) list.push(what)
    else this.agenda.set(due, [what])
  }

  /** Whether the next tick lets no time pass. */
  get still () { return this.frozen && this.steps === 0 && this.sprint === 0 }

  /** One tick, 50 ms of game time. */
  tick () {
    if (this.still) {
      // They can look around and walk; no time passes for their bodies and hands.
      for (const player of [...this.players.values()]) {
        player.movement.tick()
        player.show()
      }
      return
    }
    if (this.steps > 0) this.steps--
    if (this.sprint > 0) this.sprint--
    this.age++
    this.sky.tick()
    const due = this.agenda.get(this.age)
    this.agenda.delete(this.age)
    for (const what of due ?? []) what()
    this.redstone.tick()
    this.updates.tick()
    this.growth.tick()
    this.precipitation.tick()
    this.spawning.tick()
    this.phantoms.tick()
    this.populating.tick()
    this.beds.tick()
    this.border.tick()
    for (const furnace of this.blockEntities.furnaces) this.smelting.tick(furnace)
    for (const stand of this.blockEntities.stands) tickStand(this, stand)
    for (const campfire of this.blockEntities.campfires) tickCampfire(this, campfire)
    this.hoppers.tick()
    this.sleep.tick()
    for (const entity of [...this.active]) {
      if (!entity.removed) entity.tick()
      if (entity.passengers.length > 0 && !entity.removed) entity.seatAll()
      if (/** @type {any} */ (entity).apart === true) this.sleep.consider(/** @type {any} */ (entity))
    }
    if (this.age % EVICT_EVERY === 0) this.evictColumns()
  }

  /**
   * Runs one vanilla command, without the slash.
   * @param {string} text
   * @param {Player | null} [source] the console when left out
   * @returns {import('./types').CommandReply}
   */
  command (text, source = null) { return this.commands.run(text, source) }
}

/** "JumpBoost" -> "jump_boost", with vanilla's names where minecraft-data's differ. @param {string} name */
function snake (name) {
  const plain = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
  return { dolphins_grace: 'dolphins_grace', badluck: 'unluck', bad_luck: 'unluck', bad_omen: 'bad_omen' }[plain] ?? plain
}

module.exports = { World }
