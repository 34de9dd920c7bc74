'use strict'
/**
 * A player's windows: the open one, the client's assumed state, and corrections where both differ. A client shows a
 * click's outcome before the server's answer (since 1.17), so every click ends with a comparison; a difference is
 * answered with the whole window, since clients do not obey single corrections of the cursor.
 */
const { performClick } = require('./clicks')
const { inventoryView } = require('./view')
const { PLAYER } = require('./store')

/** @typedef {import('../types').Item} Item */
/** @typedef {import('./view').View} View */

/** The windows of one player. */
class Screens {
  /** @param {import('../player').Player} player */
  constructor (player) {
    this.player = player
    this.world = player.world
    /** @type {Item | null} */
    this.carried = null
    this.stateId = 0
    this.lastId = 0
    /** @type {View} */
    this.inventory = inventoryView(player.store,
      () => this.world.craftingGrids.consumeGrid(player, player.store, PLAYER.GRID, 2))
    /** The open container besides the inventory. @type {View | null} */
    this.container = null
    /** Contents last sent to the client, by store. @type {Map<import('./store').Store, (Item | null)[]>} */
    this.sent = new Map([[player.store, player.store.slots.slice()]])
    /** @type {Item | null} */
    this.sentCursor = null
    this.sentVersions = NaN
  }

  /** The window that receives clicks. @returns {View} */
  get current () { return this.container ?? this.inventory }

  /** Return the next window id, 1 to 100 in turn as in vanilla. */
  nextId () { return this.lastId = this.lastId % 100 + 1 }

  /** Open a container window; another open one is closed first. @param {View} view */
  open (view) {
    if (this.container) this.close(true)
    this.container = view
    for (const { store } of view.slots) if (!this.sent.has(store)) this.sent.set(store, store.slots.slice())
    this.world.emit('window',
      { player: this.player, window: { id: view.id, type: view.type, typeId: view.typeId, title: view.title } })
    this.resend()
  }

  /**
   * Close the open container; the cursor's and a grid's items return to the inventory or drop.
   * @param {boolean} tell whether the client must be told
   */
  close (tell) {
    const view = this.current
    this.container = null
    view.drag = { status: 0, type: 0, slots: [] }
    this.returnCursor()
    for (const closer of view.closers) closer()
    if (view === this.inventory) this.returnGridItems()
    for (const store of this.sent.keys()) if (store !== this.player.store) this.sent.delete(store)
    if (tell && view.id !== 0) this.world.emit('windowClose', { player: this.player, windowId: view.id })
  }

  /** Return the cursor's stack to the inventory. */
  returnCursor () {
    const item = this.carried
    this.carried = null
    if (item) this.player.giveOrDrop(item)
  }

  /** Return the 2x2 grid's items to the inventory when it is closed. */
  returnGridItems () {
    const { store } = this.player
    for (const i of PLAYER.GRID) {
      const item = store.get(i)
      store.set(i, null)
      if (item) this.player.giveOrDrop(item)
    }
    store.set(PLAYER.RESULT, null)
  }

  /** @param {number} windowId @returns {View | null} */
  byId (windowId) { return windowId === 0 ? this.inventory : this.container?.id === windowId ? this.container : null }

  /** @param {number} windowId @returns {import('../types').WindowView | null} */
  contents (windowId) {
    const view = this.byId(windowId)
    return view && { stateId: this.stateId, items: view.slots.map((_, i) => view.get(i)), carried: this.carried }
  }

  /**
   * Perform one click, and compare the client's state afterwards.
   * @param {import('../types').Click} click
   * @returns {import('../types').Verdict}
   */
  click (click) {
    const view = this.current
    if (click.windowId !== view.id) return { ok: false, reason: `window ${click.windowId} is not open` }
    if (this.player.gamemode === 'spectator' || this.player.dead) {
      this.resend()
      return { ok: false, reason: 'spectators and the dead move no items' }
    }
    const known = performClick(view, this.hand(), click)
    this.afterClick(view, click, known)
    return known ? { ok: true }
      : { ok: false, reason: `no such click: slot ${click.slot}, button ${click.button}, mode ${click.mode}` }
  }

  /**
   * Perform an action of a workshop's window: a button, a name, the choice of a trade.
   * @param {'button' | 'rename' | 'select'} what
   * @param {unknown} value a number, a text for `rename`
   * @param {number} [windowId] of the window that is meant, if the client says so
   * @returns {import('../types').Verdict}
   */
  actInWorkshop (what, value, windowId) {
    const work = this.container?.work
    const act = /** @type {((work: any, value: any) => any) | undefined} */ (work?.shop[what])
    if (!work || !act || this.player.dead || (windowId !== undefined && windowId !== this.container?.id)) {
      return { ok: false, reason: 'no window is open that has such a thing' }
    }
    const done = act(work, value)
    this.sync()
    return done === false ? { ok: false, reason: `${value} cannot be chosen now` } : { ok: true }
  }

