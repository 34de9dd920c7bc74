'use strict'
/** Signs, books, beds, fishing, stands, frames and boats; numbers are the wiki's of 1.20.4. */
const { test, describe } = require('node:test')
const assert = require('node:assert/strict')
const { makeWorld, must, ticks, record, hold: holdIn } = require('../../helpers')
const { linesOf } = require('../../../../../engine/world/rules/functional_blocks/signs')
const { pagesOf, signatureOf } = require('../../../../../engine/world/rules/items/books')
const { fishingCatch, CATCHES } = require('../../../../../engine/world/rules/items/fishing_loot')

const GROUND = { x: 2, y: -61, z: 0 }
const ABOVE = { x: 2, y: -60, z: 0 }

/** Put an item into Gizmo's hand. @param {any} world @param {string} name */
function hold (world, name) { holdIn(world, world.players.get('Gizmo'), name) }

/** @param {string} [held] */
function start (held) {
  const world = makeWorld()
  const gizmo = world.players.get('Gizmo')
  if (held) hold(world, held)
  return { world, gizmo }
}

describe('signs', () => {
  test('the player who places a sign is asked for its text, and nobody else may write it', () => {
    const { world, gizmo } = start('oak_sign')
    const asked = record(world, 'openSign')
    assert.equal(gizmo.place({ pos: GROUND, face: 1 }).ok, true)
    assert.deepEqual(asked.map(({ player, pos, front }) => [player.name, pos, front]), [['Gizmo', ABOVE, true]])
    const glitch = world.addPlayer('Glitch')
    assert.equal(glitch.editSign(ABOVE, true, ['mine', '', '', '']).ok, false)
    assert.equal(gizmo.editSign(ABOVE, true, ['east', 'is §cmine', '', '']).ok, true)
    assert.deepEqual(linesOf(world.signs.at(ABOVE).front), ['east', 'is mine', '', ''])
    assert.equal(gizmo.editSign(ABOVE, true, ['again', '', '', '']).ok, false)
    assert.match(must(world, 'data get block 2 -60 0 front_text.messages[0]'), /east/)
  })

  test('a click reopens the side before the player; wax closes the sign', () => {
    const { world, gizmo } = start()
    must(world, 'setblock 2 -60 0 oak_sign[rotation=4]')
    gizmo.place({ pos: ABOVE, face: 1 })
    assert.equal(gizmo.editSign(ABOVE, true, ['a', 'b', 'c', 'd']).ok, true)
    hold(world, 'honeycomb')
    gizmo.place({ pos: ABOVE, face: 1 })
    assert.equal(world.signs.at(ABOVE).waxed, true)
    assert.equal(gizmo.heldItem, null)
    const asked = record(world, 'openSign')
    gizmo.place({ pos: ABOVE, face: 1 })
    assert.deepEqual(asked, [])
  })

  test('three lines, a line of 385 characters and a far hand write nothing', () => {
    const { world, gizmo } = start('oak_sign')
    gizmo.place({ pos: GROUND, face: 1 })
    assert.equal(gizmo.editSign(ABOVE, true, ['a', 'b', 'c']).ok, false)
    assert.equal(gizmo.editSign(ABOVE, true, ['x'.repeat(385), '', '', '']).ok, false)
    gizmo.teleport({ x: 30, y: -60, z: 0 })
    assert.equal(gizmo.editSign(ABOVE, true, ['a', '', '', '']).ok, false)
    assert.deepEqual(linesOf(world.signs.at(ABOVE).front), ['', '', '', ''])
  })
})

