'use strict'
/** Falling blocks (sand, gravel) and lit TNT (wiki: "Falling Block", "TNT"). */
const { Entity } = require('./entity')
const { number } = require('../nbt/values')
const { stateFromNbt } = require('../nbt/blocks')

const GRAVITY = 0.04
const DRAG = 0.98
/** Ticks after which a falling block gives up: outside the world, and anywhere. */
const LOST_TICKS = 100
const LIFETIME = 600
const FUSE = 80
const TNT_POWER = 4

/** A falling block. */
class FallingBlock extends Entity {
  /**
   * @param {import('../world').World} world
   * @param {{ x: number, y: number, z: number }} at the middle of the block's floor
   * @param {number} stateId
   */
  constructor (world, at, stateId) {
    super(world, 'falling_block', at)
    this.stateId = stateId
  }

  tick () {
    super.tick()
    const { world } = this
    this.vy -= GRAVITY
    this.slide()
    if (this.onGround) return this.land()
    if ((this.age > LOST_TICKS && (this.y <= world.minY || this.y > world.minY + world.height)) ||
      this.age > LIFETIME) {
      return this.giveUp()
    }
    this.vy *= DRAG
    world.emit('entityMove', { entity: this })
  }

  /** @param {Record<string, import('../nbt/values').Tag>} value */
  loadNbt ({ BlockState }) {
    if (BlockState) this.stateId = stateFromNbt(this.world.data, BlockState) ?? this.stateId
  }

  /** Become a block again if there is room, else drop as an item. */
  land () {
    const { world } = this
    const pos = { x: Math.floor(this.x), y: Math.floor(this.y + 0.001), z: Math.floor(this.z) }
    const there = world.stateAt(pos.x, pos.y, pos.z)
    const below = world.stateAt(pos.x, pos.y - 1, pos.z)
    const open = below.air || below.liquid || (below.replaceable && below.shapes.length === 0)
    if (!there.replaceable || there.shapes.length > 0 || open || !world.terrain.inside(pos.x, pos.y, pos.z)) {
      return this.giveUp()
    }
    this.remove()
    if (!there.air && !there.liquid) world.breaking.remove(pos, { drop: true })
    world.setBlock(pos.x, pos.y, pos.z, world.updates.settled(this.stateId, pos))
  }

  giveUp () {
    this.remove()
    const { name } = this.world.data.state(this.stateId)
    if (this.world.rules.doEntityDrops && this.y > this.world.minY - 64) {
      this.world.popItem(this.world.stacks.make(name),
        { x: Math.floor(this.x), y: Math.floor(this.y), z: Math.floor(this.z) })
    }
  }
}

/** Lit TNT. */
class PrimedTnt extends Entity {
  /**
   * @param {import('../world').World} world
   * @param {{ x: number, y: number, z: number }} at
   * @param {number} [fuse] ticks
   * @param {import('./living').LivingEntity | null} [lighter]
   */
  constructor (world, at, fuse = FUSE, lighter = null) {
    super(world, 'tnt', at)
    this.fuse = fuse
    this.lighter = lighter
    const angle = world.random.stream('explosions').next() * Math.PI * 2
    this.vx = -Math.sin(angle) * 0.02
    this.vy = 0.2
    this.vz = -Math.cos(angle) * 0.02
  }

  /** @param {Record<string, import('../nbt/values').Tag>} value */
  loadNbt ({ fuse }) { if (fuse) this.fuse = Math.max(0, number(fuse, FUSE)) }

  nbt () { return { ...super.nbt(), fuse: this.world.nbt.short(this.fuse) } }

  tick () {
    super.tick()
    this.vy -= GRAVITY
    this.slide()
    this.vx *= DRAG * (this.onGround ? 0.7 : 1)
    this.vy *= DRAG * (this.onGround ? -0.5 : 1)
    this.vz *= DRAG * (this.onGround ? 0.7 : 1)
    if (--this.fuse > 0) return void this.world.emit('entityMove', { entity: this })
    this.remove()
    this.world.explosions.explode({ x: this.x, y: this.y + 0.0625, z: this.z }, TNT_POWER,
      { source: this.lighter, blocks: true, decay: Boolean(this.world.rules.tntExplosionDropDecay) })
  }
}

module.exports = { FallingBlock, PrimedTnt, FUSE }
