/** Address of a moment: the part after # in the page's address, which makes moments shareable. */

export const TABS = ['agents', 'words', 'contract', 'calls', 'numbers', 'marks', 'help']

/**
 * @typedef {{run: string, t: number | null, agent: string, tab: string, x: number | null, z: number | null, zoom:
 *   number | null, follow: boolean, view: string, eyes: boolean, camera: number[] | null}} Place `view`: `3d` or
 * empty for
 *   the map; `camera`: x, y, z, yaw and pitch
 */

/**
 * @param {string} hash with or without its #
 * @returns {Place} what cannot be read is left out
 */
export function readPlace (hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const number = (/** @type {string} */ key) => {
    const value = given.get(key)
    const found = value === null || value.trim() === '' ? NaN : Number(value)
    return Number.isFinite(found) && Math.abs(found) < 1e9 ? found : null
  }
  const tab = given.get('tab') ?? ''
  return {
    run: given.get('run') ?? '',
    t: number('t'),
    agent: given.get('agent') ?? '',
    tab: TABS.includes(tab) ? tab : 'agents',
    x: number('x'),
    z: number('z'),
    zoom: number('zoom'),
    follow: given.get('follow') === '1',
    view: given.get('view') === '3d' ? '3d' : '',
    eyes: given.get('eyes') === '1',
    camera: readCamera(given.get('camera') ?? '')
  }
}

/** @param {string} text five numbers with commas between them */
function readCamera (text) {
  const parts = text.split(',').map((part) => part.trim() === '' ? NaN : Number(part))
  return parts.length === 5 && parts.every((part) => Number.isFinite(part) && Math.abs(part) < 3e7) ? parts : null
}

/**
 * @param {Partial<Place>} place
 * @returns {string} with its #
 */
export function writePlace (place) {
  const told = new URLSearchParams()
  if (place.run) told.set('run', place.run)
  for (const key of /** @type {const} */ (['t', 'x', 'z', 'zoom'])) {
    const value = place[key]
    if (value !== null && value !== undefined) told.set(key, String(Math.round(value * 100) / 100))
  }
  if (place.agent) told.set('agent', place.agent)
  if (place.follow) told.set('follow', '1')
  if (place.view) told.set('view', place.view)
  if (place.eyes) told.set('eyes', '1')
  if (place.camera) told.set('camera', place.camera.map((part) => Math.round(part * 100) / 100).join())
  if (place.tab && place.tab !== 'agents') told.set('tab', place.tab)
  return `#${told}`
}