describe('books', () => {
  test('pages are written, read and signed once', () => {
    const { gizmo } = start('writable_book')
    assert.equal(gizmo.editBook(0, ['one', 'two']).ok, true)
    assert.deepEqual(pagesOf(gizmo.heldItem), ['one', 'two'])
    assert.equal(gizmo.editBook(0, ['one', 'two', 'three'], 'Terms').ok, true)
    assert.equal(gizmo.heldItem.name, 'written_book')
    assert.deepEqual([pagesOf(gizmo.heldItem), signatureOf(gizmo.heldItem)],
      [['one', 'two', 'three'], { title: 'Terms', author: 'Gizmo' }])
    assert.equal(gizmo.editBook(0, ['changed']).ok, false)
  })

  test('101 pages, a page of 1025 characters and another slot are refused', () => {
    const { gizmo } = start('writable_book')
    assert.equal(gizmo.editBook(0, Array(101).fill('x')).ok, false)
    assert.equal(gizmo.editBook(0, ['x'.repeat(1025)]).ok, false)
    assert.equal(gizmo.editBook(3, ['x']).ok, false)
    assert.equal(gizmo.editBook(-27, ['x']).ok, false)
    assert.deepEqual(pagesOf(gizmo.heldItem), [])
  })
})

describe('beds', () => {
  /** Return a world at night with a bed whose foot is beside Gizmo. @param {number} time */
  function atNight (time) {
    const { world, gizmo } = start()
    must(world, 'setblock 1 -60 0 red_bed[part=foot,facing=east]')
    must(world, 'setblock 2 -60 0 red_bed[part=head,facing=east]')
    must(world, `time set ${time}`)
    return { world, gizmo }
  }

  // minecraft.wiki, "Bed": 12542 to 23459 in clear weather, 12010 to 23991 in rain, always in a thunderstorm.
  for (const [time, weather, sleeps] of /** @type {[number, string, boolean][]} */ ([[12541, 'clear', false],
    [12542, 'clear', true], [23459, 'clear', true], [23460, 'clear', false], [12010, 'rain', true],
    [12009, 'rain', false], [6000, 'thunder', true]])) {
    test(`at ${time} in ${weather} weather one ${sleeps ? 'sleeps' : 'does not sleep'}`, () => {
      const { world, gizmo } = atNight(time)
      must(world, `weather ${weather}`)
      gizmo.place({ pos: { x: 1, y: -60, z: 0 }, face: 1 })
      assert.equal(gizmo.sleeping !== null, sleeps)
      assert.deepEqual(gizmo.spawnPoint.bed, { x: 2, y: -60, z: 0 })
    })
  }

  test('the night passes when all have slept for 100 ticks; all get up beside their beds', () => {
    const { world, gizmo } = atNight(18000)
    const glitch = world.addPlayer('Glitch')
    must(world, 'setblock 1 -60 3 red_bed[part=foot,facing=east]')
    must(world, 'setblock 2 -60 3 red_bed[part=head,facing=east]')
    gizmo.place({ pos: { x: 1, y: -60, z: 0 }, face: 1 })
    ticks(world, 200)
    assert.notEqual(gizmo.sleeping, null)
    assert.equal(world.blockAt(2, -60, 0),
      world.data.stateId('red_bed', { part: 'head', facing: 'east', occupied: true }))
    glitch.place({ pos: { x: 2, y: -60, z: 3 }, face: 1 })
    ticks(world, 99)
    assert.equal(world.sky.daylight >= 18000, true)
    ticks(world, 2)
    assert.equal(world.sky.day, 1)
    assert.equal(gizmo.sleeping, null)
    assert.equal(world.stateAt(Math.floor(gizmo.x), gizmo.y, Math.floor(gizmo.z)).shapes.length, 0)
  })

  test('half of the players suffice if the rule says so', () => {
    const { world, gizmo } = atNight(18000)
    world.addPlayer('Glitch')
    must(world, 'gamerule playersSleepingPercentage 50')
    gizmo.place({ pos: { x: 1, y: -60, z: 0 }, face: 1 })
    ticks(world, 101)
    assert.equal(world.sky.day, 1)
  })

  test('monsters, a far bed and a taken one let nobody sleep; a blow wakes', () => {
    const { world, gizmo } = atNight(18000)
    const told = record(world, 'system')
    must(world, 'summon zombie 8 -60 0 {NoAI:1b}')
    gizmo.place({ pos: { x: 1, y: -60, z: 0 }, face: 1 })
    assert.equal(told.at(-1).text, 'You may not rest now; there are monsters nearby')
    must(world, 'kill @e[type=zombie]')
    ticks(world, 30)
    gizmo.place({ pos: { x: 1, y: -60, z: 0 }, face: 1 })
    assert.notEqual(gizmo.sleeping, null)
    const glitch = world.addPlayer('Glitch')
    glitch.place({ pos: { x: 1, y: -60, z: 0 }, face: 1 })
    assert.equal(told.at(-1).text, 'This bed is occupied')
    gizmo.hurt(1, { type: 'generic' })
    assert.equal(gizmo.sleeping, null)
  })

  test('the dead come back at their bed, and at the spawn when it is gone', () => {
    const { world, gizmo } = atNight(6000)
    gizmo.teleport({ x: 1.5, y: -60, z: 1.5 })
    gizmo.place({ pos: { x: 1, y: -60, z: 0 }, face: 1 })
    for (const [block, near] of [['red_bed[part=head,facing=east]', true], ['air', false]]) {
      world.command(`setblock 2 -60 0 ${block}`)
      gizmo.teleport({ x: 40, y: -60, z: 40 })
      must(world, 'kill Gizmo')
      gizmo.respawn()
      assert.equal(Math.hypot(gizmo.x - 2.5, gizmo.z - 0.5) < 3 && gizmo.spawnPoint !== null, near)
    }
  })
})

