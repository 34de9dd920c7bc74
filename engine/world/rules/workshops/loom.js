'use strict'
/**
 * Looms (minecraft.wiki, "Loom"): a dyed pattern on a banner, at most six. The buttons are vanilla's, in the order of
 * its patterns without an item.
 */
const { dataOf } = require('../items/item_data')

/** Vanilla's codes of the patterns that need no item. */
const PATTERNS = Object.freeze(['bl', 'br', 'tl', 'tr', 'bs', 'ts', 'ls', 'rs', 'cs', 'ms', 'drs', 'dls', 'ss', 'cr',
  'sc', 'bt', 'tt', 'bts', 'tts', 'ld', 'rud', 'lud', 'rd', 'mc', 'mr', 'vh', 'hh', 'vhr', 'hhb', 'bo', 'cbo', 'gra',
  'gru', 'bri'])
/** Vanilla's codes of the patterns that need an item. @type {Record<string, string>} */
const WITH_ITEM = { globe_banner_pattern: 'glb', creeper_banner_pattern: 'cre', skull_banner_pattern: 'sku',
  flower_banner_pattern: 'flo', mojang_banner_pattern: 'moj', piglin_banner_pattern: 'pig' }
const COLOURS = Object.freeze(['white', 'orange', 'magenta', 'light_blue', 'yellow', 'lime', 'pink', 'gray',
  'light_gray', 'cyan', 'purple', 'blue', 'brown', 'green', 'red', 'black'])
const MAX_PATTERNS = 6

/** @type {import('./workshop').Shop} */
const LOOM = {
  menu: 'loom',
  title: 'container.loom',
  accepts: [(item) => item.name.endsWith('_banner'), (item) => item.name.endsWith('_dye'),
    (item) => item.name.endsWith('_banner_pattern')],
  gives: true,
  refresh: (work) => {
    const [banner, dye, extra] = [work.get(0), work.get(1), work.get(2)]
    const code = extra ? WITH_ITEM[extra.name] : PATTERNS[work.state.chosen ?? -1]
    const value = dataOf(banner)
    const tag = value.BlockEntityTag?.value ?? {}
    const before = tag.Patterns?.value?.value ?? []
    if (!banner || !dye || !code || before.length >= MAX_PATTERNS) return work.give(null)
    const pattern = { Pattern: { type: 'string', value: code },
      Color: { type: 'int', value: COLOURS.indexOf(dye.name.replace(/_dye$/, '')) } }
    const BlockEntityTag = { type: 'compound',
      value: { ...tag, Patterns: { type: 'list', value: { type: 'compound', value: [...before, pattern] } } } }
    work.give(work.world.stacks.make(banner.name, 1,
      { type: 'compound', name: '', value: { ...value, BlockEntityTag } }))
  },
  button: (work, index) => {
    if (!work.get(0) || !work.get(1) || !PATTERNS[index]) return false
    work.state.chosen = index
    work.refresh()
    return true
  },
  take: (work) => {
    work.use(0)
    work.use(1)
  }
}

module.exports = { LOOM }
