/** Keyboard shortcuts. */
import { FLIGHT_KEYS } from './flight.mjs'
import { TABS } from './place.mjs'
import { flightKey } from './space_controls.mjs'

/**
 * @typedef {{toggle: () => void, jump: (seconds: number) => void, mark: (step: number) => void, speed: (step: number)
 *   => void, start: () => void, end: () => void, agent: (step: number) => void, nobody: () => void, follow: () => void,
 *   zoom: (times: number) => void, whole: () => void, hearing: () => void, areas: () => void, bubbles: () => void, tab:
 *   (name: string) => void, theme: () => void, space: () => void, eyes: () => void, pan: (right: number, down:
 * number) => void}} Acts
 */

const PAN = 60

/** Arrows on the map. @type {Record<string, (acts: Acts) => void>} */
const ON_MAP = {
  ArrowLeft: (acts) => acts.pan(PAN, 0),
  ArrowRight: (acts) => acts.pan(-PAN, 0),
  ArrowUp: (acts) => acts.pan(0, PAN),
  ArrowDown: (acts) => acts.pan(0, -PAN)
}

/** @type {Record<string, (acts: Acts, shift: boolean) => void>} */
const EVERYWHERE = {
  ' ': (acts) => acts.toggle(),
  ArrowLeft: (acts, shift) => acts.jump(shift ? -60 : -5),
  ArrowRight: (acts, shift) => acts.jump(shift ? 60 : 5),
  '[': (acts) => acts.mark(-1),
  ']': (acts) => acts.mark(1),
  ',': (acts) => acts.speed(-1),
  '.': (acts) => acts.speed(1),
  Home: (acts) => acts.start(),
  End: (acts) => acts.end(),
  n: (acts) => acts.agent(1),
  p: (acts) => acts.agent(-1),
  Escape: (acts) => acts.nobody(),
  f: (acts) => acts.follow(),
  '+': (acts) => acts.zoom(1.4),
  '=': (acts) => acts.zoom(1.4),
  '-': (acts) => acts.zoom(1 / 1.4),
  0: (acts) => acts.whole(),
  h: (acts) => acts.hearing(),
  a: (acts) => acts.areas(),
  b: (acts) => acts.bubbles(),
  t: (acts) => acts.theme(),
  v: (acts) => acts.space(),
  i: (acts) => acts.eyes(),
  ...Object.fromEntries(TABS.map((tab, place) => [String(place + 1), (/** @type {Acts} */ acts) => acts.tab(tab)]))
}

/**
* Return the action of a key, or null if the focused element handles the key itself.
 * @param {{key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, target: any}} event
 * @returns {((acts: Acts, shift: boolean) => void) | null}
 */
export function actionFor ({ key, ctrlKey, metaKey, altKey, target }) {
  if (ctrlKey || metaKey || altKey) return null
  const [tag, kind] = [target?.tagName, target?.type]
  if (tag === 'SELECT' || tag === 'TEXTAREA' || (tag === 'INPUT' && kind !== 'range' && kind !== 'checkbox')) {
    return null
  }
  if (key === ' ' && (tag === 'BUTTON' || tag === 'SUMMARY' || tag === 'INPUT')) return null
  // In three dimensions these keys fly while they are held.
  if (target?.id === 'over' && Object.hasOwn(FLIGHT_KEYS, flightKey(key))) return null
  if (target?.id === 'map' && Object.hasOwn(ON_MAP, key)) return ON_MAP[key]
  return Object.hasOwn(EVERYWHERE, key) ? EVERYWHERE[key] : null
}
