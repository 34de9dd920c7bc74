/** The switch between the map and the view in three dimensions, and what the page says about the latter. */
import { byId, fill, h } from './dom.mjs'

/** Blocks that one press of + or - moves the camera. */
const STEP_BLOCKS = 8

/** Switch of one page. */
export class SpaceSwitch {
  /** @param {import('./app.mjs').App} app */
  constructor (app) {
    this.app = app
    this.then = 0
    /** @type {unknown} */
    this.noted = null
  }

  /** True while the page shows three dimensions. */
  get on () { return this.app.place.view === '3d' && this.app.space.able }

  toggle () {
    const { place, space } = this.app
    if (!space.able) return
    place.view = place.view === '3d' ? '' : '3d'
    this.show()
    byId(this.on ? 'over' : 'map').focus({ preventScroll: true })
  }

  toggleEyes () {
    const { app } = this
    if (!app.place.agent || !this.on) return
    const eyes = !app.place.eyes
    app.setFollow(true)
    app.place.eyes = eyes
  }

  /** @param {number} times above 1 for nearer */
  zoom (times) {
    const { map, space } = this.app
    if (this.on) space.flight.advance(times > 1 ? STEP_BLOCKS : -STEP_BLOCKS)
    else map.camera.scale(times)
  }

  overlook () {
    const { space } = this.app
    space.fitted = space.flight.moved = false
  }

  /** Return the camera for the page's address, or null if it follows or was not moved. */
  camera () {
    const { pose, mode, moved } = this.app.space.flight
    return this.on && mode === 'free' && moved ? [pose.x, pose.y, pose.z, pose.yaw, pose.pitch] : null
  }

  /** Show the map or the view in three dimensions, and what is missing. */
  show () {
    const { app, on } = this
    const { space, place } = app
    app.set('map', 'hidden', on)
    app.set('space', 'hidden', !on)
    app.set('over', 'hidden', !on)
    const lack = space.lack || (place.view === '3d' && space.land?.able === false
      ? `No view in three dimensions: ${space.land.why}. The map stays.` : '')
    app.set('lack', 'hidden', !lack)
    app.set('lack', 'textContent', lack)
    const notes = this.notes()
    app.set('known', 'hidden', !on || notes.length === 0)
    const key = notes.join('\n')
    if (key !== this.noted) {
      this.noted = key
      fill(byId('unknown'), notes.map((note) => h('li', null, note)))
    }
  }

  /** Return what the view does not know, one sentence or more each. */
  notes () {
    const { space, scene } = this.app
    const unseen = scene.run?.unseen ?? 0
    return [...space.land?.notes ?? [],
      ...unseen ? [`${unseen} changed blocks were not recorded: too many changed at once, or nobody was near.`] : []]
  }

  /**
   * Draw the moment in three dimensions, if the page shows these. Return what to tell over the picture, or null if the
   * map is to be drawn.
   * @param {import('./map.mjs').Look} look @param {import('./scene.mjs').Cursor} cursor @param {number} now
   * @param {boolean} grows true while more of the record comes
   */
  draw (look, cursor, now, grows) {
    const { app } = this
    const { space, place } = app
    const passed = Math.min(0.1, (now - this.then) / 1000)
    this.then = now
    if (place.view === '3d' && space.land?.able) space.open()
    this.show()
    if (!this.on) return null
    if (place.camera) {
      const [x, y, z, yaw, pitch] = place.camera
      Object.assign(space.flight, { pose: { x, y, z, yaw, pitch }, moved: true })
      place.camera = null
    }
    space.flight.setMode(place.eyes ? 'eyes' : place.follow ? 'behind' : 'free')
    const seconds = look.at - (look.scene.run?.began ?? 0)
    const heading = (/** @type {string} */ name) => cursor.headingAt(name, look.at)
    space.draw({ ...look, seconds, heading, places: () => cursor.places() }, now, passed, grows)
    return space.notice
  }
}
