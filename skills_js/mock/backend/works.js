'use strict'
/**
 * Works of a walker in the mock world besides walking: breaking obstacles with the fastest tool of its inventory,
 * placing blocks, opening gates.
 *
 * @module skills_js/mock/backend/works
 */
const { Facts } = require('../../../engine/body/building/facts')
const { Moves } = require('../../../engine/body/building/moves')
const { SPAN, numberOf } = require('../../../engine/body/building/cell_map')
const { findBuildingPath } = require('../../../engine/body/building/search')
const { breakBlock, click, place } = require('./hands')
const { equip } = require('./items')
const { OWN_END, OWN_START } = require('./snapshots')
const { effectsOf } = require('./reads')

/**
 * Cells that a search visits for the cheapest path, and after them for any path: a bot that digs can go everywhere, so
 * the search never exhausts the world.
 */
const CAREFUL_CELLS = 5_000
const HURRIED_CELLS = 3_000
/** Largest additional cost of a path over the straight one; a block of stone costs as much as many steps. */
const DETOUR = 512
/** Blocks that a click uses unless the player sneaks, by mineflayer-pathfinder's list. @type {Set<string>} */
const USED = new Set(require('mineflayer-pathfinder/lib/interactable.json'))
/** Entities that do not block a path, by mineflayer-pathfinder's list. */
const PASSED = new Set(['falling_block', 'tnt', 'item', 'area_effect_cloud', 'item_frame', 'leash_knot', 'painting',
  'arrow', 'dragon_fireball',
  'fireball', 'llama_spit', 'shulker_bullet', 'small_fireball', 'snowball', 'spectral_arrow', 'egg', 'ender_pearl',
  'potion', 'wither_skull',
  'end_crystal', 'experience_orb', 'eye_of_ender', 'firework_rocket', 'lightning_bolt', 'experience_bottle', 'trident',
  'fishing_bobber', 'evoker_fangs'])

/**
 * @typedef {import('../client').Client} Client
 * @typedef {import('../../bot_facade/movement_rules').MovementRules} Rules
 * @typedef {{item: any, slot: number}} Held
 */

/** @type {WeakMap<object, Map<string, Facts>>} by the game version's registry and what is asked for */
const known = new WeakMap()

/** @param {import('prismarine-registry').Registry} registry @param {Rules} rules @returns {Facts} */
function factsOf (registry, { avoided, fixed, climbable }) {
  const sorts = { avoided, fixed, climbable }
  const key = JSON.stringify(sorts)
  const all = known.get(registry) ?? new Map()
  known.set(registry, all)
  const facts = all.get(key) ?? new Facts(registry, sorts)
  // A program can ask for any number of ways to walk.
  if (all.size > 16) all.clear()
  all.set(key, facts)
  return facts
}

/** @param {Client} client @returns {Held[]} all that the player can take into its hand, as mineflayer lists it */
function held (client) {
  const found = []
  for (let slot = OWN_START; slot < OWN_END; slot++) {
    const item = client.player.slots[slot]
    if (item) found.push({ item, slot })
  }
  return found
}

/** @param {Client} client @param {any} block prismarine-block @param {any} item @returns {number} ms on firm ground */
function digMs (client, block, item) {
  return block.digTime(item?.type ?? null, false, false, false, item?.enchants ?? [], effectsOf(client))
}

/**
 * @param {Client} client
 * @param {any} block
 * @returns {Held | null} the first of those that are fastest; null for an empty inventory
 */
function fastest (client, block) {
  let best = null
  let least = Infinity
  for (const each of held(client)) {
    const ms = digMs(client, block, each.item)
    if (ms < least) { best = each; least = ms }
  }
  return best
}

/** @param {Client} client @param {Rules} rules @returns {Held | null} */
function toBuildWith (client, { scaffolding }) {
  const all = held(client)
  for (const type of scaffolding) {
    const found = all.find(({ item }) => item.type === type)
    if (found !== undefined) return found
  }
  return null
}

/** Half the width of the widest body, in blocks. */
const HALF_WIDEST = 8

/**
 * @param {Client} client @param {{x: number, z: number}} start @param {number} reach
 * @returns {Map<number, number>} how many others' bodies are in a cell, by its number, in all cells that far from there
 *   along both axes and some beyond
 */
