'use strict'
const { test } = require('node:test')
const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { makeWorld, must, ticks, record } = require('./helpers')
const { readFunctions } = require('../../../engine/world/commands/functions')

/** Commands run one after the other in one world, with vanilla's replies. @type {[string, boolean, string][]} */
const ANSWERS = [
  ['setblock 2 -60 0 iron_ore', true, 'Changed the block at 2, -60, 0'],
  ['setblock 2 -60 0 iron_ore', false, 'Could not set the block'],
  ['setblock 2 -60 0 stone keep', false, 'Could not set the block'],
  ['setblock 2 -60 0 air destroy', true, 'Changed the block at 2, -60, 0'],
  ['fill 0 -60 3 3 -58 3 minecraft:stone', true, 'Successfully filled 12 block(s)'],
  ['fill 0 -60 3 3 -58 3 stone', false, 'No blocks were filled'],
  ['fill 0 -60 3 3 -58 3 air replace #minecraft:dirt', false, 'No blocks were filled'],
  ['fill 0 -60 3 3 -58 3 air replace stone', true, 'Successfully filled 12 block(s)'],
  ['fill 0 0 0 99 99 99 air', false, 'Too many blocks in the specified area (maximum 32768, specified 1000000)'],
  ['give Gizmo diamond 3', true, 'Gave 3 [Diamond] to Gizmo'],
  ['give @a iron_pickaxe{Damage:3}', true, 'Gave 1 [Iron Pickaxe] to 2 players'],
  ['give Gizmo diamond 6401', false, 'Can\'t give more than 6400 of [Diamond]'],
  ['clear Gizmo diamond 0', true, 'Found 3 matching item(s) on player Gizmo'],
  ['clear Gizmo diamond 2', true, 'Removed 2 item(s) from player Gizmo'],
  ['clear Gizmo diamond', true, 'Removed 1 item(s) from player Gizmo'],
  ['clear Gizmo diamond 0', false, 'No items were found on player Gizmo'],
  ['clear @a iron_pickaxe{Damage:3} 0', true, 'Found 2 matching item(s) on 2 players'],
  ['clear @a emerald', false, 'No items were found on 2 players'],
  ['give Nobody diamond', false, 'No player was found'],
  ['item replace entity Gizmo weapon.mainhand with iron_sword', true, 'Replaced a slot on Gizmo with [Iron Sword]'],
  ['setblock 5 -60 5 chest[facing=north]{Items:[{Slot:0b,id:"minecraft:stone_pickaxe",Count:1b}]}', true,
  'Changed the block at 5, -60, 5'],
  ['data get block 5 -60 5 Items[0].Count', true, '5, -60, 5 has the following block data: 1b'],
  ['item replace block 5 -60 5 container.1 with iron_pickaxe 1', true,
  'Replaced a slot at 5, -60, 5 with [Iron Pickaxe]'],
  ['data get block 5 -60 5 Items[1].id', true, '5, -60, 5 has the following block data: "minecraft:iron_pickaxe"'],
  ['item replace block 5 -60 5 container.27 with stone', false, 'The target does not have slot container.27'],
  ['item replace block 1 -60 5 container.0 with stone', false, 'Target position 1, -60, 5 is not a container'],
  ['data get block 1 -60 5', false, 'The target block is not a block entity'],
  ['data get block 5 -60 5 Nope', false, 'Found no elements matching Nope'],
  ['data get entity Gizmo Health', true, 'Gizmo has the following entity data: 20.0f'],
  ['data get entity Gizmo Pos[1] 10', true, 'Pos[1] on Gizmo after scale factor of 10.00 is -600'],
  ['tp Gizmo 3 -60 0', true, 'Teleported Gizmo to 3.500000, -60.000000, 0.500000'],
  ['tp Gizmo Glitch', true, 'Teleported Gizmo to Glitch'],
  ['teleport @a 0.25 -60 8', true, 'Teleported 2 entities to 0.250000, -60.000000, 8.500000'],
  ['gamemode spectator Gizmo', true, 'Set Gizmo\'s game mode to Spectator Mode'],
  ['spectate Glitch Gizmo', true, 'Now spectating Glitch'],
  ['gamemode survival Gizmo', true, 'Set Gizmo\'s game mode to Survival Mode'],
  ['gamemode fly Gizmo', false, 'Unknown game mode: fly\ngamemode <--[HERE]'],
  ['time set noon', true, 'Set the time to 6000'], ['time query daytime', true, 'The time is 6000'],
  ['weather thunder', true, 'Set the weather to rain & thunder'], ['weather clear', true, 'Set the weather to clear'],
  ['gamerule keepInventory true', true, 'Gamerule keepInventory is now set to: true'],
  ['gamerule keepInventory', true, 'Gamerule keepInventory is currently set to: true'],
  ['difficulty hard', true, 'The difficulty has been set to Hard'],
  ['difficulty hard', false, 'The difficulty did not change; it is already set to hard'],
  ['effect give Gizmo speed 10 1', true, 'Applied effect Speed to Gizmo'],
  ['effect clear Gizmo', true, 'Removed every effect from Gizmo'],
  ['effect clear Gizmo', false, 'Target has no effects to remove'],
  ['scoreboard objectives add money dummy', true, 'Created new objective [money]'],
  ['scoreboard objectives add money dummy', false, 'An objective already exists by that name'],
  ['scoreboard players set Gizmo money 5', true, 'Set [money] for Gizmo to 5'],
  ['scoreboard players add Gizmo money 2', true, 'Added 2 to [money] for Gizmo (now 7)'],
  ['scoreboard players get Gizmo money', true, 'Gizmo has 7 [money]'],
  ['scoreboard players get Glitch money', false, 'Can\'t get value of money for Glitch; none is set'],
  ['scoreboard players list', true, 'There are 1 tracked entity/entities: Gizmo'],
  ['scoreboard players reset Gizmo money', true, 'Reset [money] for Gizmo'],
  ['scoreboard objectives list', true, 'There are 1 objective(s): [money]'],
  ['scoreboard objectives remove money', true, 'Removed objective [money]'],
  ['scoreboard players get Gizmo money', false, 'Unknown scoreboard objective \'money\''],
  ['execute if block 5 -60 5 chest', true, 'Test passed'], ['execute if entity @e[type=pig]', false, 'Test failed'],
  ['summon pig 8 -60 8', true, 'Summoned new Pig'],
  ['execute if entity @e[type=pig]', true, 'Test passed, count: 1'],
  ['execute if entity @a', true, 'Test passed, count: 2'], ['execute unless entity @a', false, 'Test failed, count: 2'],
  ['execute unless entity @e[type=cow]', true, 'Test passed'], ['kill @e[type=pig]', true, 'Killed Pig'],
  ['execute unless block 5 -60 5 chest', false, 'Test failed'],
  ['execute if block 5 -60 5 stone', false, 'Test failed'],
  ['execute if data block 5 -60 5 Items', true, 'Test passed, count: 1'],
  ['execute if data block 5 -60 5 Items[]', true, 'Test passed, count: 2'],
  ['execute if data block 5 -60 5 Nope', false, 'Test failed'],
  ['execute if blocks 5 -60 5 5 -60 5 5 -60 5 all', true, 'Test passed, count: 1'],
  ['execute if blocks 20 -61 20 23 -60 23 30 -61 30 all', true, 'Test passed, count: 32'],
  ['execute if blocks 20 -61 20 23 -60 23 30 -61 30 masked', true, 'Test passed, count: 16'],
  ['execute if blocks 5 -60 5 5 -60 5 8 -60 8 all', false, 'Test failed'],
  ['execute unless blocks 20 -60 20 20 -60 20 21 -60 21 masked', false, 'Test failed, count: 0'],
  ['execute unless blocks 5 -60 5 5 -60 5 8 -60 8 all', true, 'Test passed'],
  ['execute if blocks 0 -60 0 50 -20 50 90 -60 0 all', false,
  'Too many blocks in the specified area (maximum 32768, specified 106641)'],
  ['scoreboard objectives add tries dummy', true, 'Created new objective [tries]'],
  ['scoreboard players set Gizmo tries 3', true, 'Set [tries] for Gizmo to 3'],
  ['execute if score Gizmo tries matches 2..', true, 'Test passed'],
  ['execute unless score Gizmo tries matches 3', false, 'Test failed'],
  ['execute if score Gizmo tries < Glitch tries', false, 'Test failed'],
  ['execute if entity Gizmo if block 5 -60 5 chest', true, 'Test passed'],
  ['execute if block 5 -60 5 chest if entity @a', true, 'Test passed, count: 2'],
  ['execute as @a if entity @s', true, 'Test passed, count: 1\nTest passed, count: 1'],
  ['execute as @a if entity @s[name=Gizmo]', true, 'Test passed, count: 1'],
  ['tick freeze', true, 'The game is frozen'], ['tick query', true, 'The game is frozen'],
  ['tick unfreeze', true, 'The game runs normally'],
  ['tick rate 40', true, 'Set the target tick rate to 40.0 per second'],
  ['tick rate 20', true, 'Set the target tick rate to 20.0 per second'],
  ['kick Glitch bye now', true, 'Kicked Glitch: bye now'], ['op Gizmo', true, 'Made Gizmo a server operator'],
  ['op Gizmo', false, 'Nothing changed. The player already is an operator'],
  ['deop Gizmo', true, 'Made Gizmo no longer a server operator'],
  ['whitelist add Gizmo', true, 'Added Gizmo to the whitelist'],
  ['title Gizmo actionbar "hello"', true, 'Showing new actionbar title for Gizmo'],
  ['list', true, 'There are 2 of a max of 500 players online: Gizmo, Glitch'], ['seed', true, 'Seed: [1]'],
  ['experience add Gizmo 5 levels', true, 'Gave 5 experience levels to Gizmo'],
  ['xp query Gizmo levels', true, 'Gizmo has 5 experience levels'],
  ['spawnpoint Gizmo 1 -60 1', true, 'Set spawn point to 1, -60, 1 [0.0] in minecraft:overworld for Gizmo'],
  ['setworldspawn 4 -60 4', true, 'Set the world spawn point to 4, -60, 4 [0.0]'],
  ['forceload add 0 0', true, 'Marked chunk [0, 0] in minecraft:overworld to be force loaded'],
  ['save-all', true, 'Saving the game (this may take a moment!)\nSaved the game'],
  ['worldborder set 100', true, 'Set the world border to 100.0 block(s) wide'],
  ['clone 5 -60 5 5 -60 5 8 -60 5', true, 'Successfully cloned 1 block(s)'],
  ['tag Gizmo add leader', true, 'Added tag \'leader\' to Gizmo'],
  ['enchant Gizmo sharpness 3', true, 'Applied enchantment Sharpness III to Gizmo\'s item'],
  ['nosuch', false, 'Unknown or incomplete command, see below for error\n<--[HERE]'],
  ['setblock', false, 'Unknown or incomplete command, see below for error\nsetblock<--[HERE]'],
  ['setblock 1 2 3 nosuch', false, 'Unknown block type \'minecraft:nosuch\'\n...ock 1 2 3 <--[HERE]'],
  ['give Gizmo nosuch', false, 'Unknown item \'minecraft:nosuch\'\n...ive Gizmo <--[HERE]'],
  ['setblock 1 999 3 stone', false, 'That position is out of this world!'],
  ['kill @x', false, 'Unknown selector type \'@x\'\nkill <--[HERE]'],
  ['kill @e[limit=0]', false, 'Limit must be at least 1\n... @e[limit=<--[HERE]'],
  ['give Gizmo stone 0', false, 'Integer must not be less than 1, found 0\n...zmo stone <--[HERE]'],
  ['setblock 1 -60 3 chest[facing=up]', false,
  'Block minecraft:chest does not accept \'up\' for facing property\n...st[facing=<--[HERE]'],
  ['__proto__', false, 'Unknown or incomplete command, see below for error\n<--[HERE]'],
  ['bossbar add test:bar "Round one"', true, 'Created custom bossbar [Round one]'],
  ['bossbar add test:bar "x"', false, 'A bossbar already exists with the ID \'test:bar\''],
  ['bossbar set test:bar players Gizmo', true, 'Custom bossbar [Round one] now has 1 player(s): Gizmo'],
  ['bossbar set test:bar value 40', true, 'Custom bossbar [Round one] has changed value to 40'],
  ['bossbar set test:bar value 40', false, 'Nothing changed. That\'s already the value of this bossbar'],
  ['bossbar get test:bar value', true, 'Custom bossbar [Round one] has a value of 40'],
  ['bossbar set test:bar color red', true, 'Custom bossbar [Round one] has changed color'],
  ['bossbar set test:bar style notched_6', true, 'Custom bossbar [Round one] has changed style'],
  ['bossbar list', true, 'There are 1 custom bossbar(s) active: [Round one]'],
  ['bossbar remove test:bar', true, 'Removed custom bossbar [Round one]'],
  ['bossbar get test:bar max', false, 'No bossbar exists with the ID \'test:bar\''],
  ['team add red "Reds"', true, 'Created team [Reds]'], ['team add red', false, 'A team already exists by that name'],
  ['team modify red color dark_red', true, 'Updated the color for team [Reds] to dark_red'],
  ['team modify red friendlyFire false', true, 'Disabled friendly fire for team [Reds]'],
  ['team modify red friendlyFire false', false, 'Nothing changed. Friendly fire is already disabled for that team'],
  ['team join red Gizmo', true, 'Added Gizmo to team [Reds]'],
  ['team list red', true, 'Team [Reds] has 1 member(s): Gizmo'],
  ['team leave Gizmo', true, 'Removed Gizmo from any team'],
  ['team empty red', false, 'Nothing changed. That team is already empty'],
  ['team join blue Gizmo', false, 'Unknown team \'blue\''], ['team remove red', true, 'Removed team [Reds]'],
  ['team list', true, 'There are no teams'],
  ['particle flame 1 -60 1', true, 'Displaying particle minecraft:flame'],
  ['particle dust 1 0 0 1 1 -60 1 0 0 0 0 5', true, 'Displaying particle minecraft:dust'],
  ['particle flame 400 -60 1', false, 'The particle was not visible for anybody'],
  ['particle nosuch', false, 'Unknown particle: minecraft:nosuch\nparticle <--[HERE]'],
  ['playsound ui.button.click master Gizmo 0 -60 0', true, 'Played sound minecraft:ui.button.click to Gizmo'],
  ['playsound ui.button.click master Gizmo 400 -60 0', false, 'The sound is too far away to be heard'],
  ['stopsound Gizmo master', true, 'Stopped all \'master\' sounds'],
  ['worldborder get', true, 'The world border is currently 100 block(s) wide'],
  ['worldborder set 100', false, 'Nothing changed. The world border is already that size'],
  ['worldborder add 20 10', true, 'Growing the world border to 120.0 blocks wide over 10 seconds'],
  ['worldborder center 5 5', true, 'Set the center of the world border to 5.00, 5.00'],
  ['worldborder damage amount 1', true, 'Set the world border damage to 1.00 per block each second'],
  ['worldborder warning time 15', false, 'Nothing changed. The world border warning is already that amount of time'],
  ['attribute Gizmo generic.max_health base set 40', true,
    'Base value for attribute Max Health for entity Gizmo set to 40.0'],
    ['attribute Gizmo generic.max_health get', true, 'Value of attribute Max Health for entity Gizmo is 40.0'],
    ['attribute Gizmo generic.attack_damage modifier add 1-2-3-4-5 x 0.5 multiply', true,
    'Added modifier 1-2-3-4-5 to attribute Attack Damage for entity Gizmo'],
    ['attribute Gizmo generic.attack_damage get', true, 'Value of attribute Attack Damage for entity Gizmo is 1.5'],
  ['attribute Gizmo generic.attack_damage modifier remove 1-2-3-4-6', false,
    'Attribute Attack Damage for entity Gizmo has no modifier 1-2-3-4-6'],
    ['attribute Gizmo horse.jump_strength get', false, 'Entity Gizmo has no attribute Horse Jump Strength'],
    ['damage Gizmo 3', true, 'Applied 3.0 damage to Gizmo'],
    ['ride Gizmo dismount', false, 'Gizmo is not riding any vehicle'],
    ['ride Gizmo mount Glitch', false, 'Players can\'t be ridden'],
  ['function test:none', false, 'Unknown function test:none'],
  ['schedule function test:none 1s', false, 'Unknown function test:none'],
  ['schedule clear test:none', false, 'No schedules with id test:none'],
  ['setblock 9 -60 9 oak_sign{front_text:{messages:[\'"a"\',\'"b"\',\'""\',\'""\']}}', true,
  'Changed the block at 9, -60, 9'],
  ['data get block 9 -60 9 front_text.messages[1]', true, '9, -60, 9 has the following block data: \'"b"\''],
  ['summon armor_stand 6 -60 6', true, 'Summoned new Armor Stand'], ['summon boat 6 -60 6', true, 'Summoned new Boat'],
  ['loot give Gizmo mine 1 -61 1', true, 'Dropped 1 [Dirt] from loot table minecraft:blocks/grass_block'],
  ['jfr start', false, 'This world has no /jfr: what it costs is told by `accord doctor`'],
  ['stop', true, 'Stopping the server']
]
const WORLD = makeWorld({ players: { Gizmo: { x: 0.5, z: 0.5 }, Glitch: { x: 4.5, z: 0.5 } } })
for (const [text, ok, reply] of ANSWERS) {
  test(`/${text}`, () => {
    const answer = WORLD.command(text)
    assert.deepEqual({ ok: answer.ok, reply: answer.reply }, { ok, reply })
  })
}

