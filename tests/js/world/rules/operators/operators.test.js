'use strict'
/**
 * Permissions of commands, announcements to other operators, and completions (minecraft.wiki, "Permission level",
 * "Commands").
 */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { makeWorld, must, record } = require('../../helpers')

/** Return a world with two players, the first an operator. */
function withOperator () {
  const world = makeWorld({ players: { Gizmo: { x: 0.5, z: 0.5 }, Glitch: { x: 4.5, z: 0.5 } } })
  must(world, 'op Gizmo')
  return { world, gizmo: world.players.get('Gizmo'), glitch: world.players.get('Glitch') }
}

test('an operator is answered with the text and its translatable component', () => {
  const { world, gizmo } = withOperator()
  const told = record(world, 'system')
  assert.equal(gizmo.chat('/setblock 2 -60 0 stone').ok, true)
  assert.deepEqual(told.map(({ player, text }) => [player.name, text]), [['Gizmo', 'Changed the block at 2, -60, 0']])
  assert.deepEqual(JSON.parse(told[0].component), { translate: 'commands.setblock.success', with: ['2', '-60', '0'] })
})

test('a refusal is red', () => {
  const { world, gizmo } = withOperator()
  const told = record(world, 'system')
  assert.equal(gizmo.chat('/setblock 2 -61 0 grass_block').ok, false)
  assert.equal(JSON.parse(told[0].component).color, 'red')
  assert.equal(JSON.parse(told[0].component).translate, 'commands.setblock.failed')
})

test('changes are announced to other operators, queries are not, and the rule turns it off', () => {
  const { world, gizmo, glitch } = withOperator()
  must(world, 'op Glitch')
  /** @type {string[]} */
  const heard = []
  world.on('system', (/** @type {any} */ { player, text }) => { if (player === glitch) heard.push(text) })
  gizmo.chat('/time set 5')
  gizmo.chat('/time query daytime')
  gizmo.chat('/gamerule keepInventory')
  gizmo.chat('/data get entity Gizmo Health')
  world.command('weather rain')
  gizmo.chat('/gamerule sendCommandFeedback false')
  gizmo.chat('/time set 6')
  assert.deepEqual(heard, ['[Gizmo: Set the time to 5]', '[Server: Set the weather to rain]'])
})

test('a player without operator rights can run nothing and hears nothing, in any spelling', () => {
  const { world, glitch } = withOperator()
  for (const text of ['/op Glitch', '/minecraft:op Glitch', '/execute as Gizmo run op Glitch', '/op @s', '/deop Gizmo',
    '/stop', '/function a:b', '/ OP Glitch']) {
    assert.equal(glitch.chat(text).ok, false, text)
  }
  assert.equal(glitch.op, false)
  assert.equal(world.players.get('Gizmo').op, true)
  assert.equal(glitch.chat('/list').ok, true)
  assert.equal(glitch.chat('/msg @a hello').ok, false)
})

test('nothing makes an agent\'s body an operator', () => {
  const { world, gizmo, glitch } = withOperator()
  world.commands.neverOps.add('Glitch')
  assert.equal(gizmo.chat('/op Glitch').ok, false)
  assert.equal(world.command('op Glitch').ok, false)
  world.removePlayer(glitch)
  const again = world.addPlayer('Glitch', { op: true })
  assert.equal(again.op, false)
  assert.equal(again.chat('/give @s diamond').ok, false)
})

test('a player whose operator rights were removed rejoins without them', () => {
  const { world, gizmo } = withOperator()
  world.removePlayer(gizmo)
  must(world, 'deop Gizmo')
  assert.equal(world.addPlayer('Gizmo').op, false)
})

test('coming and going is announced in yellow, with a name that can be clicked', () => {
  const { world, glitch } = withOperator()
  const told = record(world, 'system')
  world.removePlayer(glitch)
  world.addPlayer('Glitch')
  assert.deepEqual(told.map(({ text, arrival }) => [text, arrival]),
    [['Glitch left the game', true], ['Glitch joined the game', true]])
  const component = JSON.parse(told[1].component)
  assert.equal(component.color, 'yellow')
  assert.equal(component.with[0].insertion, 'Glitch')
})

/** Typed text, level by name, completions. @type {[string, string, string[]][]} */
const OFFERS = [
  ['/weather ', 'Gizmo', ['clear', 'rain', 'thunder']], ['/weather r', 'Gizmo', ['rain']],
  ['/gamemode creative G', 'Gizmo', ['Gizmo', 'Glitch']],
  ['/gamemode ', 'Gizmo', ['adventure', 'creative', 'spectator', 'survival']],
  ['/execute as Gizmo run weath', 'Gizmo', ['weather']],
  ['/give Gizmo diamond_sw', 'Gizmo', ['minecraft:diamond_sword']], ['/team join ', 'Gizmo', []],
  ['/weather', 'Glitch', []], ['/weather ', 'Glitch', []], ['/tel', 'Glitch', ['tell']],
  ['/msg ', 'Glitch', ['Gizmo', 'Glitch']]
]
for (const [text, name, matches] of OFFERS) {
  test(`${name} who has typed ${JSON.stringify(text)} is offered ${matches.join(', ') || 'nothing'}`, () => {
    const { world } = withOperator()
    assert.deepEqual(world.commands.suggest(text, world.players.get(name)).matches, matches)
  })
}

test('a completion begins where the word begins', () => {
  const { world, gizmo } = withOperator()
  assert.equal(world.commands.suggest('/weather r', gizmo).start, 9)
  assert.deepEqual(world.commands.suggest('/'.repeat(3000), gizmo).matches, [])
})
