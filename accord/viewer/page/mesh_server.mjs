/** Answers of the mesher: messages in, meshes out, nearest columns first. In a worker, or in slices on the page. */
import { LandModel, columnKey } from './land_model.mjs'
import { MeshMaker } from './mesh_maker.mjs'

/** Columns beyond the far end of the view that stay loaded, so that turning back costs nothing. */
const KEPT_BEYOND = 4

/**
 * @typedef {{kind: 'begin', facts: {min_y: number, sections: number}} | {kind: 'looks', looks:
 *   import('./land_model.mjs').Look[], clear: number[]} | {kind: 'columns', buffer: ArrayBuffer,
 *   anew?: boolean} | {kind: 'changes', changes: import('./land_model.mjs').Change3[]} | {kind: 'moment', moment:
 *   number} | {kind: 'view', cx: number, cz: number, far: number} | {kind: 'lights', places: [string, number, number,
 *   number][]} | {kind: 'way', from:
 * number[], along: number[], length: number}} MesherOrder
 */
/**
 * @typedef {{mesh: import('./mesh_maker.mjs').ColumnMesh} | {dropped: [number, number][]} | {lights: [string,
 *   number][]} | {free: number}} MesherNews
 */

/** The mesher's state. */
export class MeshServer {
  /** @param {(news: MesherNews, moved: ArrayBuffer[]) => void} tell */
  constructor (tell) {
    this.tell = tell
    /** @type {LandModel | null} */
    this.model = null
    /** @type {MeshMaker | null} */
    this.maker = null
    this.view = { cx: 0, cz: 0, far: 0 }
  }

  /** @param {MesherOrder} order */
  take (order) {
    if (order.kind === 'begin') {
      this.model = new LandModel(order.facts)
      this.maker = new MeshMaker(this.model)
    }
    const { model, maker } = this
    if (!model || !maker) return
    if (order.kind === 'looks') {
      model.addLooks(order.looks)
      for (const texture of order.clear) maker.clearTextures.add(texture)
    } else if (order.kind === 'columns') model.addColumns(order.buffer, order.anew)
    else if (order.kind === 'changes') model.addChanges(order.changes)
    else if (order.kind === 'moment') model.setMoment(Math.min(order.moment, model.changes.length))
    else if (order.kind === 'view') this.look(order)
    else if (order.kind === 'way') this.tell({ free: model.freeAlong(order.from, order.along, order.length) }, [])
    else if (order.kind === 'lights') {
      this.tell({ lights: order.places.map(([name, x, y, z]) => [name, model.lightAt(x, y, z)]) }, [])
    }
  }

  /** Take a new view, and drop columns far behind. @param {{cx: number, cz: number, far: number}} view */
  look ({ cx, cz, far }) {
    this.view = { cx, cz, far }
    const model = /** @type {LandModel} */ (this.model)
    /** @type {[number, number][]} */
    const dropped = []
    for (const column of model.columns.values()) {
      if (Math.max(Math.abs(column.cx - cx), Math.abs(column.cz - cz)) <= far + KEPT_BEYOND) continue
      model.dropColumn(columnKey(column.cx, column.cz))
      dropped.push([column.cx, column.cz])
    }
    if (dropped.length) this.tell({ dropped }, [])
  }

  /** Make the mesh that is needed most, and return false if there is none to make. */
  step () {
    const { model, maker, view } = this
    if (!model || !maker) return false
    let best = null
    let near = Infinity
    for (const column of model.columns.values()) {
      if (!column.dirty) continue
      const far = (column.cx - view.cx) ** 2 + (column.cz - view.cz) ** 2
      if (far >= near || far > (view.far + 0.5) ** 2 || !model.isReady(column.cx, column.cz)) continue
      best = column
      near = far
    }
    const mesh = best && maker.meshOf(best.cx, best.cz)
    if (!mesh) return false
    this.tell({ mesh }, [mesh.vertices])
    return true
  }
}
