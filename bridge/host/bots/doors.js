'use strict'
/**
 * Paths through doors, fence gates and trapdoors. mineflayer-pathfinder judges a block by its kind: an open door is as
 * closed to it as a closed one. Here each state is judged by its own shape, by the rules of `engine/body/moves.js`.
 */
const { Movements } = require('mineflayer-pathfinder')
const { Vec3 } = require('vec3')
const { PANEL, enteredSide, panelSide } = require('../../../engine/body/blocks')
const { BY_HAND, OPENING } = require('../../../engine/body/building/facts')

/** @typedef {import('./live_bot').LiveBot} LiveBot */

/** Longest wait for the server to show a door as open, in ms. */
const OPENED_MS = 1000

/**
 * Type numbers of the blocks that open, by game version.
 * @type {WeakMap<object, { opening: Set<number>, byHand: Set<number> }>}
 */
const kinds = new WeakMap()

/** @param {import('prismarine-registry').Registry} registry */
function kindsOf (registry) {
  const known = kinds.get(registry)
  if (known !== undefined) return known
  const ids = (/** @type {RegExp} */ pattern) => new Set(registry.blocksArray.filter((/** @type {any} */ block) =>
    pattern.test(block.name)).map((/** @type {any} */ block) => block.id))
  const found = { opening: ids(OPENING), byHand: ids(BY_HAND) }
  kinds.set(registry, found)
  return found
}

/** Moves that lead through doors and gates: through open ones always, through closed ones if `canOpenDoors` is set. */
class DoorMovements extends Movements {
  /** @param {LiveBot} bot */
  constructor (bot) {
    super(/** @type {any} */ (bot))
    Object.assign(this, kindsOf(bot.registry))
    /** Sides along which a panel blocks the moves that are being generated. */
    this.shut = PANEL
    /** Sides of the body's own cells along which a panel stands. */
    this.own = 0
    /** Heights, relative to the body's cell, of the door halves ahead that the current move opens. @type {number[]} */
    this.through = []
  }

  /** @param {import('vec3').Vec3} pos @param {number} dx @param {number} dy @param {number} dz */
  getBlock (pos, dx, dy, dz) {
    /** @type {any} */
    const block = super.getBlock(pos, dx, dy, dz)
    if (!(/** @type {any} */ (this).opening).has(block.type)) return block
    const avoided = this.blocksToAvoid.has(block.type)
    const open = block.shapes.length === 0
    block.panel = avoided ? 0 : panelSide(block.shapes)
    block.physical = !open && panelSide(block.shapes) === 0 && block.shapes[0][4] <= 1
    const passed = !avoided && (open || (block.panel !== 0 && (block.panel & this.shut) === 0))
    block.openable = (/** @type {any} */ (this).byHand).has(block.type) && !open && !passed
    block.safe = passed || (block.openable && this.through.includes(dy))
    return block
  }

  /** @param {any} node */
  getNeighbors (node) {
    this.own = (/** @type {any} */ (this.getBlock(node, 0, 0, 0)).panel ??
      0) | (/** @type {any} */ (this.getBlock(node, 0, 1, 0)).panel ?? 0)
    this.shut = 0
    // mineflayer-pathfinder's last moves, straight down and up, go by no side; each of the others sets its own.
    return super.getNeighbors(node)
  }

  /**
   * Add a move to one side; the door of the body's own cell is opened first if it blocks it.
   * @param {any} node
   * @param {{ x: number, y: number, z: number }} dir
   * @param {unknown[]} neighbors
   * @param {() => void} make - adds the moves
   */
  aside (node, dir, neighbors, make) {
    const leaving = (this.own & enteredSide(-dir.x, -dir.z)) !== 0
    this.shut = PANEL
    if (leaving && !(this.canOpenDoors && /** @type {any} */ (this.getBlock(node, 0, 0, 0)).openable)) return
    this.shut = enteredSide(dir.x, dir.z)
    const before = neighbors.length
    make()
    this.through = []
    if (leaving) for (const move of neighbors.slice(before)) openFirst(move, node.x, node.y, node.z)
  }

