'use strict'
/**
 * Game data of one version, loaded once per process and shared by all worlds: registry, chunk and item classes, one
 * frozen record per block state, and the game's texts.
 */
const { deferPackage } = require('./deferred_package')
// The packages below require it for data that they read from the network; compiling its parsers would take a quarter of
// the time to load the engine.
deferPackage('prismarine-nbt')
const loadRegistry = require('prismarine-registry')
/**
 * Chunks of 1.18 and newer, of which 1.20.4 is one; the package's index would load those of all versions and Bedrock's.
 *
 * @type {any}
 */
const loadChunk = require('prismarine-chunk/src/pc/1.18/chunk')
/** @type {any} */
const loadItem = require('prismarine-item')
const { nameTable } = require('../name_table')

/**
 * @typedef {import('minecraft-data').Block} BlockInfo record of minecraft-data
 * @typedef {NonNullable<BlockInfo['states']>[number]} BlockProperty
 */
/**
 * @typedef {object} BlockState
 * @property {number} stateId
 * @property {number} id block id
 * @property {string} name without namespace
 * @property {Readonly<Record<string, string>>} props block state properties as their texts
 * @property {number} hardness -1 for unbreakable
 * @property {string | undefined} material key of the registry's tool speeds
 * @property {Record<string, boolean> | undefined} harvestTools item ids that make it drop; undefined: any
 * @property {number[]} drops default drops (item ids)
 * @property {number[][]} shapes collision boxes [x0, y0, z0, x1, y1, z1] within the block
 * @property {number[][] | null} platforms boxes that only bodies above them touch, for blocks that are passed from
 *   below and aside
 * @property {boolean} air
 * @property {boolean} liquid water, lava or bubbles
 * @property {boolean} replaceable whether a placed block takes its place
 * @property {boolean} fullCube whether its collision shape fills the block
 * @property {BlockInfo} info
 */

const REPLACEABLE = new Set(['air', 'cave_air', 'void_air', 'water', 'lava', 'short_grass', 'tall_grass', 'fern',
  'large_fern', 'dead_bush',
  'seagrass', 'tall_seagrass', 'fire', 'soul_fire', 'vine', 'glow_lichen', 'snow', 'bubble_column', 'light',
  'structure_void',
  'hanging_roots', 'warped_roots', 'crimson_roots', 'nether_sprouts'])
const LIQUID = new Set(['water', 'lava', 'bubble_column'])

/**
 * Return the class of items whose durability is set without prismarine-nbt, which the first tool would load.
 * @param {any} Item prismarine-item's class
 */
function wornItem (Item) {
  return class extends Item {
    get durabilityUsed () { return super.durabilityUsed }

    set durabilityUsed (value) {
      this.nbt ??= { type: 'compound', name: '', value: {} }
      this.nbt.value.Damage = { type: 'int', value }
    }
  }
}

/** Game data of one version. */
class GameData {
  /** @param {string} version e.g. "1.20.4" */
  constructor (version) {
    this.version = version
    this.registry = loadRegistry(version)
    /** @type {any} */
    this.Column = loadChunk(this.registry)
    /** @type {any} */
    this.Item = wornItem(loadItem(this.registry))
    // All entries are allocated at once: a sparse array is many times as slow.
    /** @type {(BlockState | null)[]} */
    this.states = new Array(1 +
      Math.max(...this.registry.blocksArray.map((block) => block.maxStateId ?? 0))).fill(null)
    /** @type {Map<string, number>} */
    this.placeable = new Map()
    for (const item of this.registry.itemsArray) {
      const block = this.registry.blocksByName[PLACED_BY[item.name] ?? item.name]
      if (block) this.placeable.set(item.name, block.defaultState)
    }
  }

  /**
   * Return the record of a block state, made at the first use and frozen.
   * @param {number} stateId unknown ids give air
   * @returns {BlockState}
   */
  state (stateId) {
    return this.states[stateId] ?? this.makeState(stateId)
  }

  /** @param {number} stateId @returns {BlockState} */
  makeState (stateId) {
    const info = this.registry.blocksByStateId[stateId]
    if (!info) return this.state(0)
    const air = info.name === 'air' || info.name === 'cave_air' || info.name === 'void_air'
    const props = Object.freeze(propertiesOf(info, stateId))
    const platforms = platformsOf(info.name, props)
    const shapes = platforms ? [] : this.shapesOf(info, stateId - info.minStateId)
    return (this.states[stateId] = Object.freeze({
      stateId, id: info.id, name: info.name, props, hardness: info.hardness ?? -1, material: info.material,
      harvestTools: info.harvestTools,
      drops: /** @type {number[]} */ (info.drops), shapes, platforms, air, liquid: LIQUID.has(info.name),
      replaceable: REPLACEABLE.has(info.name) && (info.name !== 'snow' || props.layers === '1'),
      fullCube: shapes.length === 1 && shapes[0].every((v, i) => v === (i < 3 ? 0 : 1)), info
    }))
  }