/** Malformed commands; none may throw or change the players. */
const MALFORMED = ['', ' ', '/', 'constructor', 'toString', 'setblock NaN NaN NaN stone', 'setblock ~ ~ ~ stone[',
  'setblock 1 2 3 chest{', 'setblock 1 2 3 chest{Items:[{', 'give @a[', 'give @a[name=', 'give @a[distance=..-1] stone',
  'give @a[limit=-1] stone', 'tp @s', 'tp ^ ~ 1', 'tp 1e300 0 0', 'fill 0 0 0', 'execute', 'execute as',
  'execute as @a run', 'execute run execute run execute run',
  'scoreboard players operation a b += c', 'data get entity @e[type=zzz]', 'data get block 0 0 0 [',
  'item replace entity @a zzz with stone', 'tellraw @a {', 'tellraw @a {"text":', 'title @a title', 'time set -5',
  'time set 5x', 'effect give @a nosuch', 'enchant @a nosuch', 'gamerule nosuch true', 'summon nosuch', 'summon item',
  'kill @e[type=!nosuch]', 'say', `say ${'x'.repeat(5000)}`, `${'execute as @a '.repeat(50)}run say hi`,
  `give @a stone{${'a:{'.repeat(600)}`, 'locate structure x', '\u0000', 'random value 5', 'setblock 99999999 0 0 stone',
  'setblock 1.5 0 0 stone']
