'use strict'
/** Registries, tags and features that a client gets once, before it plays; all frames are built once per front. */
const minecraftData = require('minecraft-data')

/** @typedef {import('./codec').Codec} Codec */

/**
 * Block tags by a rule on the block's name; a client uses them for mining speed, climbing, and sounds.
 * @type {Record<string, RegExp>}
 */
const BLOCK_TAGS = Object.freeze({
  'minecraft:climbable': /^(ladder|vine|scaffolding|(weeping|twisting|cave)_vines(_plant)?)$/,
  'minecraft:leaves': /_leaves$/,
  'minecraft:logs': /_(log|wood|stem|hyphae)$/,
  'minecraft:planks': /_planks$/,
  'minecraft:wool': /_wool$/,
  'minecraft:fences': /_fence$/,
  'minecraft:wooden_fences': /^(?!nether_brick).*_fence$/,
  'minecraft:fence_gates': /_fence_gate$/,
  'minecraft:walls': /_wall$/,
  'minecraft:doors': /_door$/,
  'minecraft:trapdoors': /_trapdoor$/,
  'minecraft:beds': /_bed$/,
  'minecraft:signs': /_sign$/,
  'minecraft:slabs': /_slab$/,
  'minecraft:stairs': /_stairs$/,
  'minecraft:buttons': /_button$/,
  'minecraft:shulker_boxes': /shulker_box$/,
  'minecraft:dirt': /^(dirt|grass_block|podzol|coarse_dirt|mycelium|rooted_dirt|moss_block|mud)$/,
  'minecraft:replaceable': /^(air|water|lava|short_grass|fern|dead_bush|fire|snow|vine|cave_air|void_air|seagrass)$/
})

/** Fluids in the order of the client's own registry: empty, flowing water, water, flowing lava, lava. */
const FLUID_TAGS = Object.freeze({ 'minecraft:water': [2, 1], 'minecraft:lava': [4, 3] })

/**
 * @param {any} data minecraft-data of the version
 * @returns {Map<string, number[]>} tag name -> block ids
 */
function blockTags (data) {
  const tags = new Map()
  const put = (/** @type {string} */ name, /** @type {number} */ id) => {
    if (!tags.has(name)) tags.set(name, [])
    tags.get(name).push(id)
  }
  for (const block of data.blocksArray) {
    for (const [name, rule] of Object.entries(BLOCK_TAGS)) if (rule.test(block.name)) put(name, block.id)
    const mineable = /mineable\/\w+/.exec(block.material ?? '')
    if (mineable) put(`minecraft:${mineable[0]}`, block.id)
  }
  return tags
}

/**
 * @param {any} data
 * @returns {{tagType: string, tags: {tagName: string, entries: number[]}[]}[]}
 */
function allTags (data) {
  const listed = (/** @type {Iterable<[string, number[]]>} */ pairs) => [
    ...pairs
  ].map(([tagName, entries]) => ({ tagName, entries }))
  const items = [...blockTags(data).keys()].flatMap((name) => {
    const rule = BLOCK_TAGS[name]
    const entries = rule
      ? data.itemsArray.filter((/** @type {any} */ i) => rule.test(i.name)).map((/** @type {any} */ i) => i.id)
      : []
    return entries.length > 0 ? [/** @type {[string, number[]]} */ ([name, entries])] : []
  })
  return [
    { tagType: 'minecraft:block', tags: listed(blockTags(data)) },
    { tagType: 'minecraft:fluid', tags: listed(Object.entries(FLUID_TAGS)) },
    { tagType: 'minecraft:item', tags: listed(items) }
  ]
}

/**
 * Return the frames of the configuration phase.
 * @param {Codec} codec
 * @param {string} brand what a client's debug screen shows
 * @returns {Buffer}
 */
function configurationFrames (codec, brand) {
  const data = minecraftData(codec.version)
  const name = Buffer.from(brand, 'utf8')
  return Buffer.concat([
    codec.encode(
      'configuration',
      'custom_payload',
      { channel: 'minecraft:brand', data: Buffer.concat([Buffer.from([name.length]), name]) }
    ),
    codec.encode('configuration', 'feature_flags', { features: ['minecraft:vanilla'] }),
    codec.encode('configuration', 'registry_data', { codec: /** @type {any} */ (data).loginPacket.dimensionCodec }),
    codec.encode('configuration', 'tags', { tags: allTags(data) }),
    codec.encode('configuration', 'finish_configuration', {})
  ])
}

module.exports = { configurationFrames }
