'use strict'
/**
 * Lightning (minecraft.wiki, "Lightning"): for a few ticks it burns and hurts bodies, sets fire, powers rods, and
 * transforms some mobs.
 */
const { Entity } = require('./entity')
const { overlap } = require('../geometry')
const { nameTable } = require('../../name_table')

/** @typedef {import('../types').Pos} Pos */

/** Ticks of a strike; damage in half hearts; ticks of burning. */
const LIFE = 3
const DAMAGE = 5
const BURNING = 160
/** Reach of a strike around its place, in blocks. */
const REACH = Object.freeze({ side: 3, down: 3, up: 9 })
const MORE_FIRES = 4
/** Mobs that lightning transforms. @type {Record<string, string>} */
const TURNED = nameTable({ pig: 'zombified_piglin', villager: 'witch' })

/** A lightning bolt. */
class LightningBolt extends Entity {
  /** @param {import('../world').World} world @param {Pos} at */
  constructor (world, at) {
    super(world, 'lightning_bolt', at)
    this.life = LIFE
  }

  get cell () { return { x: Math.floor(this.x), y: Math.floor(this.y), z: Math.floor(this.z) } }

  tick () {
    super.tick()
    if (this.life === LIFE) this.land()
    this.strikeBodies()
    if (--this.life <= 0) this.remove()
  }

  /** Strike: thunder, a rod's power, fire on normal and hard. */
  land () {
    const { world, cell } = this
    world.emit('sound', { name: 'entity.lightning_bolt.thunder', x: this.x, y: this.y, z: this.z, volume: 10000 })
    world.emit('sound', { name: 'entity.lightning_bolt.impact', x: this.x, y: this.y, z: this.z, volume: 2 })
    const below = { ...cell, y: cell.y - 1 }
    const state = world.stateAt(below.x, below.y, below.z)
    if (state.name === 'lightning_rod') return world.redstone.sensors.conduct(below, state)
    if (!/^(normal|hard)$/.test(world.difficulty) || !world.rules.doFireTick) return
    this.kindle(cell)
    const random = world.random.stream('lightning')
    for (let i = 0; i < MORE_FIRES; i++) {
      this.kindle({ x: cell.x + random.int(-1, 1), y: cell.y + random.int(-1, 1), z: cell.z + random.int(-1, 1) })
    }
  }

  /** @param {Pos} pos */
  kindle ({ x, y, z }) {
    const { world } = this
    if (!world.stateAt(x, y, z).air || !world.stateAt(x, y - 1, z).fullCube) return
    world.setBlock(x, y, z, world.data.stateId('fire'))
    // Fire neither spreads nor burns blocks in this engine; it goes out by itself.
    world.later(100, () => {
      if (world.stateAt(x, y, z).name === 'fire' && world.stateAt(x, y - 1, z).name !== 'netherrack') {
        world.setBlock(x, y, z, 0)
      }
    })
  }

  strikeBodies () {
    const { world } = this
    const box = [this.x - REACH.side, this.y - REACH.down, this.z - REACH.side, this.x + REACH.side, this.y + REACH.up,
      this.z + REACH.side]
    for (const body of world.bodiesNear(this, REACH.side + 2)) {
      if (body.removed || !overlap(box, body.box) || this.turns(body)) continue
      body.hurt(DAMAGE, { type: 'lightningBolt', direct: this })
      if (!body.dead) body.burn(BURNING, 0, 'onFire')
    }
  }

  /**
   * Transform a pig into a zombified piglin, a villager into a witch.
   * @param {import('./living').LivingEntity} body
   * @returns {boolean}
   */
  turns (body) {
    const { world } = this
    const type = TURNED[body.type]
    if (!type || world.difficulty === 'peaceful') return false
    const made = world.summon(type, { x: body.x, y: body.y, z: body.z })
    if (!made) return false
    made.customName = body.customName
    made.yaw = made.headYaw = body.yaw
    body.remove()
    return true
  }
}

module.exports = { LightningBolt }