for (const text of MALFORMED) {
  test(`malformed: ${JSON.stringify(text.slice(0, 60))}`, () => {
    const world = makeWorld()
    const { reply } = world.command(text)
    assert.equal(typeof reply, 'string')
    assert.equal(world.players.get('Gizmo').dead, false)
  })
}

test('in a frozen world only players move, and time continues where it stopped', () => {
  const world = makeWorld()
  must(world, 'setblock 3 -50 3 sand')
  const gizmo = world.players.get('Gizmo')
  must(world, 'summon item 9.5 -58 9.5 {Item:{id:"minecraft:stone",Count:1b}}')
  ticks(world, 2)
  must(world, 'tick freeze')
  const still = () => [world.age, world.timeOfDay,
    ...[...world.entities.values()].filter((entity) => entity !== gizmo).map(({ y }) => y)]
  const before = still()
  ticks(world, 40)
  assert.deepEqual(still(), before)
  gizmo.moveTo({ x: 1.2, y: gizmo.y, z: 0.5, yaw: 0, pitch: 0, onGround: true })
  assert.equal(gizmo.x, 1.2)
  gizmo.air = 0
  gizmo.fireTicks = 100
  must(world, 'setblock 1 -60 2 dirt')
  gizmo.startDig({ x: 1, y: -60, z: 2 }, 1)
  const body = () => [gizmo.health, gizmo.food, gizmo.air, gizmo.fireTicks]
  const whole = body()
  ticks(world, 200)
  gizmo.finishDig({ x: 1, y: -60, z: 2 })
  assert.deepEqual([body(), world.stateAt(1, -60, 2).name], [whole, 'dirt'],
    'nobody starves, burns, drowns or mines meanwhile')
  gizmo.fireTicks = 0
  gizmo.air = 300
  must(world, 'tick unfreeze')
  ticks(world, 40)
  assert.equal(world.age, before[0] + 40)
  assert.equal(world.stateAt(3, -60, 3).name, 'sand')
})

