'use strict'
/**
 * A whole world: land (`block_world.js`), bodies (`entity_world.js`), and here the rules and commands. Everything
 * happens inside a call of a verb or of `tick()`; there is no other time, and no randomness except the seeded streams.
 * Surface: types.d.ts; seam: docs/seams.md.
 */
const { plainText } = require('./stacks')
const { Player } = require('./player')
const { EntityWorld } = require('./entity_world')
const { ItemEntity, ExperienceOrb, Drop } = require('./entities/drops')
const { Populating } = require('./entities/populating')
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

/** Ticks between two evictions of far columns. */
const EVICTION_PERIOD_TICKS = 200
const NAME = /^[A-Za-z0-9_]{1,16}$/

/** @typedef {import('./types').Pos} Pos */
/** @typedef {import('./types').Item} Item */
/** @typedef {import('./entities/entity').Entity} Entity */

/** One world. */
class World extends EntityWorld {
  /** @param {import('./types').WorldOptions} [options] */
  constructor (options = {}) {
    super(options)
    // Settings that commands change.
    this.rules = defaultRules()
    this.pvp = true
    /** @type {import('./types').Gamemode} */
    this.defaultGamemode = 'survival'
    this.difficulty = 'normal'
    /** @type {false} */
    this.hardcore = false
    /** Vanilla effect name -> number on the wire. @type {Map<string, number>} */
    this.effectIds = new Map(this.registry.effectsArray.map((/** @type {any} */ e) => [effectName(e.name), e.id]))
    this.nbt = tags
    this.plainText = plainText
    // Scores.
    this.scoreboard = new Scoreboard((event) => this.emit('scoreboard', event))
    this.stats = new Statistics(this.scoreboard)
    this.teams = new Teams(this)
    // Items and windows.
    this.crafting = new Crafting(this.data, this.stacks)
    this.craftingGrids = new CraftingGrids(this)
    this.loot = new Loot(this.data, this.stacks)
    this.smelting = new Smelting(this)
    this.opener = new WindowOpener(this)
    // Blocks that players change.
    this.blockEntities = new BlockEntities(this)
    this.breaking = new Breaking(this)
    this.placing = new Placing(this)
    this.signs = new Signs(this)
    this.beds = new Beds(this)
    // Blocks that change by themselves.
    this.updates = new Updates(this)
    this.growth = new Growth(this)
    this.redstone = new Redstone(this)
    this.hoppers = new Hoppers(this)
    this.portals = new Portals(this)
    this.explosions = new Explosions(this)
    // Light and weather.
    this.light = new Light(this)
    this.sky = new Sky(this)
    this.precipitation = new Precipitation(this)
    // Players and mobs.
    this.deaths = new Deaths(this)
    this.saved = new SavedPlayers()
    this.combat = new Combat(this)
    this.spawning = new Spawning(this)
    this.populating = new Populating(this)
    this.phantoms = new Phantoms(this)
    this.border = new WorldBorder(this)

    this.commands = new Commands(this)
  }

  get timeOfDay () { return this.sky.timeOfDay }
  set timeOfDay (ticks) { this.sky.timeOfDay = ticks }
  get weather () { return this.sky.weather }
  set weather (weather) { this.sky.weather = weather }

  // --- blocks ---

  /**
   * Run the rules that react to a changed block.
   * @param {Pos} pos
   * @param {import('./data').BlockState} before
   * @param {import('./data').BlockState} after
   */
  blockChanged (pos, before, after) {
    this.blockEntities.changed(pos, before.name, after.name)
    this.light.changed(pos, before.stateId, after.stateId)
    this.growth.changed(pos, before, after)
    this.dropGrid.resumeAt(pos.x, pos.z)
    super.blockChanged(pos, before, after)
    this.updates.around(pos)
    this.redstone.changed(pos, before, after)
    this.portals.changed(pos, before, after)
    composterChanged(this, pos, before, after)
  }

  /** Forget far columns that are as generated. @returns {number} columns forgotten */
  evictColumns () {
    const evicted = this.terrain.evict([...this.players.values(), this.spawn])
    this.light.evict()
    return evicted
  }

  /**
   * Fill a container from its saved data.
   * @param {Pos} pos
   * @param {any} tag typed NBT compound with Items, CustomName
   */
  loadBlockEntity (pos, tag) {
    const entity = this.blockEntities.at(pos)
    if (entity) loadContainer(this, entity, tag)
  }

  /** @param {Item} item */
  itemNbt (item) { return itemNbt(item) }

  // --- bodies ---

