/** Controls around the map: playback, speed, tabs, tools on the map, legend, and steering of a running study. */
import { SPEEDS } from './clock.mjs'
import { byId, fill, h, safeText } from './dom.mjs'
import { TABS } from './place.mjs'
import { SIGHTS } from './space.mjs'

/** @typedef {import('./app.mjs').App} App */

/** Maximum entries of the legend. */
const MAX_LEGEND = 14

/**
 * @param {string} label
 * @param {string} title
 * @param {() => void} act
 * @param {string} [id]
 */
function button (label, title, act, id = '') {
  return h('button', { type: 'button', title, id, onclick: act }, label)
}

/** Create the buttons that are independent of the record. @param {App} app */
export function createButtons (app) {
  const acts = app.acts()
  byId('theme').addEventListener('click', acts.theme)
  byId('runs').addEventListener('change', (/** @type {any} */ event) => {
    app.place.t = null
    app.show(Number(event.target.value))
  })
  const onchange = (/** @type {any} */ event) => { app.clock.speed = Number(event.target.value) }
  const speed = h('select', { id: 'speed', title: 'Speed (, and .)', 'aria-label': 'Speed', onchange },
    ...SPEEDS.map((each) => h('option', { value: String(each) }, `${each}×`)))
  fill(byId('transport'), [
    button('«', 'The last mark ([)', () => acts.mark(-1)),
    button('▶', 'Play or stop (space)', acts.toggle, 'play'),
    button('»', 'The next mark (])', () => acts.mark(1)),
    speed,
    button('End', 'Go to the end, and follow a run that is played (end)', acts.end, 'live')
  ])
  byId('time').addEventListener('input', (/** @type {any} */ event) => app.seek(Number(event.target.value)))
  fill(byId('tabs'), TABS.map((tab) => {
    const label = tab === 'help' ? '?' : tab[0].toUpperCase() + tab.slice(1)
    return h('button', { type: 'button', role: 'tab', 'data-tab': tab, onclick: () => app.open(tab) }, label)
  }))
}

/** Draw the tools on the map if they changed. @param {App} app @param {string} way @param {string[]} ways */
export function drawTools (app, way, ways) {
  const { map, hearing, place, space } = app
  const inSpace = place.view === '3d' && space.able
  const key = [way, ways, hearing, map.areas, map.bubbles, place.follow, map.camera.width, inSpace, space.able,
    space.lack, place.eyes, place.agent, space.sight].join()
  if (key === app.drawn.tools) return
  app.drawn.tools = key
  const acts = app.acts()
  /** @param {string} label @param {string} title @param {boolean} on @param {() => void} act */
  const toggle = (label, title, on, act) =>
    h('button', { type: 'button', title, 'aria-pressed': String(on), onclick: act }, label)
  const onchange = (/** @type {any} */ event) => { app.way = event.target.value }
  const onsight = (/** @type {any} */ event) => { space.sight = Number(event.target.value) }
  fill(byId('tools'), [
    space.able ? toggle('3-D', 'The map, or the world in three dimensions (v)', inSpace, acts.space) : null,
    h('button', { type: 'button', title: 'Nearer (+)', onclick: () => acts.zoom(1.4) }, '+'),
    h('button', { type: 'button', title: 'Farther (-)', onclick: () => acts.zoom(1 / 1.4) }, '−'),
    h('button', { type: 'button', title: 'All of it (0)', onclick: acts.whole }, 'All'),
    toggle('Words', 'Speech bubbles (b)', map.bubbles, acts.bubbles),
    inSpace ? null : toggle('Hearing', 'Who hears whom (h)', hearing, acts.hearing),
    inSpace ? null : toggle('Areas', 'Areas of influence (a)', map.areas, acts.areas),
    ...inSpace && place.agent ? [
      toggle('Follow', 'Behind the selected player (f)', place.follow && !place.eyes, acts.follow),
      toggle('Eyes', 'Through the eyes of the selected player (i)', place.eyes, acts.eyes)] : [],
    inSpace ? h('select', { 'aria-label': 'Sight', title: 'Sight, in chunks of 16 blocks', onchange: onsight },
      ...SIGHTS.map((far) => h('option', { value: String(far), selected: far === space.sight }, `${far} chunks`)))
      : null,
    ways.length > 1
      ? h('select', { 'aria-label': 'Colours', title: 'What colours tell', onchange },
        ...ways.map((each) => h('option', { value: each, selected: each === way }, `by ${each}`)))
      : null
  ])
  const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = byId('tools')
  map.tools = space.tools = [offsetLeft, offsetTop, offsetLeft + offsetWidth, offsetTop + offsetHeight]
}

/** Draw the legend if it changed. @param {App} app @param {string} way @param {Map<string, string>} meaning */
export function drawLegend (app, way, meaning) {
  const shown = way === 'player' ? [] : [...meaning].slice(0, MAX_LEGEND)
  const key = JSON.stringify(shown)
  if (key === app.drawn.legend) return
  app.drawn.legend = key
  fill(byId('legend'), shown.map(([label, colour]) =>
    h('span', null, h('i', { style: { background: colour } }), safeText(label || 'none'))))
}

/** Draw the buttons that pause and end the study, if its state changed. @param {App} app */
export function drawSteering (app) {
  const box = byId('steer')
  if (box.dataset.state === String(app.steering)) return
  box.dataset.state = String(app.steering)
  box.hidden = app.steering === null || app.steering === 'over'
  const steer = (/** @type {string} */ label, /** @type {string} */ what) =>
    h('button', { type: 'button', onclick: async () => { app.steering = await app.source.steer(what) } }, label)
  const pause = app.steering === 'paused' ? steer('Go on', 'go')
    : app.steering === 'running' ? steer('Pause the study', 'pause')
      : h('span', null, 'No pause here: only mock and embedded worlds stand still')
  fill(box, app.steering === 'ending' ? ['The study is ending …'] : [pause, steer('End the study', 'end')])
}