test('every command that the engine runs is in the command tree of the version', () => {
  const { commands } = makeWorld({ players: {} })
  const known = new Set(commands.tree.children.map((/** @type {any} */ child) => child.name))
  assert.deepEqual(commands.names.filter((/** @type {string} */ name) => !known.has(name)), [])
})

test('players without operator rights may only run talk commands, with vanilla\'s refusals', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  const told = record(world, 'system')
  assert.equal(player.chat('/give Gizmo diamond 64').ok, false)
  assert.deepEqual(told.map(({ text }) => text),
    ['Unknown or incomplete command, see below for error', 'give Gizmo diamond 64<--[HERE]'])
  assert.equal(player.count(), 0)
  assert.equal(player.chat('/msg Gizmo hello').ok, true)
  must(world, 'op Gizmo')
  assert.equal(player.chat('/give @s diamond 64').ok, true)
  assert.equal(player.count('diamond'), 64)
})

/** Selectors with the names found. @type {[string, string[]][]} */
const SELECTORS = [['@a', ['A', 'B', 'C']], ['@p', ['A']], ['@a[distance=..5]', ['A', 'B']],
  ['@a[distance=5..]', ['C']], ['@a[limit=1,sort=furthest]', ['C']], ['@a[name=B]', ['B']], ['@a[name=!B]', ['A', 'C']],
  ['@a[gamemode=creative]', ['C']], ['@a[tag=red]', ['B']], ['@a[tag=!red]', ['A', 'C']],
  ['@e[type=player,x=3,y=-60,z=0,dx=2,dy=2,dz=1]', ['B']], ['@e[type=!player]', ['Pig']],
  ['@a[scores={money=2..}]', ['B']], ['@e[type=pig,limit=1]', ['Pig']], ['B', ['B']]]