describe('fishing', () => {
  /** Return a world with Gizmo before a pool, its line in the water. @param {number} [seed] */
  function cast (seed = 1) {
    const world = makeWorld({ seed })
    const gizmo = world.players.get('Gizmo')
    must(world, 'fill -8 -62 2 8 -61 14 water')
    hold(world, 'fishing_rod')
    gizmo.moveTo({ yaw: 0, pitch: 20 })
    gizmo.useItem()
    return { world, gizmo }
  }

  test('a bite comes after 5 to 30 seconds and 1 to 4 more, and lasts 1 to 2', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const { world, gizmo } = cast(seed)
      let swims = 0
      while (!gizmo.fishing.swims) ticks(world, 1)
      while (!gizmo.fishing.biting) { ticks(world, 1); swims++ }
      // Under the open sky nothing slows the wait down; rain would speed it up.
      assert.ok(swims >= 100 + 20 && swims <= 600 + 80 + 2, `seed ${seed}: ${swims}`)
      let bites = 0
      while (gizmo.fishing.biting) { ticks(world, 1); bites++ }
      assert.ok(bites >= 20 && bites <= 40, `seed ${seed}: ${bites}`)
    }
  })

  test('drawing in the line at the bite brings loot and wears the rod by one; otherwise nothing', () => {
    const { world, gizmo } = cast()
    gizmo.useItem()
    assert.equal(gizmo.fishing, null)
    assert.equal(gizmo.count(), 1)
    gizmo.useItem()
    while (!gizmo.fishing.biting) ticks(world, 1)
    gizmo.useItem()
    ticks(world, 60)
    assert.ok(gizmo.count() > 1)
    assert.equal(gizmo.heldItem.nbt.value.Damage.value, 1)
    assert.ok(gizmo.experience.total >= 1 && gizmo.experience.total <= 6)
  })

  test('the line ends when the rod leaves the hand, and 32 blocks away', () => {
    const { world, gizmo } = cast()
    gizmo.holdSlot(3)
    ticks(world, 1)
    assert.equal(gizmo.fishing, null)
    gizmo.holdSlot(0)
    gizmo.useItem()
    gizmo.teleport({ x: 60, y: -60, z: 0 })
    ticks(world, 1)
    assert.equal(gizmo.fishing, null)
  })

  test('the catch of open water is 85 % fish, 10 % junk and 5 % treasure', () => {
    const { world } = start()
    const random = world.random.stream('test')
    const kinds = { fish: 0, junk: 0, treasure: 0 }
    const of = (/** @type {string} */ name, /** @type {keyof typeof CATCHES} */ kind) =>
      CATCHES[kind].some((found) => found.item === name)
    for (let i = 0; i < 20000; i++) {
      const { name, nbt } = /** @type {any} */ (fishingCatch(world, { luck: 0, open: true, random }))
      kinds[of(name, 'fish') ? 'fish' : of(name, 'junk') && !nbt?.value.Enchantments ? 'junk' : 'treasure']++
    }
    for (const [kind, share] of /** @type {['fish' | 'junk' | 'treasure', number][]} */ ([['fish', 0.85], ['junk', 0.1],
      ['treasure', 0.05]])) {
      assert.ok(Math.abs(kinds[kind] / 20000 - share) < 0.008, `${kind}: ${kinds[kind]}`)
    }
    for (let i = 0; i < 3000; i++) assert.notEqual(fishingCatch(world, { luck: 3, open: false, random }).name, 'saddle')
  })
})

