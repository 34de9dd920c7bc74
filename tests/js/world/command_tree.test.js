'use strict'
/**
 * Every command of the version's own tree, in every form in which it may end: it works, or is refused by name in one
 * line.
 */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { makeWorld, must, ticks } = require('./helpers')
const { REFUSED } = require('../../../engine/world/commands/commands')

/** @typedef {import('../../../engine/world/commands/tree').TreeNode} Node */

/** Sample arguments by name, then by type. @type {Record<string, string>} */
const BY_NAME = {
  'data.path': 'a', targetPath: 'a', sourcePath: 'a', storage: 't:s', function: 't:f', score: '1', objective: 'n',
  targetObjective: 'n', sourceObjective: 'n', 'trigger.objective': 'go', id: 't:b', team: 'red', criteria: 'dummy',
  loot_table: 'minecraft:blocks/stone', feature: 'oak', structure: 'stronghold', pool: 'minecraft:village',
  template: 't:t', advancement: 'minecraft:story/root', criterion: 'c', recipe: 'minecraft:stick',
  damageType: 'minecraft:generic',
  'damage.amount': '1', slot: 'weapon', sourceSlot: 'container.0', 'block.slot': 'container.0',
  enchantment: 'minecraft:sharpness', effect: 'minecraft:speed', attribute: 'minecraft:generic.max_health',
  sound: 'minecraft:ui.button.click', poi: 'minecraft:armorer',
  modifier: 't:m', predicate: 't:p', rule: 'keepInventory', action: 'hello', entity: '@e[type=pig,limit=1]',
  'summon.entity': 'minecraft:pig', vehicle: '@e[type=boat,limit=1]', 'ride.target': 'Glitch', objective_name: 'n',
  player: 'Gizmo', 'spectate.target': 'Glitch',
  'scoreboard.slot': 'sidebar', center: '~ ~', spreadDistance: '0', maxRange: '20', maxHeight: '0', name: 'x',
  'function.name': 't:f', 'execute.name': 't:f', 'particle.name': 'minecraft:flame', 'bossbar.name': '"b"',
  'team.member': 'Gizmo', members: 'Gizmo', rate: '20', amount: '1', distance: '100',
  damagePerBlock: '1', scale: '1', from: '~ ~ ~', to: '~1 ~1 ~1', begin: '~ ~ ~', end: '~ ~ ~', 'string.end': '2',
  destination: '~5 ~ ~5', 'teleport.destination': 'Glitch', 'tp.destination': 'Glitch', 'forceload.from': '~ ~',
  'forceload.to': '~ ~', pos: '~ ~ ~', angle: '0', index: '0', start: '0',
  targetPos: '6 -60 6', sourcePos: '6 -60 6', 'item.pos': '6 -60 6', 'item.source': 'Gizmo', location: '~ ~ ~',
  'worldborder.pos': '0 0', filter: 'stone', biome: 'minecraft:plains', 'fillbiome.filter': 'minecraft:plains',
  uuid: '1-2-3-4-5', 'storage.target': 't:s', 'storage.source': 't:s', 'entity.source': '@e[type=pig,limit=1]',
  'entity.target': '@e[type=pig,limit=1]', 'block.source': '6 -60 6', 'display.name': '"x"', 'blocks.start': '~ ~ ~',
  'blocks.end': '~1 ~1 ~1', 'query.pos': '~ ~', 'jigsaw.target': 't:t', pattern: 'x', targets: 'Gizmo', target: 'Gizmo',
  'data.target': '@e[type=pig,limit=1]', 'data.source': '@e[type=pig,limit=1]'
}
/** @type {Record<string, string>} */
const BY_TYPE = {
  'brigadier:bool': 'true', 'brigadier:integer': '1', 'brigadier:long': '1', 'brigadier:float': '1',
  'brigadier:double': '1', 'brigadier:string': 'x', 'minecraft:entity': 'Gizmo', 'minecraft:game_profile': 'Gizmo',
  'minecraft:score_holder': 'Gizmo', 'minecraft:block_pos': '~ ~ ~',
  'minecraft:vec3': '~ ~ ~', 'minecraft:vec2': '~ ~', 'minecraft:column_pos': '~ ~', 'minecraft:rotation': '0 0',
  'minecraft:angle': '0', 'minecraft:block_state': 'stone', 'minecraft:block_predicate': 'stone',
  'minecraft:item_stack': 'stone', 'minecraft:item_predicate': 'stone',
  'minecraft:nbt_compound_tag': '{}', 'minecraft:nbt_tag': '1', 'minecraft:nbt_path': 'a', 'minecraft:component': '"x"',
  'minecraft:style': '{}', 'minecraft:int_range': '1..5', 'minecraft:float_range': '1..5',
  'minecraft:gamemode': 'survival', 'minecraft:time': '1t',
  'minecraft:entity_anchor': 'eyes', 'minecraft:item_slot': 'weapon', 'minecraft:swizzle': 'xz',
  'minecraft:resource': 'minecraft:x', 'minecraft:resource_location': 't:s', 'minecraft:resource_key': 'minecraft:x',
  'minecraft:resource_or_tag': 'minecraft:plains',
  'minecraft:resource_or_tag_key': 'minecraft:village_plains', 'minecraft:dimension': 'minecraft:overworld',
  'minecraft:objective_criteria': 'dummy', 'minecraft:objective': 'n', 'minecraft:team': 'red',
  'minecraft:color': 'red', 'minecraft:scoreboard_slot': 'sidebar',
  'minecraft:operation': '=', 'minecraft:uuid': '1-2-3-4-5', 'minecraft:particle': 'minecraft:flame',
  'minecraft:function': 't:f', 'minecraft:message': 'hello', 'minecraft:heightmap': 'world_surface',
  'minecraft:template_rotation': 'none', 'minecraft:template_mirror': 'none'
}