function crowdAround (client, start, reach) {
  const { world } = client.simulation
  /** @type {Map<number, number>} */
  const crowd = new Map()
  for (const entity of /** @type {Iterable<any>} */ (world.entitiesNear(start, Math.min(reach + HALF_WIDEST, SPAN)))) {
    if (entity === client.player || entity.removed || entity.gamemode === 'spectator' || PASSED.has(entity.type)) {
      continue
    }
    const { width: given = 0.6, height = 1.8 } = world.registry.entitiesByName[entity.type] ?? {}
    const width = given ?? 0
    for (let y = Math.floor(entity.y); y < Math.ceil(entity.y + height); y++) {
      for (let x = Math.floor(entity.x - width / 2); x < Math.ceil(entity.x + width / 2); x++) {
        for (let z = Math.floor(entity.z - width / 2); z < Math.ceil(entity.z + width / 2); z++) {
          const key = numberOf(x, y, z)
          crowd.set(key, (crowd.get(key) ?? 0) + 1)
        }
      }
    }
  }
  return crowd
}

/** Hands of a player at work on its path: one piece of work after the other. */
class Hands {
  #client
  #rules
  /** @type {import('../tasks').Task | null} */
  #task = null
  #failed = false

  /** @param {Client} client @param {Rules} rules */
  constructor (client, rules) {
    this.#client = client
    this.#rules = rules
  }

  get busy () { return this.#task !== null && !this.#task.over }

  failed () {
    const failed = this.#failed
    this.#failed = false
    return failed
  }

  canBuild () { return toBuildWith(this.#client, this.#rules) !== null }

  /** Return true if a stack of that kind is in the hand; any stack will do. */
  ready () {
    const { player } = this.#client
    const next = toBuildWith(this.#client, this.#rules)
    return next !== null && player.heldItem?.type === next.item.type
  }

  take () {
    const next = toBuildWith(this.#client, this.#rules)
    if (next !== null) this.#start(equip(this.#client, next.slot, 'hand'))
  }

  /** @param {import('../../../engine/body/building/moves').Cell} at */
  dig (at) { this.#start(this.#breaking(at)) }

  /** @param {import('../../../engine/body/building/moves').Put} put */
  put ({ x, y, z, dx, dy, dz }) {
    const { space, world } = this.#client.simulation
    if (USED.has(world.registry.blocksByStateId[space.stateAt(x, y, z)]?.name)) this.sneak(true)
    this.#start(place(this.#client, { x, y, z }, [dx, dy, dz], true))
  }

  /** @param {import('../../../engine/body/building/moves').Cell} at */
  open (at) { this.#start(click(this.#client, at)) }

  /** @param {boolean} on */
  sneak (on) {
    const { body, player } = this.#client
    if (body.sneak === on) return
    body.sneak = on
    player.setSneaking(on)
  }

  stop () {
    this.#task?.stop()
    this.#task = null
  }

  /** @param {import('../../../engine/body/building/moves').Cell} at */
  * #breaking (at) {
    const { space } = this.#client.simulation
    const block = space.table.Block.fromStateId(space.stateAt(at.x, at.y, at.z), 0)
    if (block.type === 0) return
    const tool = fastest(this.#client, block)
    if (tool !== null) yield * equip(this.#client, tool.slot, 'hand')
    yield * breakBlock(this.#client, at)
  }

  /** @param {import('../tasks').Steps} steps */
  #start (steps) {
    this.#task = this.#client.tasks.start(steps, (error) => { this.#failed = error !== null })
  }
}

/**
 * @param {Client} client
 * @param {Rules} rules
 * @returns {import('../../../engine/body/building/walk').Works}
 */
function worksOf (client, rules) {
  const { space, world } = client.simulation
  const facts = factsOf(world.registry, rules)
  /** @type {Moves | null} */
  let last = null
  return {
    hands: new Hands(client, rules),
    altered: (x, y, z) => last?.altered(x, y, z) === true,
    gone: (x, y, z) => last?.gone(x, y, z) === true,
    find: (start, goal) => {
      const left = held(client)
        .filter(({ item }) => rules.scaffolding.includes(item.type))
        .reduce((sum, { item }) => sum + item.count, 0)
      const stateMs = (/** @type {number} */ state) => {
        const block = space.table.Block.fromStateId(state, 0)
        return digMs(client, block, fastest(client, block)?.item)
      }
      last = new Moves(
        space,
        facts,
        rules,
        { digMs: stateMs, start, crowd: (reach) => crowdAround(client, start, reach), lowest: world.minY }
      )
      return findBuildingPath(
        last, { ...start, left }, goal, { maxCells: CAREFUL_CELLS, detour: DETOUR, hurried: HURRIED_CELLS }
      )
    }
  }
}

module.exports = { worksOf }