describe('stands, frames, boats, crystals', () => {
  const of = (/** @type {any} */ world, /** @type {string} */ type) =>
    [...world.entities.values()].find((entity) => entity.type === type)

  test('a stand wears equipment and gives it back; two quick blows break it', () => {
    const { world, gizmo } = start('armor_stand')
    assert.equal(gizmo.place({ pos: GROUND, face: 1 }).ok, true)
    const stand = of(world, 'armor_stand')
    hold(world, 'iron_helmet')
    assert.equal(gizmo.useEntity(stand.id, 'interact_at', { at: { x: 0, y: 1.7, z: 0 } }).ok, true)
    assert.equal(stand.worn.head.name, 'iron_helmet')
    assert.equal(gizmo.heldItem, null)
    gizmo.useEntity(stand.id, 'interact_at', { at: { x: 0, y: 1.7, z: 0 } })
    assert.equal(gizmo.heldItem.name, 'iron_helmet')
    gizmo.useEntity(stand.id, 'attack')
    assert.equal(stand.removed, false)
    ticks(world, 6)
    gizmo.useEntity(stand.id, 'attack')
    assert.equal(stand.removed, false)
    ticks(world, 5)
    gizmo.useEntity(stand.id, 'attack')
    assert.equal(stand.removed, true)
    assert.equal(of(world, 'item').item.name, 'armor_stand')
  })

  test('a frame shows one item in eight turns; a blow takes the item first', () => {
    const { world, gizmo } = start()
    must(world, 'setblock 0 -60 3 stone')
    hold(world, 'item_frame')
    assert.equal(gizmo.place({ pos: { x: 0, y: -60, z: 3 }, face: 2 }).ok, true)
    const frame = of(world, 'item_frame')
    hold(world, 'emerald')
    gizmo.useEntity(frame.id, 'interact')
    assert.equal(frame.item.name, 'emerald')
    for (let i = 0; i < 9; i++) gizmo.useEntity(frame.id, 'interact')
    assert.equal(frame.rotation, 1)
    gizmo.useEntity(frame.id, 'attack')
    assert.equal(frame.item, undefined)
    gizmo.useEntity(frame.id, 'attack')
    assert.equal(frame.removed, true)
  })

  test('a frame comes down with its wall', () => {
    const { world, gizmo } = start()
    must(world, 'setblock 0 -60 3 stone')
    hold(world, 'item_frame')
    gizmo.place({ pos: { x: 0, y: -60, z: 3 }, face: 2 })
    must(world, 'setblock 0 -60 3 air')
    ticks(world, 101)
    assert.equal(of(world, 'item_frame'), undefined)
    assert.equal(of(world, 'item').item.name, 'item_frame')
  })

  test('a boat swims, carries two, is steered by the first and lets go', () => {
    const { world, gizmo } = start()
    must(world, 'fill -8 -62 2 8 -61 40 water')
    hold(world, 'oak_boat')
    gizmo.moveTo({ yaw: 0, pitch: 35 })
    assert.equal(gizmo.useItem().ok, true)
    const boat = of(world, 'boat')
    assert.equal(boat.wood, 'oak')
    ticks(world, 40)
    assert.ok(Math.abs(boat.waterAbove() - 0.45) < 0.1)
    assert.equal(gizmo.useEntity(boat.id, 'interact').ok, true)
    const glitch = world.addPlayer('Glitch')
    glitch.teleport({ x: boat.x, y: boat.y + 1, z: boat.z })
    assert.equal(glitch.useEntity(boat.id, 'interact').ok, true)
    const third = world.addPlayer('Third')
    third.teleport({ x: boat.x, y: boat.y + 1, z: boat.z })
    assert.equal(third.useEntity(boat.id, 'interact').ok, false)
    const z = boat.z
    gizmo.steer(1, 0)
    glitch.steer(-1, 0)
    ticks(world, 60)
    assert.ok(boat.z > z + 3)
    assert.ok(Math.hypot(gizmo.x - boat.x, gizmo.z - boat.z) < 1)
    gizmo.dismount()
    assert.equal(gizmo.vehicle, null)
    assert.deepEqual(boat.passengers, [glitch])
    world.removePlayer(glitch)
    assert.deepEqual(boat.passengers, [])
  })

  test('a crystal needs obsidian and room, and explodes at a blow', () => {
    const { world, gizmo } = start('end_crystal')
    assert.equal(gizmo.place({ pos: GROUND, face: 1 }).ok, false)
    must(world, 'setblock 2 -61 0 obsidian')
    assert.equal(gizmo.place({ pos: GROUND, face: 1 }).ok, true)
    gizmo.setGamemode('creative')
    gizmo.useEntity(of(world, 'end_crystal').id, 'attack')
    assert.equal(of(world, 'end_crystal'), undefined)
  })
})