/** @param {Node} node @param {string[]} path @returns {string} */
function sample (node, path) {
  if (node.type === 'literal') return node.name
  for (const word of path.slice().reverse()) if (BY_NAME[`${word}.${node.name}`]) return BY_NAME[`${word}.${node.name}`]
  return BY_NAME[node.name] ?? BY_TYPE[node.parser?.parser ?? '']
}

/**
 * Visit every form in which a command may end.
 * @param {Node} node
 * @param {string[]} names
 * @param {string[]} words
 * @param {(text: string) => void} visit
 */
function forms (node, names, words, visit) {
  const [path, said] = [[...names, node.name], [...words, sample(node, names)]]
  const last = names[0] === 'execute' && node.redirects.length > 0
  if (node.executable) visit(said.join(' '))
  // Forms after another word of execute are covered by that word.
  else if (last) visit(`${said.join(' ')} run seed`)
  if (last || (node.redirects.length > 0 && node.children.length === 0)) return
  for (const child of node.children) forms(child, path, said, visit)
}

/** Return a world that contains nearly everything that the samples name. */
function stage () {
  const world = makeWorld({ players: { Gizmo: { x: 0.5, z: 0.5 }, Glitch: { x: 4.5, z: 0.5 } } })
  world.commands.functions.byName = new Map([['t:f', ['seed']]])
  for (const text of ['scoreboard objectives add n dummy', 'scoreboard objectives add go trigger',
    'scoreboard players enable Gizmo go', 'scoreboard players set Gizmo n 1', 'bossbar add t:b "b"', 'team add red',
    'summon pig 8 -60 8', 'summon boat 9 -60 9', 'setblock 6 -60 6 chest', 'data merge storage t:s {a:1}',
    'give Gizmo stone']) {
    must(world, text)
  }
  return world
}

/** Start of a refusal that means that the engine does not know what the grammar allows. */
const BLIND = /^(Incorrect argument|Unknown or incomplete command|commands?\.)|is not run by this world engine/
/** @type {Node[]} */
const COMMANDS = stage().commands.tree.children

for (const command of COMMANDS) {
  test(`every form of /${command.name}`, () => {
    let count = 0
    forms(command, [], [], (text) => {
      count++
      const world = stage()
      const { ok, reply } = world.command(`execute as Gizmo at @s run ${text}`)
      assert.equal(BLIND.test(reply), false, `${text}: ${reply}`)
      if (command.name in REFUSED) assert.equal(reply, `This world has no /${command.name}: ${REFUSED[command.name]}`)
      // A refusal is one line; only syntax errors have a second one that shows the position.
      else if (!ok) assert.equal(reply.includes('\n'), false, `${text}: ${reply}`)
      ticks(world, 1)
    })
    const direct = command.redirects.length > 0 || command.name === 'return'
    assert.equal(count > 0 || direct, true)
  })
}

test('only commands without a meaning here are refused by name', () => {
  assert.deepEqual(Object.keys(REFUSED).sort(),
    ['ban', 'ban-ip', 'banlist', 'datapack', 'debug', 'jfr', 'pardon', 'pardon-ip', 'perf', 'publish', 'reload',
    'setidletimeout'])
})
