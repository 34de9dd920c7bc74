'use strict'
/** Shields with vanilla 1.20.4's figures (minecraft.wiki, "Shield"). */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { makeWorld, must, ticks, record, hold } = require('../../helpers')

/**
 * Gizmo looks south (+z) and holds a shield up; a second player stands `at`.
 * @param {{ x: number, z: number }} at
 * @param {number} [raised] ticks since it was raised
 */
function duel (at, raised = 5) {
  const world = makeWorld({ players: { Gizmo: { x: 0.5, z: 0.5 }, Basti: at } })
  const [gizmo, basti] = [world.players.get('Gizmo'), world.players.get('Basti')]
  gizmo.moveTo({ yaw: 0, pitch: 0 })
  gizmo.store.set(45, world.stacks.make('shield'))
  assert.ok(gizmo.useItem(1).ok)
  ticks(world, raised)
  return { world, gizmo, basti, shield: () => gizmo.store.get(45) }
}

test('a raised shield takes a blow from the front, not from behind, and not in its first five ticks', () => {
  for (const [at, raised, lost] of /** @type {[{ x: number, z: number }, number, number][]} */ ([[{ x: 0.5, z: 2.5 }, 5,
    0], [{ x: 2.4, z: 0.9 }, 5, 0], [{ x: 0.5, z: -1.5 }, 5, 6], [{ x: 2.4, z: 0.1 }, 5, 6],
    [{ x: 0.5, z: 2.5 }, 4, 6]])) {
    const { world, gizmo, basti, shield } = duel(at, raised)
    hold(world, basti, 'iron_sword')
    basti.attackTicks = 100
    const seen = record(world, 'entityStatus')
    const hurt = basti.useEntity(gizmo.id, 'attack').ok
    assert.equal(20 - gizmo.health, lost, JSON.stringify([at, raised]))
    assert.equal(hurt, lost > 0)
    assert.equal(seen.some(({ entity, status }) => entity === gizmo && status === 29), lost === 0)
    assert.equal(world.stacks.damage(shield()), lost === 0 ? 7 : 0, 'a blocked blow of 6 wears it by 7')
    assert.equal(gizmo.vx === 0 && gizmo.vz === 0, lost === 0)
  }
})

test('a blow below three does not wear a shield; one that wears it out breaks it', () => {
  const { world, gizmo, basti, shield } = duel({ x: 0.5, z: 2.5 })
  basti.useEntity(gizmo.id, 'attack')
  assert.equal(world.stacks.damage(shield()), 0)
  ticks(world, 20)
  gizmo.store.set(45, world.stacks.make('shield', 1,
    { type: 'compound', name: '', value: { Damage: { type: 'int', value: 334 } } }))
  assert.ok(gizmo.useItem(1).ok)
  ticks(world, 5)
  const seen = record(world, 'entityStatus')
  hold(world, basti, 'iron_sword')
  basti.attackTicks = 100
  basti.useEntity(gizmo.id, 'attack')
  assert.equal(shield(), null)
  assert.equal(gizmo.health, 20)
  assert.ok(seen.some(({ status }) => status === 48))
  assert.ok(!gizmo.usingItem)
})

test('an axe disables a shield for five seconds', () => {
  const { world, gizmo, basti } = duel({ x: 0.5, z: 2.5 })
  hold(world, basti, 'stone_axe')
  basti.attackTicks = 100
  const [seen, cooled] = [record(world, 'entityStatus'), record(world, 'cooldown')]
  basti.useEntity(gizmo.id, 'attack')
  assert.equal(gizmo.health, 20)
  assert.ok(seen.some(({ entity, status }) => entity === gizmo && status === 30))
  assert.deepEqual(cooled.map(({ player, item, ticks: left }) => [player.name, item, left]), [['Gizmo', 'shield', 100]])
  assert.ok(!gizmo.usingItem)
  assert.ok(!gizmo.useItem(1).ok)
  ticks(world, 99)
  assert.ok(!gizmo.useItem(1).ok)
  ticks(world, 1)
  assert.ok(gizmo.useItem(1).ok)
})

test('a shield throws arrows back and stops explosions, but no fall, fire or magic', () => {
  const { world, gizmo } = duel({ x: 30.5, z: 0.5 })
  must(world, 'gamerule naturalRegeneration false')
  must(world, 'summon skeleton 0.5 -60 6.5 {NoAI:1b}')
  const skeleton = [...world.entities.values()].find((e) => e.type === 'skeleton')
  skeleton.shootAt(gizmo)
  ticks(world, 20)
  assert.equal(gizmo.health, 20)
  const arrow = [...world.entities.values()].find((e) => e.type === 'arrow')
  assert.ok(arrow, 'a blocked arrow is not gone')
  assert.ok(arrow.z > 0.8, `${arrow.z}`)
  world.explosions.explode({ x: 0.5, y: -59, z: 4.5 }, 3, { blocks: false, decay: false })
  assert.equal(gizmo.health, 20)
  ticks(world, 20)
  gizmo.hurt(4, { type: 'fall', piercing: true })
  assert.equal(gizmo.health, 16)
  ticks(world, 20)
  gizmo.hurt(4, { type: 'lava' })
  assert.equal(gizmo.health, 12)
})

test('other players see a raised item and its hand', () => {
  const { world, gizmo } = duel({ x: 0.5, z: 9.5 })
  const seen = record(world, 'entityMeta')
  gizmo.releaseItem()
  assert.equal(seen.length, 1)
})