test('a note block plays when redstone comes beside it', () => {
  const { world } = start()
  must(world, 'setblock 2 -60 0 note_block[note=5]')
  const played = record(world, 'blockAction')
  must(world, 'setblock 2 -61 0 redstone_block')
  ticks(world, 2)
  assert.deepEqual(played.map(({ x, y, z }) => [x, y, z]), [[2, -60, 0]])
})

test('the border stops boats, drops and interaction beyond it', () => {
  const { world, gizmo } = start('oak_boat')
  must(world, 'worldborder set 10')
  const boat = world.summon('boat', { x: 3, y: -60, z: 0.5 })
  assert.equal(gizmo.useEntity(boat.id, 'interact').ok, true)
  assert.equal(boat.moveTo(gizmo, { x: 4.2, y: -60, z: 0.5, yaw: 0 }).ok, true)
  assert.equal(boat.moveTo(gizmo, { x: 8, y: -60, z: 0.5, yaw: 0 }).ok, false)
  assert.ok(boat.x < 5)
  gizmo.dismount()
  gizmo.teleport({ x: 4.5, y: -60, z: 0.5, yaw: -90, pitch: 0 })
  gizmo.toss(world.stacks.make('diamond', 1))
  ticks(world, 40)
  for (const entity of world.entities.values()) {
    if (entity.type === 'item') assert.ok(entity.x < 5, `an item lies at ${entity.x}`)
  }
  const stand = world.summon('armor_stand', { x: 6.5, y: -60, z: 0.5 })
  assert.match(gizmo.useEntity(stand.id, 'interact_at').reason, /beyond the world border/)
})

test('the border stops players, and hurts those beyond its buffer', () => {
  const { world, gizmo } = start('stone')
  must(world, 'worldborder set 10')
  assert.equal(gizmo.moveTo({ x: 4.6, y: -60, z: 0.5 }).ok, true)
  assert.equal(gizmo.moveTo({ x: 5.2, y: -60, z: 0.5 }).ok, false)
  assert.equal(gizmo.place({ pos: { x: 6, y: -61, z: 0 }, face: 1 }).ok, false)
  assert.equal(gizmo.startDig({ x: 6, y: -61, z: 0 }, 1).ok, false)
  gizmo.teleport({ x: 11.5, y: -60, z: 0.5 })
  ticks(world, 1)
  assert.equal(gizmo.health, 19)
  must(world, 'worldborder set 40 1')
  ticks(world, 10)
  assert.equal(Math.round(world.border.size), 25)
})