for (const [selector, names] of SELECTORS) {
  test(`selector ${selector}`, () => {
    const world = makeWorld({ players: { A: { x: 0.5, z: 0.5 }, B: { x: 4.5, z: 0.5 }, C: { x: 20.5, z: 0.5 } } })
    must(world, 'gamemode creative C')
    must(world, 'tag B add red')
    must(world, 'scoreboard objectives add money dummy')
    must(world, 'scoreboard players set B money 2')
    must(world, 'summon pig 9 -60 9')
    must(world, 'scoreboard objectives add seen dummy')
    const found = record(world, 'scoreboard')
    assert.equal(found.length, 0)
    const reply = must(world, `tag ${selector} add found`)
    const all = [...world.entities.values()].filter((e) => e.tags.has('found')).map((e) => e.displayName)
    assert.deepEqual(all, names)
    assert.match(reply, names.length === 1 ? new RegExp(`to ${names[0]}$`) : new RegExp(`to ${names.length} entities$`))
  })
}

test('execute on attacker selects the attacker of the last five seconds', () => {
  const world = makeWorld({ players: { Gizmo: { x: 0.5, z: 0.5 }, Glitch: { x: 1.5, z: 0.5 } } })
  const hitBy = (/** @type {string} */ name) =>
    world.command(`execute as Glitch on attacker if entity @s[name=${name}]`).value > 0
  assert.equal(hitBy('Gizmo'), false)
  assert.equal(world.players.get('Gizmo').useEntity(world.players.get('Glitch').id, 'attack').ok, true)
  assert.deepEqual([hitBy('Gizmo'), hitBy('Glitch')], [true, false])
  ticks(world, 100)
  assert.equal(hitBy('Gizmo'), true)
  ticks(world, 1)
  assert.equal(hitBy('Gizmo'), false)
})

