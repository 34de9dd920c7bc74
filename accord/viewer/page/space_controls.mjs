/** Control of the view in three dimensions: keys that are held, mouse, and fingers. */
import { byId, safeText } from './dom.mjs'
import { FLIGHT_KEYS } from './flight.mjs'

/** Maximum movement of a press that counts as a click, in pixels. */
const CLICK_STILL = 4
/** Blocks per step of a wheel, per pixel that fingers move apart, and per pixel that they drag. */
const WHEEL = 0.035
const PINCH = 0.06
const SLIDE = 0.03

/** @param {string} key as events name it */
export const flightKey = (key) => key.length === 1 ? key.toLowerCase() : key

/** @param {import('./app.mjs').App} app */
export function handleSpace (app) {
  const canvas = /** @type {HTMLCanvasElement} */ (byId('over'))
  const { flight } = app.space
  const little = matchMedia('(prefers-reduced-motion: reduce)')
  flight.calm = little.matches
  little.addEventListener('change', () => { flight.calm = little.matches })
  canvas.addEventListener('keydown', (event) => {
    flight.fast = event.shiftKey
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(FLIGHT_KEYS, flightKey(event.key))) return
    flight.held.add(flightKey(event.key))
    event.preventDefault()
  })
  canvas.addEventListener('keyup', (event) => {
    flight.fast = event.shiftKey
    flight.held.delete(flightKey(event.key))
  })
  canvas.addEventListener('blur', () => flight.held.clear())
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault()
    flight.advance(-event.deltaY * WHEEL)
  }, { passive: false })
  handleFingers(app, canvas)
}

/** @param {import('./app.mjs').App} app @param {HTMLCanvasElement} canvas */
function handleFingers (app, canvas) {
  const { flight } = app.space
  /** @type {Map<number, [number, number]>} */
  const held = new Map()
  let moved = 0
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    held.set(event.pointerId, [event.offsetX, event.offsetY])
    moved = 0
  })
  canvas.addEventListener('pointermove', (event) => {
    const before = held.get(event.pointerId)
    if (!before) return showName(app, event)
    const now = /** @type {[number, number]} */ ([event.offsetX, event.offsetY])
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1]
    const [right, down] = [now[0] - before[0], now[1] - before[1]]
    if (other) {
      const apart = (/** @type {[number, number]} */ finger) => Math.hypot(finger[0] - other[0], finger[1] - other[1])
      flight.advance((apart(now) - apart(before)) * PINCH)
      flight.slide(-right * SLIDE, down * SLIDE)
    } else flight.turn(right, down)
    moved += Math.hypot(right, down)
    held.set(event.pointerId, now)
  })
  const release = (/** @type {PointerEvent} */ event) => {
    const clicked = held.delete(event.pointerId) && moved < CLICK_STILL && event.type === 'pointerup'
    const name = clicked ? app.space.playerAt(event.offsetX, event.offsetY)?.name : undefined
    if (name !== undefined) app.choose(name)
  }
  canvas.addEventListener('pointerup', release)
  canvas.addEventListener('pointercancel', release)
  canvas.addEventListener('pointerleave', () => { byId('hover').hidden = true })
}

/** @param {import('./app.mjs').App} app @param {PointerEvent} event */
function showName (app, event) {
  const name = app.space.playerAt(event.offsetX, event.offsetY)?.name
  const told = byId('hover')
  told.hidden = name === undefined
  if (name === undefined) return
  const { role, act } = app.scene
  told.textContent = safeText([name, role?.[name], act?.[name]?.text].filter(Boolean).join(' · '))
  told.style.left = `${Math.min(event.offsetX + 12, app.space.camera.width - told.offsetWidth - 4)}px`
  told.style.top = `${Math.max(4, event.offsetY - 30)}px`
}
