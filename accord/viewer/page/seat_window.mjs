/** A player's things: hotbar, inventory and windows such as chests, as buttons that keyboard and touch reach. */
import { byId, fill, h, safeText } from './dom.mjs'

/** First slots of the inventory's parts: armour, what is carried, the hotbar, the other hand. */
const CARRIED = 9
const HOTBAR = 36
const ROW = 9

/** @typedef {[number, string, number]} Slot number, item, count */
/** @typedef {{slots: Slot[], held: [string, number] | null}} Items */
/** @typedef {{id: number, type: string, title: string, size: number, own: number} & Items} OpenWindow */

/** Return an item as a person reads it. @param {string} name */
export const itemName = (name) => safeText(name.replaceAll('_', ' '))

/** The things on one page. */
export class Things {
  /** @param {(input: Record<string, any>) => void} act @param {() => void} closed */
  constructor (act, closed) {
    this.act = act
    this.closed = closed
    /** @type {Items} */
    this.items = { slots: [], held: null }
    /** @type {OpenWindow | null} */
    this.open = null
    this.own = false
    this.shown = false
    /** Number of the window that was closed here, until the client reports that none is open. */
    this.left = -1
    this.selected = 0
    this.dialog = /** @type {HTMLDialogElement} */ (byId('window'))
    // Escape closes a dialog by itself. The event comes late: the dialog may have been opened again.
    this.dialog.addEventListener('close', () => { if (!this.dialog.open) this.hide() })
    this.shift = false
  }

  /** @param {number} selected slot of the hotbar */
  select (selected) {
    if (selected === this.selected) return
    this.selected = selected
    this.drawHotbar()
  }

  /** @param {Items} items */
  setItems (items) {
    this.items = items
    this.drawHotbar()
    if (this.own && !this.open) this.drawWindow()
  }

  /** @param {OpenWindow | null} open */
  setWindow (open) {
    // A report that was on its way when the window was closed does not open it again.
    if (open?.id === this.left) return
    this.left = -1
    this.open = open
    if (open || this.own) this.drawWindow()
    else this.shut()
  }

  /** Show the inventory, or hide what is shown. */
  toggle () {
    if (this.dialog.open) return this.shut()
    this.own = true
    this.drawWindow()
  }

  shut () {
    if (!this.dialog.open) return
    this.dialog.close()
    this.hide()
  }

  hide () {
    if (!this.shown) return
    this.shown = false
    // The inventory, too: the server takes back what the pointer carries.
    if (this.open || this.own) this.act({ do: 'close' })
    if (this.open) this.left = this.open.id
    this.own = false
    this.open = null
    this.closed()
  }

  drawHotbar () {
    const found = new Map(this.items.slots.map(([slot, name, count]) => [slot, [name, count]]))
    fill(byId('hotbar'), Array.from({ length: ROW }, (_, place) => {
      const [name, count] = found.get(HOTBAR + place) ?? ['', 0]
      return h('button', { type: 'button', tabIndex: -1, 'aria-pressed': place === this.selected,
        'aria-label': `${place + 1}: ${name ? `${count} ${itemName(String(name))}` : 'nothing'}`,
        onclick: () => this.act({ do: 'slot', slot: place }) },
      name ? `${itemName(String(name))}${Number(count) > 1 ? ` ${count}` : ''}` : '')
    }))
  }

  drawWindow () {
    this.shown = true
    const shown = this.open ?? { title: 'Your things', size: 46, own: CARRIED, ...this.items }
    const found = new Map(shown.slots.map(([slot, name, count]) => [slot, { name, count }]))
    const focused = Number(/** @type {HTMLElement} */ (document.activeElement)?.dataset?.slot ?? -1)
    const button = (/** @type {number} */ slot) => {
      const item = found.get(slot)
      const text = item ? `${itemName(item.name)}${item.count > 1 ? ` ${item.count}` : ''}` : ''
      return h('button', { type: 'button', 'data-slot': slot, 'aria-label': text || 'empty', title: text,
        onclick: (/** @type {MouseEvent} */ event) => this.click(slot, 0, event),
        oncontextmenu: (/** @type {MouseEvent} */ event) => this.click(slot, 1, event) }, text)
    }
    const range = (/** @type {number} */ from, /** @type {number} */ to) =>
      h('div', { className: 'slots' }, Array.from({ length: Math.max(0, to - from) }, (_, place) =>
        button(from + place)))
    const held = shown.held ? `${shown.held[1]} ${itemName(shown.held[0])} at the pointer` : 'Nothing at the pointer'
    const last = shown.own + 36
    const otherHand = shown.size > last ? [h('h3', null, 'Other hand'), range(last, shown.size)] : []
    fill(this.dialog, [h('h2', null, safeText(shown.title)), range(0, shown.own), h('h3', null, 'You carry'),
      range(shown.own, shown.own + 27), range(shown.own + 27, shown.own + 36), ...otherHand,
      h('p', { className: 'row' }, h('span', { id: 'pointed', role: 'status' }, held),
        h('button', { type: 'button', id: 'whole', 'aria-pressed': this.shift, title: 'As with Shift in the game',
          onclick: () => { this.shift = !this.shift; this.drawWindow() } }, 'Move whole stacks'),
        h('button', { type: 'button', id: 'shut', onclick: () => this.shut() }, 'Close'))])
    if (!this.dialog.open) {
      // The mouse of the game becomes the pointer of the buttons.
      if (document.pointerLockElement) document.exitPointerLock()
      this.dialog.showModal()
    }
    if (focused >= 0) /** @type {HTMLElement | null} */ (this.dialog.querySelector(`[data-slot="${focused}"]`))?.focus()
  }

  /** @param {number} slot @param {0 | 1} button @param {MouseEvent} event */
  click (slot, button, event) {
    event.preventDefault()
    this.act({ do: 'click', slot, button, mode: event.shiftKey || this.shift ? 1 : 0 })
  }
}
