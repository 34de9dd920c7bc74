/** Pointer input for mice and fingers: moving and scaling the map, choosing players, reading marks. */
import { byId, clockText, safeText } from './dom.mjs'

/** Maximum movement of a press that counts as a click, in pixels. */
const STILL = 4

/** @param {import('./app.mjs').App} app */
export function handlePointer (app) {
  const canvas = /** @type {HTMLCanvasElement} */ (byId('map'))
  /** @type {Map<number, [number, number]>} */
  const held = new Map()
  let moved = 0
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    held.set(event.pointerId, [event.offsetX, event.offsetY])
    moved = 0
    canvas.classList.add('dragged')
  })
  canvas.addEventListener('pointermove', (event) => {
    const before = held.get(event.pointerId)
    if (!before) return hover(app, event)
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1]
    const now = /** @type {[number, number]} */ ([event.offsetX, event.offsetY])
    if (other) app.map.camera.scale(far(now, other) / Math.max(1, far(before, other)), other[0], other[1])
    else if (!app.place.follow) app.map.camera.pan(now[0] - before[0], now[1] - before[1])
    moved += far(now, before)
    held.set(event.pointerId, now)
  })
  const release = (/** @type {PointerEvent} */ event) => {
    if (held.delete(event.pointerId) && moved < STILL && event.type === 'pointerup') {
      app.choose(app.under(event.offsetX, event.offsetY).player || (app.place.follow ? app.place.agent : ''))
    }
    if (!held.size) canvas.classList.remove('dragged')
  }
  canvas.addEventListener('pointerup', release)
  canvas.addEventListener('pointercancel', release)
  canvas.addEventListener('pointerleave', () => { byId('hover').hidden = true })
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault()
    app.map.camera.scale(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY)
  }, { passive: false })
  const bar = byId('bar')
  bar.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
    const marks = /** @type {HTMLElement} */ (byId('marks'))
    const left = event.clientX - marks.getBoundingClientRect().left
    bar.title = app.marksAt(left, marks.clientWidth).slice(0, 6)
      .map((mark) => `${clockText(mark[1])} ${mark[2]}: ${safeText(mark[4])}`).join('\n')
  })
}

/** @param {[number, number]} one @param {[number, number]} other */
function far (one, other) {
  return Math.hypot(one[0] - other[0], one[1] - other[1])
}

/** @param {import('./app.mjs').App} app @param {PointerEvent} event */
function hover (app, event) {
  const told = byId('hover')
  told.textContent = safeText(app.under(event.offsetX, event.offsetY).text)
  told.hidden = false
  const width = told.offsetWidth
  told.style.left = `${Math.min(event.offsetX + 12, app.map.camera.width - width - 4)}px`
  told.style.top = `${Math.max(4, event.offsetY - 30)}px`
}
