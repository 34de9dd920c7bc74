/** Colours that colour-blind people can distinguish, and their assignment. */

/** Okabe and Ito's palette without black, extended by darker and lighter variants. */
export const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8a6d00', '#7a52a5',
  '#b2182b', '#3b7d4f', '#e78ac3', '#4d4d4d']

/** Colour of players without the shown property, such as a role or faith. */
const NONE = '#8b8f96'

export const MARKS = /** @type {Record<string, string>} */ ({
  contract: '#0072b2', agreed: '#009e73', verdict: '#7a52a5', transfer: '#e69f00', tool: '#56b4e9', episode: '#8b8f96',
  end: '#8b8f96', vote: '#cc79a7', season: '#8a6d00', conversion: '#e78ac3', attack: '#d55e00', breach: '#b2182b',
  error: '#b2182b', fault: '#d98c00', tax: '#8a6d00', person: '#3b7d4f', soup: '#009e73'
})

/** @param {string} kind of a mark */
export function markColour (kind) {
  return Object.hasOwn(MARKS, kind) ? MARKS[kind] : '#8b8f96'
}

/**
* Return a colour for each name in order; equal names get equal colours.
 * @param {Iterable<string>} names
 * @returns {Map<string, string>}
 */
export function coloursOf (names) {
  return new Map([...names].map((name, place) => [name, COLOURS[place % COLOURS.length]]))
}

/** Properties by which players can be coloured, with their values in a scene. */
export const WAYS = /** @type {Record<string, (scene: any, name: string) => string>} */ ({
  player: (_scene, name) => name,
  role: (scene, name) => scene.role?.[name] ?? '',
  faith: (scene, name) => scene.faith?.[name] ?? '',
  town: (scene, name) => scene.town?.[name] ?? '',
  group: (scene, name) => scene.player?.[name]?.group ?? '',
  author: (scene, name) => scene.player?.[name]?.author ?? ''
})

/**
* Return the properties that distinguish players in this scene.
 * @param {any} scene
 */
export function waysOf (scene) {
  const names = Object.keys(scene.player ?? {})
  return Object.keys(WAYS).filter(
    (way) => new Set(names.map((name) => WAYS[way](scene, name))).size > 1 || way === 'player')
}

/**
* Return player -> colour, and the meanings of the colours.
 * @param {any} scene
 * @param {string} way
 */
export function paint (scene, way) {
  const names = Object.keys(scene.player ?? {})
  const told = WAYS[way] ?? WAYS.player
  const found = [...new Set(names.map((name) => told(scene, name)))].sort(way === 'player' ? () => 0 : undefined)
  const meaning = coloursOf(found.filter(Boolean))
  if (found.includes('')) meaning.set('', NONE)
  return { meaning, of: new Map(names.map((name) => [name, meaning.get(told(scene, name)) ?? '#888888'])) }
}