test('execute as, at, store and unless change the source and its place', () => {
  const world = makeWorld({ players: { A: { x: 0.5, z: 0.5 }, B: { x: 4.5, z: 0.5 } } })
  must(world, 'execute as @a at @s run setblock ~ ~-1 ~ diamond_block')
  assert.deepEqual([0, 4].map((x) => world.stateAt(x, -61, 0).name), ['diamond_block', 'diamond_block'])
  must(world, 'scoreboard objectives add n dummy')
  must(world, 'execute store result score A n run clear B diamond 0'.replace('run clear B diamond 0', 'if entity @a'))
  assert.equal(must(world, 'scoreboard players get A n'), 'A has 2 [n]')
  must(world, 'execute positioned 10 -60 10 run setblock ~ ~ ~ stone')
  assert.equal(world.stateAt(10, -60, 10).name, 'stone')
  assert.equal(world.command('execute unless block 10 -60 10 stone run say no').value, 0)
  must(world, 'execute if score A n matches 2 run setblock 11 -60 10 stone')
  assert.equal(world.stateAt(11, -60, 10).name, 'stone')
})

test('stop tells the front', () => {
  const world = makeWorld({ players: {} })
  const stops = record(world, 'stop')
  must(world, 'stop')
  assert.equal(stops.length, 1)
  ticks(world, 1)
})

