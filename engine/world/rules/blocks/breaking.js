'use strict'
/** Breaking of blocks: loot, contents, the other half, wear of the tool. */
const { otherHalf, CLOCKWISE, STEP } = require('./block_entities')
const { leftOf } = require('./melting')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../types').Item} Item */

/** Breaking of blocks in one world. */
class Breaking {
  /** @param {import('../../world').World} world */
  constructor (world) { this.world = world }

  /**
   * Let a player break a block. The caller has checked that the player may break it.
   * @param {import('../../player').Player} player
   * @param {Pos} pos
   * @param {Item | null} tool the tool that determines the loot
   * @param {number} slot hot bar slot of the tool
   */
  byPlayer (player, pos, tool, slot) {
    const { world } = this
    const state = world.stateAt(pos.x, pos.y, pos.z)
    const creative = player.gamemode === 'creative'
    const mate = this.mate(state, pos)
    this.remove(pos, { drop: !creative, tool, by: player })
    world.emit('worked', { player, places: mate ? [pos, mate.pos] : [pos] })
    if (creative) return
    const left = leftOf(world, pos, state, tool)
    if (left !== 0) world.setBlock(pos.x, pos.y, pos.z, left)
    world.stats.add(player, 'mined', state.name)
    player.exhaust(0.005)
    if (!tool || state.hardness === 0) return
    const wear = toolWear(tool.name)
    const index = 36 + slot
    if (wear === 0 || player.store.get(index) !== tool) return
    world.stats.add(player, 'used', tool.name)
    player.wearSlot(index, wear)
  }

  /**
   * Break a block for any reason.
   * @param {Pos} pos
   * @param {{ drop: boolean, tool?: Item | null, by?: import('../../player').Player | null }} how
   */
  remove (pos, { drop, tool = null, by = null }) {
    const { world } = this
    const state = world.stateAt(pos.x, pos.y, pos.z)
    const rest = state.props.waterlogged === 'true' ? world.data.stateId('water') : 0
    const mate = this.mate(state, pos)
    const contents = world.blockEntities.at(pos)
    if (drop && world.rules.doTileDrops) this.drop(state, pos, tool)
    if (drop && mate && world.rules.doTileDrops && mate.name === state.name && !/_bed$/.test(state.name)) {
      this.dropMate(state, mate, tool)
    }
    this.spill(contents, pos)
    world.setBlock(pos.x, pos.y, pos.z, rest)
    if (mate) world.setBlock(mate.pos.x, mate.pos.y, mate.pos.z, 0)
    this.parted(state, pos)
    world.emit('sound', { name: 'block.break', x: pos.x + 0.5, y: pos.y + 0.5, z: pos.z + 0.5, player: by ?? undefined,
      stateId: state.stateId })
  }

  /** @param {import('../../data').BlockState} state @param {Pos} pos @param {Item | null} tool */
  drop (state, pos, tool) {
    const { world } = this
    const random = world.random.stream('loot')
    for (const item of world.loot.blockDrops(state, tool, random)) world.popItem(item, pos)
    const points = world.loot.experience(state, tool, random)
    if (points > 0) world.popExperience(points, { x: pos.x + 0.5, y: pos.y + 0.5, z: pos.z + 0.5 })
  }

  /**
   * Drop the items that the other half of a door or a tall flower drops instead of this one.
   *
   * @param {import('../../data').BlockState} state
   * @param {{ pos: Pos, stateId: number }} mate
   * @param {Item | null} tool
   */
  dropMate (state, mate, tool) {
    if (state.props.half === 'upper') this.drop(this.world.data.state(mate.stateId), mate.pos, tool)
  }

  /**
   * Drop the contents of a container.
   *
   * @param {import('./block_entities').BlockEntity | null} contents
   * @param {Pos} pos
   */
  spill (contents, pos) {
    if (!contents) return
    for (const item of contents.store.empty()) this.world.popItem(item, pos)
  }

  /**
   * Return the other block of a two-block door, bed or plant.
   *
   * @param {import('../../data').BlockState} state
   * @param {Pos} pos
   * @returns {{ pos: Pos, stateId: number, name: string } | null}
   */
  mate (state, pos) {
    const { world } = this
    const { half, part, facing } = state.props
    /** @type {Pos | null} */
    let at = null
    if (half === 'upper') at = { x: pos.x, y: pos.y - 1, z: pos.z }
    else if (half === 'lower') at = { x: pos.x, y: pos.y + 1, z: pos.z }
    else if (part === 'foot' || part === 'head') {
      const [dx, dz] = STEP[part === 'foot' ? facing : CLOCKWISE[CLOCKWISE[facing]]]
      at = { x: pos.x + dx, y: pos.y, z: pos.z + dz }
    }
    if (!at) return null
    const other = world.stateAt(at.x, at.y, at.z)
    return other.name === state.name ? { pos: at, stateId: other.stateId, name: other.name } : null
  }

  /**
   * Turn the other half of a double chest into a single chest.
   *
   * @param {import('../../data').BlockState} state
   * @param {Pos} pos
   */
  parted (state, pos) {
    const other = otherHalf(state, pos)
    if (!other) return
    const there = this.world.stateAt(other.x, other.y, other.z)
    if (there.name === state.name) {
      this.world.setBlock(other.x, other.y, other.z, this.world.data.withProps(there.stateId, { type: 'single' }))
    }
  }
}

/** Return the durability that breaking a block costs a tool. @param {string} name of the tool */
function toolWear (name) {
  if (/_(pickaxe|axe|shovel|hoe)$/.test(name) || name === 'shears') return 1
  return /_sword$|^trident$/.test(name) ? 2 : 0
}

module.exports = { Breaking }
