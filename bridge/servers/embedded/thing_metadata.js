'use strict'
/** Metadata of displays, interactions, clouds, paintings and carts for clients, from their saved data. */
const { fromJson } = require('./components')
const { elements, number } = require('../../../engine/world/nbt/values')
const { stateFromNbt } = require('../../../engine/world/nbt/blocks')
const { itemFromNbt } = require('../../../engine/world/nbt/items')
const { nameTable } = require('../../../engine/name_table')

/** @typedef {import('../../../engine/world/nbt/values').Tag} Tag */
/**
 * @typedef {[name: string, type: string, value: any]} Entry minecraft-data's name of the field, the type on the wire
 */
/** @typedef {(tag: Tag, entity: any, Item: any) => Entry[]} Maker */

const BILLBOARDS = ['fixed', 'vertical', 'horizontal', 'center']
const ITEM_PLACES = [
  'none', 'thirdperson_lefthand', 'thirdperson_righthand', 'firstperson_lefthand', 'firstperson_righthand', 'head',
  'gui', 'ground', 'fixed'
]
/** Bits of a text display's style. */
const STYLE = Object.freeze({ shadow: 1, see_through: 2, default_background: 4 })
const ALIGNMENTS = Object.freeze({ center: 0, left: 8, right: 16 })

/** @param {string} name @param {string} type @returns {Maker} */
const plain = (name, type) => (tag) => [[name, type, number(tag, 0)]]
/** @param {string} name @param {string[]} words @returns {Maker} */
const choice = (name, words) => (tag) => [[name, 'byte', Math.max(0, words.indexOf(String(tag.value)))]]

/** @param {Tag | undefined} tag @returns {number[]} */
const floats = (tag) => elements(tag).map((part) => number(part, 0))

/**
 * Return a rotation given as a quaternion or by an angle about an axis.
 * @param {Tag | undefined} tag
 */
function quaternion (tag) {
  if (tag?.type === 'compound') {
    const [x = 0, y = 0, z = 0] = floats(tag.value.axis)
    const half = number(tag.value.angle, 0) / 2
    return { x: x * Math.sin(half), y: y * Math.sin(half), z: z * Math.sin(half), w: Math.cos(half) }
  }
  const [x = 0, y = 0, z = 0, w = 1] = floats(tag)
  return { x, y, z, w }
}

/** Return a transformation; of a matrix only the translation and the scale along the axes are used. @type {Maker} */
function transformation (tag) {
  if (tag.type !== 'compound') {
    const m = floats(tag)
    if (m.length !== 16) return []
    return [
      ['translation', 'vector3', { x: m[3], y: m[7], z: m[11] }], ['scale', 'vector3', { x: m[0], y: m[5], z: m[10] }]
    ]
  }
  const { translation, scale, left_rotation: left, right_rotation: right } = tag.value
  const [x = 0, y = 0, z = 0] = floats(translation)
  const [sx = 1, sy = 1, sz = 1] = floats(scale)
  return [
    ['translation', 'vector3', { x, y, z }], ['scale', 'vector3', { x: sx, y: sy, z: sz }],
    ['left_rotation', 'quaternion', quaternion(left)], ['right_rotation', 'quaternion', quaternion(right)]
  ]
}

/** @param {string} name @returns {Maker} */
const stack = (name) =>
  (tag, entity, Item) => [[name, 'item_stack', Item.toNotch(itemFromNbt(entity.world, tag.value))]]

/** Makers of metadata, by the name in the saved data. @type {Record<string, Maker>} */
const MAKERS = nameTable({
  transformation,
  billboard: choice('billboard_render_constraints', BILLBOARDS),
  brightness: (tag) => [
    ['brightness_override', 'int', number(tag.value.block, 0) << 4 | number(tag.value.sky, 0) << 20]
  ],
  view_range: plain('view_range', 'float'), shadow_radius: plain('shadow_radius', 'float'),
  shadow_strength: plain('shadow_strength', 'float'), width: plain('width', 'float'), height: plain('height', 'float'),
  glow_color_override: plain('glow_color_override', 'int'),
  start_interpolation: plain('transformation_interpolation_start_delta_ticks', 'int'),
  interpolation_duration: plain('transformation_interpolation_duration', 'int'),
  teleport_duration: plain('pos_rot_interpolation_duration', 'int'),
  block_state: (tag, entity) => [['block_state', 'block_state', stateFromNbt(entity.world.data, tag) ?? 0]],
  item: stack('item_stack'), Item: stack('item_stack'), FireworksItem: stack('fireworks_item'),
  item_display: choice('item_display', ITEM_PLACES),
  text: (tag) => [['text', 'component', fromJson(String(tag.value))]],
  line_width: plain('line_width', 'int'), background: plain('background_color', 'int'),
  text_opacity: plain('text_opacity', 'byte'),
  Radius: plain('radius', 'float'), Color: plain('color', 'int'),
  DisplayState: (tag, entity) => [['display_block', 'int', stateFromNbt(entity.world.data, tag) ?? 0]],
  DisplayOffset: plain('display_offset', 'int'),
  CustomDisplayTile: (tag) => [['custom_display', 'boolean', number(tag, 0) !== 0]]
})

/** @param {Record<string, Tag>} kept */
function style (kept) {
  const bits = Object.entries(STYLE).reduce((sum, [name, bit]) => sum | (number(kept[name], 0) !== 0 ? bit : 0), 0)
  return bits | ALIGNMENTS[/** @type {'left'} */ (String(kept.alignment?.value ?? 'center'))]
}

/**
 * Return what clients are told of a thing beyond what every entity has.
 * @param {any} entity
 * @param {any} Item prismarine-item's class of the version
 * @returns {Entry[]}
 */
function thingMetadata (entity, Item) {
  if (entity.type === 'interaction') {
    return [
      ['width', 'float', entity.width], ['height', 'float', entity.height], ['response', 'boolean', entity.response]
    ]
  }
  if (entity.paintingId !== undefined) return [['painting_variant', 'painting_variant', entity.paintingId]]
  if (!entity.kept) return []
  const entries = Object.entries(entity.kept)
    .flatMap(([name, tag]) => MAKERS[name]?.(/** @type {Tag} */ (tag), entity, Item) ?? [])
  return entity.type === 'text_display' ? [...entries, ['style_flags', 'byte', style(entity.kept)]] : entries
}

module.exports = { thingMetadata }
