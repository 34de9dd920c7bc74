'use strict'
/**
 * Damage by blocks to bodies in them and on them, by heat and by frost (minecraft.wiki, each block's page). It is
 * tested every ten ticks, which is the time for which a damaged body is immune to the same damage.
 */
const { supportOf } = require('./footing')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../../entities/living').LivingEntity} LivingEntity */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {(body: LivingEntity, state: BlockState) => void} Harm */

/** Ticks between two tests. */
const EVERY = 10
/**
 * Ticks in powder snow until a body is frozen, ticks between two damages then, and ticks of cold lost per tick outside.
 */
const FROZEN = 140
const FREEZE_EVERY = 40
const THAW = 2
/** Damage by frost to mobs that live in heat. */
const FREEZE_EXTRA = 5
/** Minimum movement in a tick, in blocks, for which a bush scratches a body. */
const SCRATCH = 0.003
/** Distance by which a body's box is shrunk to find the blocks that it is in, in blocks. */
const GAP = 1e-5

/** Types of fire damage. */
const HEAT = new Set(['inFire', 'onFire', 'lava', 'hotFloor'])
const FROSTPROOF = new Set(['stray', 'polar_bear', 'snow_golem', 'wither'])
const HEAT_LOVING = new Set(['strider', 'blaze', 'magma_cube'])
const WITHERPROOF = new Set(['wither', 'wither_skeleton'])
const PRICKLEPROOF = new Set(['fox', 'bee'])

/** @param {number} damage @returns {Harm} */
const campfire = (damage) => (body, { props }) => { if (props.lit === 'true') body.hurt(damage, { type: 'inFire' }) }

/** Damage to a body in a block. @type {Record<string, Harm>} */
const INSIDE = nameTable({
  cactus: (body) => { body.hurt(1, { type: 'cactus' }) },
  fire: (body) => body.burn(160, 1, 'inFire'),
  soul_fire: (body) => body.burn(160, 2, 'inFire'),
  lava: (body) => body.burn(300, 4, 'lava'),
  campfire: campfire(1),
  soul_campfire: campfire(2),
  powder_snow: freeze,
  wither_rose: (body) => {
    if (body.world.difficulty !== 'peaceful' && !WITHERPROOF.has(body.type)) body.addEffect('wither', 40, 0)
  }
})

/** Damage to a body on a block. @type {Record<string, Harm>} */
const ON = nameTable({
  magma_block: (body) => { if (!body.sneaking) body.hurt(1, { type: 'hotFloor' }) }
})

/**
 * Return true if heat does not damage a body.
 *
 * @param {LivingEntity} body
 * @param {string} type of damage
 * @returns {boolean}
 */
function isProof (body, type) {
  return HEAT.has(type) &&
    (!body.world.rules.fireDamage || /** @type {Partial<import('../../entities/mobs').Mob>} */ (body).kind?.fireproof ||
    body.effectLevel('fire_resistance') > 0)
}

/**
 * Return true if the surface of a liquid is above the feet.
 *
 * @param {BlockState} state
 * @param {number} y of the block
 * @param {number} feet
 * @returns {boolean}
 */
function reaches ({ name, props }, y, feet) {
  if (name !== 'lava') return true
  const level = Number(props.level)
  return y + (level === 0 || level >= 8 ? 8 : 8 - level) / 9 > feet
}

/**
 * Return the blocks by name that act on a body in them or on them.
 *
 * @param {LivingEntity} body
 * @returns {Map<string, BlockState>}
 */
function harmsAt (body) {
  /** @type {Map<string, BlockState>} */
  const found = new Map()
  const { world, x, y, z, height } = body
  const r = body.width / 2 - GAP
  for (let cx = Math.floor(x - r); cx <= Math.floor(x + r); cx++) {
    for (let cy = Math.floor(y + GAP); cy <= Math.floor(y + height - GAP); cy++) {
      for (let cz = Math.floor(z - r); cz <= Math.floor(z + r); cz++) {
        const state = world.stateAt(cx, cy, cz)
        if (INSIDE[state.name] && reaches(state, cy, y)) found.set(state.name, state)
      }
    }
  }
  if (!body.onGround) return found
  const ground = supportOf(body, GAP)
  if (ON[ground.name]) found.set(ground.name, ground)
  return found
}

/** Let the blocks around a body act on it, and thaw it. @param {LivingEntity} body */
function harm (body) {
  const found = harmsAt(body)
  if (body.frozenTicks > 0 && !found.has('powder_snow')) chill(body, -THAW * EVERY)
  for (const [name, state] of found) if (!body.dead) (INSIDE[name] ?? ON[name])(body, state)
}

/** Freeze a body in powder snow. @param {LivingEntity} body */
function freeze (body) {
  body.fireTicks = 0
  chill(body, canFreeze(body) ? EVERY : -THAW * EVERY)
  if (body.frozenTicks >= FROZEN && body.age % FREEZE_EVERY === 0 && body.world.rules.freezeDamage) {
    body.hurt(HEAT_LOVING.has(body.type) ? FREEZE_EXTRA : 1, { type: 'freeze', piercing: true })
  }
}

/** @param {LivingEntity} body @param {number} ticks more, or fewer, of cold */
function chill (body, ticks) {
  const before = body.frozenTicks
  body.frozenTicks = Math.max(0, Math.min(FROZEN, before + ticks))
  if (body.frozenTicks !== before) body.world.emit('entityMeta', { entity: body })
}

/** Return true if frost acts on a body, which wears no leather. @param {LivingEntity} body @returns {boolean} */
function canFreeze (body) {
  const { slots } = /** @type {any} */ (body)
  return !FROSTPROOF.has(body.type) &&
    /** @type {Partial<import('../../player').Player>} */ (body).gamemode !== 'spectator' &&
    !(slots && [5, 6, 7, 8].some((slot) => slots[slot]?.name.startsWith('leather_')))
}

/**
 * Scratch a body that moves in a berry bush.
 *
 * @param {LivingEntity} body
 * @param {number} dx
 * @param {number} dz of its last move
 */
function scratch (body, dx, dz) {
  if ((Math.abs(dx) < SCRATCH && Math.abs(dz) < SCRATCH) || PRICKLEPROOF.has(body.type)) return
  const { world, x, y, z } = body
  const r = body.width / 2 - GAP
  const level = Math.floor(y + GAP)
  for (let cx = Math.floor(x - r); cx <= Math.floor(x + r); cx++) {
    for (let cz = Math.floor(z - r); cz <= Math.floor(z + r); cz++) {
      const state = world.stateAt(cx, level, cz)
      if (state.name === 'sweet_berry_bush' && state.props.age !== '0') {
        return void body.hurt(1, { type: 'sweetBerryBush' })
      }
    }
  }
}

module.exports = { harm, harmsAt, scratch, isProof, EVERY }