test('functions of a folder run quietly, in order, within each other, and at their time', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'functions-'))
  fs.mkdirSync(path.join(folder, 'data/test/functions/deep'), { recursive: true })
  fs.writeFileSync(path.join(folder, 'data/test/functions/main.mcfunction'),
    ['# a remark', '', 'scoreboard players add n count 1', 'nosuch command', 'function test:deep/more', 'return 7',
      'scoreboard players add n count 100', ''].join('\n'))
  fs.writeFileSync(path.join(folder, 'data/test/functions/deep/more.mcfunction'),
    'scoreboard players add n \\\n  count 10\n')
  fs.writeFileSync(path.join(folder, 'data/test/functions/loop.mcfunction'), 'function test:loop\n')
  const world = makeWorld()
  world.commands.functions.byName = readFunctions(folder)
  fs.rmSync(folder, { recursive: true })
  must(world, 'scoreboard objectives add count dummy')
  const answer = world.command('function test:main')
  assert.deepEqual(answer, { ok: true, reply: 'Running function test:main', value: 7 })
  assert.equal(must(world, 'scoreboard players get n count'), 'n has 11 [count]')
  assert.equal(must(world, 'schedule function test:deep/more 1s'),
    `Scheduled function 'test:deep/more' in 20 tick(s) at gametime ${world.age + 20}`)
  ticks(world, 19)
  assert.equal(must(world, 'scoreboard players get n count'), 'n has 11 [count]')
  ticks(world, 1)
  assert.equal(must(world, 'scoreboard players get n count'), 'n has 21 [count]')
  must(world, 'schedule function test:deep/more 5t')
  must(world, 'schedule function test:deep/more 6t append')
  assert.equal(must(world, 'schedule clear test:deep/more'), 'Removed 2 schedule(s) with id test:deep/more')
  assert.equal(world.command('function test:loop').ok, true)
})

test('friendly fire of a team can be turned off', () => {
  const world = makeWorld({ players: { Gizmo: { x: 0.5, z: 0.5 }, Glitch: { x: 1.5, z: 0.5 } } })
  const [gizmo, glitch] = ['Gizmo', 'Glitch'].map((name) => world.players.get(name))
  must(world, 'team add red')
  must(world, 'team join red @a')
  must(world, 'team modify red friendlyFire false')
  gizmo.useEntity(glitch.id, 'attack')
  assert.equal(glitch.health, 20)
  must(world, 'team modify red friendlyFire true')
  gizmo.useEntity(glitch.id, 'attack')
  assert.ok(glitch.health < 20)
})

test('attributes act: health, armour, blows and knock-back', () => {
  const world = makeWorld({ players: { Gizmo: { x: 0.5, z: 0.5 }, Glitch: { x: 1.5, z: 0.5 } } })
  const [gizmo, glitch] = ['Gizmo', 'Glitch'].map((name) => world.players.get(name))
  must(world, 'attribute Glitch generic.max_health base set 10')
  assert.equal(glitch.health, 10)
  must(world, 'attribute Gizmo generic.attack_damage base set 5')
  must(world, 'attribute Glitch generic.knockback_resistance base set 1')
  ticks(world, 20)
  gizmo.useEntity(glitch.id, 'attack')
  assert.equal(glitch.health, 5)
  assert.equal(glitch.vx, 0)
})