  /**
   * @param {any} node
   * @param {any} dir
   * @param {number} dy
   * @returns {boolean} a door ahead is in the way, and is opened by hand
   */
  opens (node, dir, dy) {
    return this.canOpenDoors && /** @type {any} */ (this.getBlock(node, dir.x, dy, dir.z)).openable
  }

  /** @param {any} node @param {any} dir @param {any[]} neighbors */
  getMoveForward (node, dir, neighbors) {
    this.aside(node, dir, neighbors, () => {
      if (this.opens(node, dir, 0)) this.through = [1]
      super.getMoveForward(node, dir, neighbors)
    })
  }

  /** @param {any} node @param {any} dir @param {any[]} neighbors */
  getMoveJumpUp (node, dir, neighbors) {
    this.aside(node, dir, neighbors, () => {
      const opened = this.opens(node, dir, 1)
      if (opened) this.through = [1, 2]
      const before = neighbors.length
      super.getMoveJumpUp(node, dir, neighbors)
      if (opened) {
        for (const move of neighbors.slice(before)) openFirst(move, node.x + dir.x, node.y + 1, node.z + dir.z)
      }
    })
  }

  /** @param {any} node @param {any} dir @param {any[]} neighbors */
  getMoveDropDown (node, dir, neighbors) {
    this.aside(node, dir, neighbors, () => super.getMoveDropDown(node, dir, neighbors))
  }

  /** @param {any} node @param {any} dir @param {any[]} neighbors */
  getMoveParkourForward (node, dir, neighbors) {
    if (this.own !== 0) return
    this.shut = PANEL
    super.getMoveParkourForward(node, dir, neighbors)
  }

  /** @param {any} node @param {any} dir @param {any[]} neighbors */
  getMoveDiagonal (node, dir, neighbors) {
    if (this.own !== 0) return
    this.shut = PANEL
    super.getMoveDiagonal(node, dir, neighbors)
  }

  /** @param {any} node @param {any[]} neighbors */
  getMoveDown (node, neighbors) {
    this.shut = 0
    super.getMoveDown(node, neighbors)
  }

  /** @param {any} node @param {any[]} neighbors */
  getMoveUp (node, neighbors) {
    this.shut = 0
    super.getMoveUp(node, neighbors)
  }
}

/**
 * @param {any} move
 * @param {number} x
 * @param {number} y
 * @param {number} z - of a door or gate that is opened before anything else
 */
function openFirst (move, x, y, z) {
  move.toPlace.unshift({ x, y, z, dx: 0, dy: 0, dz: 0, useOne: true })
  move.remainingBlocks--
}

/**
 * Make bots walk through the middle of doorways. mineflayer-pathfinder walks to the top of a cell's highest box, which
 * is the edge of the door.
 * @param {LiveBot} bot - mineflayer's, with its pathfinder
 */
function mendDoorways (bot) {
  const { opening } = kindsOf(bot.registry)
  bot.on('path_update', (/** @type {any} */ { path }) => {
    for (const point of path) {
      const cell = new Vec3(0, 0, 0).set(.../** @type {[number, number, number]} */ (point.hash.split(',').map(Number)))
      const block = bot.blockAt(cell, false)
      if (block !== null && opening.has(block.type) && panelSide(block.shapes) !== 0) {
        point.set(cell.x + 0.5, cell.y, cell.z + 0.5)
      }
    }
  })
}

/**
 * End the opening of a door when the server shows it open. Otherwise the path continues as if there were no door, or is
 * searched anew and closes the door again.
 * @param {LiveBot} bot - mineflayer's, with its pathfinder
 */
function mendOpening (bot) {
  const { activateBlock } = bot
  const { byHand } = kindsOf(bot.registry)
  bot.activateBlock = async (/** @type {import('prismarine-block').Block} */ block, /** @type {any[]} */ ...rest) => {
    if (!bot.pathfinder.isBuilding() || !byHand.has(block.type)) return activateBlock(block, ...rest)
    const changed = new Promise((resolve) => {
      const event = `blockUpdate:${block.position}`
      const timer = setTimeout(end, OPENED_MS)
      bot.once(event, end)
      function end () {
        clearTimeout(timer)
        bot.removeListener(event, end)
        resolve(undefined)
      }
    })
    await activateBlock(block, ...rest)
    await changed
  }
}

module.exports = { DoorMovements, mendDoorways, mendOpening }