  /**
   * Add a player: at the world's spawn, or as and where a player of the same name left.
   * @param {string} name
   * @param {{ uuid?: string, gamemode?: import('./types').Gamemode, op?: boolean }} [options]
   * @returns {Player}
   * @throws {Error} for an illegal or taken name
   */
  addPlayer (name, options = {}) {
    if (!NAME.test(name)) {
      throw new Error(`player name ${JSON.stringify(name)} is not legal: use 1 to 16 letters, digits and _`)
    }
    if (this.players.has(name)) {
      throw new Error(`player ${name} is in the world already: use another name, or call removePlayer first`)
    }
    const op = !this.commands.neverOps.has(name) && (options.op ?? this.commands.ops.has(name))
    const player = new Player(this, name, { ...options, op })
    this.saved.restore(player, options)
    announce(this, 'multiplayer.player.joined', player)
    this.players.set(name, player)
    this.terrain.setPlayerCount(this.players.size)
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
    this.terrain.setPlayerCount(this.players.size)
    announce(this, 'multiplayer.player.left', player)
    player.remove()
    this.emit('leave', { player })
  }

  /**
   * Add an entity, and emit `entityAdd`.
   * @template {Entity} T
   * @param {T} entity
   * @returns {T}
   */
  enter (entity) {
    this.register(entity)
    if (!(entity instanceof Drop)) {
      this.spawning.tally(entity, 1)
      this.populating.track(entity)
    }
    this.emit('entityAdd', { entity })
    return entity
  }

  /** Remove an entity; the caller emits `entityRemove`. @param {Entity} entity */
  leave (entity) {
    this.unregister(entity)
    this.spawning.tally(entity, -1)
    this.populating.untrack(entity)
  }

  /** @param {Item} item @param {Pos} at @returns {ItemEntity} */
  spawnItem (item, at) { return this.enter(new ItemEntity(this, item, at)) }

  /** Let a stack jump out of a block, as loot does. @param {Item} item @param {Pos} pos */
  popItem (item, pos) {
    const random = this.random.stream('drops')
    const spot = () => 0.5 + random.between(-0.25, 0.25)
    // Places and speeds are drawn before the event, so that fronts see them.
    const entity = new ItemEntity(this, item, { x: pos.x + spot(), y: pos.y + spot() - 0.125, z: pos.z + spot() })
    entity.vx = random.between(-0.1, 0.1)
    entity.vy = 0.2
    entity.vz = random.between(-0.1, 0.1)
    return this.enter(entity)
  }

  /** @param {number} points @param {Pos} at */
  popExperience (points, at) { return this.enter(new ExperienceOrb(this, points, at)) }

  /**
   * Create an entity.
   * @param {string} type entity name without namespace
   * @param {Pos} at
   * @param {import('./nbt/values').Tag | null} [tag] its saved data
   * @returns {Entity | null} null for a type that this engine does not have
   */
  summon (type, at, tag = null) { return summon(this, type, at, tag) }

  // --- time ---

  /** Run one tick, 50 ms of game time. */
  tick () {
    if (this.still) return this.tickFrozen()
    this.advanceClock()
    this.sky.tick()
    this.runAgenda()
    this.tickRules()
    this.tickBlockEntities()
    this.scheduler.tick()
    this.tickEntities()
    if (this.age % EVICTION_PERIOD_TICKS === 0) this.evictColumns()
  }

  /** Let players of a frozen world walk and look around; no time passes for their bodies and hands. */
  tickFrozen () {
    for (const player of [...this.players.values()]) {
      player.movement.tick()
      player.show()
    }
  }

  tickRules () {
    this.redstone.tick()
    this.updates.tick()
    this.growth.tick()
    this.precipitation.tick()
    this.spawning.tick()
    this.phantoms.tick()
    this.populating.tick()
    this.beds.tick()
    this.border.tick()
  }

  tickBlockEntities () {
    for (const furnace of this.blockEntities.furnaces) this.smelting.tick(furnace)
    for (const stand of this.blockEntities.stands) tickStand(this, stand)
    for (const campfire of this.blockEntities.campfires) tickCampfire(this, campfire)
    this.hoppers.tick()
  }

  tickEntities () {
    for (const entity of [...this.active]) {
      if (!entity.removed) entity.tick()
      if (entity.passengers.length > 0 && !entity.removed) entity.seatAll()
      if (/** @type {any} */ (entity).unattended === true) this.scheduler.suspendIfIdle(/** @type {any} */ (entity))
    }
  }

  /**
   * Run one vanilla command, without the slash.
   * @param {string} text
   * @param {Player | null} [source] null for the console
   */
  command (text, source = null) { return this.commands.run(text, source) }
}

/** Return vanilla's name of an effect, such as "jump_boost" for "JumpBoost". @param {string} name minecraft-data's */
function effectName (name) {
  const snake = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
  return { badluck: 'unluck', bad_luck: 'unluck' }[snake] ?? snake
}

module.exports = { World }