  /** @param {BlockInfo} info @param {number} index state within the block @returns {number[][]} */
  shapesOf (info, index) {
    const { blocks, shapes } = this.registry.blockCollisionShapes
    const id = blocks[info.name]
    return shapes[Array.isArray(id) ? id[index] ?? id[0] : id] ?? []
  }

  /**
   * Return the state id of a block with some properties, the others at their defaults.
   * @param {string} name without namespace
   * @param {Record<string, string | number | boolean>} [props]
   * @returns {number}
   * @throws {Error} for an unknown block or property value
   */
  stateId (name, props = {}) {
    const info = this.registry.blocksByName[name]
    if (!info) throw new Error(`unknown block ${JSON.stringify(name)}: use a block name of Minecraft ${this.version}`)
    return this.withProps(info.defaultState, props)
  }

  /**
   * Return the state id of the same block with some properties changed.
   * @param {number} stateId
   * @param {Record<string, string | number | boolean>} props
   * @returns {number}
   */
  withProps (stateId, props) {
    const info = this.registry.blocksByStateId[stateId]
    let result = stateId
    for (const [name, value] of Object.entries(props)) {
      const found = propertyOf(info, name)
      const index = found ? valuesOf(found.state).indexOf(String(value)) : -1
      if (!found || index < 0) throw new Error(`block ${info.name} has no state ${name}=${value}`)
      const old = Math.floor((result - info.minStateId) / found.stride) % found.state.num_values
      result += (index - old) * found.stride
    }
    return result
  }

  /**
   * Return one of the game's texts with its arguments filled in.
   * @param {string} key e.g. "commands.setblock.success"
   * @param {...(string | number)} args
   * @returns {string} the key itself where the version has no such text
   */
  text (key, ...args) {
    let next = 0
    const template = this.registry.language[key] ?? key
    return template.replace(/%(?:(\d+)\$)?(s|d|%)/g,
      (/** @type {string} */ _all, /** @type {string} */ at, /** @type {string} */ kind) =>
      kind === '%' ? '%' : String(args[at ? Number(at) - 1 : next++] ?? ''))
  }
}

/** Blocks placed by items of another name. @type {Record<string, string>} */
const PLACED_BY = nameTable({ redstone: 'redstone_wire', string: 'tripwire',
  wheat_seeds: 'wheat', carrot: 'carrots', potato: 'potatoes', beetroot_seeds: 'beetroots', melon_seeds: 'melon_stem',
  pumpkin_seeds: 'pumpkin_stem', sweet_berries: 'sweet_berry_bush', glow_berries: 'cave_vines', cocoa_beans: 'cocoa',
  torchflower_seeds: 'torchflower_crop', pitcher_pod: 'pitcher_crop' })

/**
 * Return the texts of a property's values, in the order of the state ids.
 * @param {BlockProperty} state
 * @returns {string[]}
 */
function valuesOf (state) {
  if (state.values) return /** @type {string[]} */ (state.values)
  if (state.type === 'bool') return ['true', 'false']
  return Array.from({ length: state.num_values }, (_, i) => String(i))
}

/** @param {BlockInfo} info @param {string} name */
function propertyOf (info, name) {
  let stride = 1
  const states = info.states ?? []
  for (let i = states.length - 1; i >= 0; i--) {
    if (states[i].name === name) return { state: states[i], stride }
    stride *= states[i].num_values
  }
  return null
}

/** @param {BlockInfo} info @param {number} stateId @returns {Record<string, string>} */
function propertiesOf (info, stateId) {
  /** @type {Record<string, string>} */
  const props = {}
  let rest = stateId - (info.minStateId ?? 0)
  const states = info.states ?? []
  for (let i = states.length - 1; i >= 0; i--) {
    const state = states[i]
    props[state.name] = valuesOf(state)[rest % state.num_values]
    rest = Math.floor(rest / state.num_values)
  }
  return props
}

/** Collision boxes of scaffolding: the board, and the floor of a piece with nothing below. */
const BOARD = Object.freeze([0, 0.875, 0, 1, 1, 1])
const FLOOR = Object.freeze([0, 0, 0, 1, 0.125, 1])

/** @param {string} name @param {Readonly<Record<string, string>>} props @returns {number[][] | null} */
function platformsOf (name, { distance, bottom }) {
  if (name !== 'scaffolding') return null
  return /** @type {any} */ (bottom === 'true' && distance !== '0' ? [BOARD, FLOOR] : [BOARD])
}

/** Version of the game that the engine's rules follow. */
const VERSION = '1.20.4'

/** @type {Map<string, GameData>} */
const loaded = new Map()

/**
 * Return the data of a version; the same object for every caller.
 * @param {string} [version]
 * @returns {GameData}
 */
function gameData (version = VERSION) {
  let data = loaded.get(version)
  if (!data) loaded.set(version, data = new GameData(version))
  return data
}

module.exports = { GameData, VERSION, gameData, propertiesOf, valuesOf, propertyOf }
