'use strict'
/**
 * Eyes of ender in the air (minecraft.wiki, "Eye of Ender"): they fly towards the nearest portal room for four seconds;
 * one in five breaks.
 */
const { Entity } = require('../../entities/entity')
const { dimensionAt } = require('../../dimensions')

const LIFE = 80
const FAR = 12
const RISE = 8
const BREAKS = 0.2

/** Flying eye of ender. */
class Eye extends Entity {
  /**
   * @param {import('../../world').World} world
   * @param {{ x: number, y: number, z: number }} from
   * @param {{ x: number, z: number }} to
   */
  constructor (world, from, to) {
    super(world, 'eye_of_ender', from)
    const far = Math.hypot(to.x - from.x, to.z - from.z) || 1
    const share = Math.min(FAR, far) / far / LIFE
    this.vx = (to.x - from.x) * share
    this.vz = (to.z - from.z) * share
    this.vy = (far > FAR ? RISE : -RISE / 2) / LIFE
    this.lasts = !world.random.stream('eyes').chance(BREAKS)
  }

  tick () {
    super.tick()
    this.x += this.vx
    this.y += this.vy
    this.z += this.vz
    this.world.emit('entityMove', { entity: this })
    if (this.age < LIFE) return
    this.remove()
    if (this.lasts) this.world.spawnItem(this.world.stacks.make('ender_eye'), this)
  }
}

/** @param {import('../../player').Player} player @param {0 | 1} hand @returns {import('../../types').Verdict} */
function throwEye (player, hand) {
  const { world } = player
  const to = dimensionAt(player.x) === 'overworld' ? world.terrain.generator.locateStronghold?.(player) : undefined
  if (!to) return { ok: false, reason: 'there is no stronghold in this world for the eye to fly to' }
  world.enter(new Eye(world, { x: player.x, y: player.eyes.y, z: player.z }, to))
  player.consume(hand)
  return { ok: true }
}

module.exports = { throwEye }
