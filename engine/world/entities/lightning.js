'use strict'
/** Lightning bolts (minecraft.wiki, "Lightning"): they harm and burn those near, set fire to the ground, and turn some bodies into others. */
const { Entity } = require('./entity')

const DAMAGE = 5
const REACH = 3
const BURNING_TICKS = 160
/** Ticks for which it is seen. */
const LIFETIME = 8
/** @type {Record<string, string>} */
const TURNS = { __proto__: /** @type {any} */ (null), pig: 'zombified_piglin', villager: 'witch' }

/** One bolt. */
class LightningBolt extends Entity {
  /** @param {import('../world').World} world @param {{ x: number, y: number, z: number }} at */
  constructor (world, at) { super(world, 'lightning_bolt', at) }

  tick () {
    super.tick()
    if (this.age === 1) this.strikeDown()
    if (this.age >= LIFETIME) this.remove()
  }

  strikeDown () {
    const { world } = this
    for (const name of ['entity.lightning_bolt.thunder', 'entity.lightning_bolt.impact']) world.emit('sound', { name, x: this.x, y: this.y, z: this.z, volume: 10 })
    this.setFire()
    for (const body of world.bodiesNear(this, REACH)) if (body.y >= this.y - REACH && body.y <= this.y + 2 * REACH) this.hit(body)
  }

  setFire () {
    const { world } = this
    const [x, y, z] = [Math.floor(this.x), Math.floor(this.y), Math.floor(this.z)]
    if (!world.rules.doFireTick || world.difficulty === 'peaceful' || world.difficulty === 'easy') return
    if (world.stateAt(x, y, z).air && world.stateAt(x, y - 1, z).fullCube) world.setBlock(x, y, z, world.data.stateId('fire'))
  }

  /** @param {import('./living').LivingEntity} body */
  hit (body) {
    const turned = TURNS[body.type]
    if (turned && this.world.difficulty !== 'peaceful') {
      body.remove()
      this.world.summon(turned, body)
      return
    }
    body.hurt(DAMAGE, { type: 'lightningBolt', direct: this })
    if (!body.dead) body.burn(BURNING_TICKS, 0, 'onFire')
  }
}

module.exports = { LightningBolt }