  /** @returns {import('./clicks').Hand} */
  hand () {
    const { player } = this
    const screens = this
    return {
      stacks: this.world.stacks,
      store: player.store,
      creative: player.gamemode === 'creative',
      get carried () { return screens.carried },
      set carried (item) { screens.carried = item },
      drop: (item) => { player.toss(item) },
      add: (item) => player.give(item)
    }
  }

  /** @param {View} view @param {import('../types').Click} click @param {boolean} known */
  afterClick (view, click, known) {
    this.world.craftingGrids.refresh(this.player, view)
    view.work?.refresh()
    const before = this.sentContents(view)
    if (click.stateId === undefined) return
    if (view.work && known && click.stateId === this.stateId &&
      this.world.stacks.equal(click.cursor ?? null, this.carried)) {
      return this.correct(view, click, before)
    }
    if (!known || click.stateId !== this.stateId || this.differsFromClient(view, click, before)) return this.resend()
    this.markSent()
    // A client that crafts waits for the result slot after every click in the grid, changed or not.
    if (view.resultSlot !== null) this.emitSlot(view, view.resultSlot)
  }

  /** Return the contents of a window as last sent to the client. @param {View} view @returns {(Item | null)[]} */
  sentContents (view) { return view.slots.map((s) => this.sent.get(s.store)?.[s.index] ?? null) }

  /**
   * Correct the slots that a workshop changed beyond the client's prediction, one by one: the next click may be under
   * way.
   * @param {View} view
   * @param {import('../types').Click} click
   * @param {(Item | null)[]} before
   */
  correct (view, click, before) {
    const believed = before.slice()
    for (const { slot, item } of click.changed ?? []) if (slot in believed) believed[slot] = item
    this.markSent()
    believed.forEach((item, i) => { if (!this.world.stacks.equal(item, view.get(i))) this.emitSlot(view, i) })
  }

  /**
   * Return true if the client's state after its click differs from the true one.
   * @param {View} view
   * @param {import('../types').Click} click
   * @param {(Item | null)[]} before
   */
  differsFromClient (view, click, before) {
    const { stacks } = this.world
    if (!stacks.equal(click.cursor ?? null, this.carried)) return true
    const believed = before.slice()
    for (const { slot, item } of click.changed ?? []) {
      if (!(slot in believed)) return true
      believed[slot] = item
    }
    return view.slots.some((_, i) => i !== view.resultSlot && !stacks.equal(believed[i], view.get(i)))
  }

  /** Send the client its whole window. */
  resend () {
    this.stateId = (this.stateId + 1) & 32767
    this.markSent()
    this.world.emit('windowItems', { player: this.player, windowId: this.current.id })
  }

  /** Record the present state as sent to the client. */
  markSent () {
    for (const store of this.sent.keys()) this.sent.set(store, store.slots.slice())
    this.sentCursor = this.carried
    this.sentVersions = this.versions()
  }

  /** Return the sum of the shown stores' versions. */
  versions () {
    let sum = 0
    for (const store of this.sent.keys()) sum += store.version
    return sum
  }

  /** Send changes by other players or rules, once per tick, in the numbering of the open window. */
  sync () {
    if (this.container && !this.container.valid()) this.close(true)
    if (this.versions() === this.sentVersions && this.carried === this.sentCursor) return
    const view = this.current
    view.slots.forEach((s, i) => {
      const told = this.sent.get(s.store)
      const item = s.store.get(s.index)
      if (told && told[s.index] !== item) {
        const news = !this.world.stacks.equal(told[s.index], item)
        told[s.index] = item
        if (news) this.emitSlot(view, i)
      }
    })
    if (this.sentCursor !== this.carried) {
      this.sentCursor = this.carried
      this.world.emit('slot', { player: this.player, windowId: -1, slot: -1, item: this.carried,
        stateId: this.stateId })
    }
    // Armour and grid are not part of a container's window; their versions stay open until it is closed.
    this.sentVersions = view === this.inventory ? this.versions() : NaN
  }

  /** Send one slot of the player's own store, changed or not. @param {number} index in the numbering of window 0 */
  sendSlot (index) {
    const view = this.current
    const shown = view.slots.findIndex((s) => s.store === this.player.store && s.index === index)
    const told = this.sent.get(this.player.store)
    if (told) told[index] = this.player.store.get(index)
    if (shown >= 0) this.emitSlot(view, shown)
  }

  /** @param {View} view @param {number} index */
  emitSlot (view, index) {
    this.stateId = (this.stateId + 1) & 32767
    this.world.emit('slot', { player: this.player, windowId: view.id, slot: index, item: view.get(index),
      stateId: this.stateId })
  }
}

module.exports = { Screens }
