/** Drawing with WebGL2: columns, bodies and sky. The drawing is told what to draw and knows nothing of records. */
import { VERTEX_BYTES } from './mesh_maker.mjs'
import { SHADERS } from './shaders.mjs'
import { columnKey } from './land_model.mjs'

/** Words of a texture as sent: five sizes, 16 x 16 first. */
export const TEXTURE_WORDS = 341
const SIZES = [16, 8, 4, 2, 1]
/** Distance in columns up to which squares that no sky reaches are drawn. */
const DEEP_REACH = 4
/** Floats of an instance: place and yaw, box, textures and light, dye. */
export const INSTANCE_FLOATS = 18
const CORNERS = 36

/** @typedef {import('./mesh_maker.mjs').ColumnMesh} ColumnMesh */
/** @typedef {import('./matrix.mjs').ViewOf} View3 */
/**
 * A column on the graphics card.
 * @typedef {{mesh: ColumnMesh, buffer: WebGLBuffer, shape: WebGLVertexArrayObject}} DrawnColumn
 */
/** @typedef {{zenith: number[], fog: number[], sun: number[], open: boolean, light: Uint8Array}} SkyNow */
/** @typedef {{program: WebGLProgram, at: Record<string, WebGLUniformLocation | null>}} Program */

/** Scene of one canvas. */
export class GlScene {
  /** @param {HTMLCanvasElement} canvas @throws {Error} without WebGL2 */
  constructor (canvas) {
    const gl = canvas.getContext('webgl2', { antialias: false, alpha: false, powerPreference: 'high-performance' })
    if (!gl) throw new Error('this browser has no WebGL2')
    this.gl = gl
    this.canvas = canvas
    /** @type {Map<number, DrawnColumn>} */
    this.columns = new Map()
    this.programs = { land: buildProgram(gl, 'land'), body: buildProgram(gl, 'body'), sky: buildProgram(gl, 'sky') }
    this.textures = /** @type {WebGLTexture} */ (gl.createTexture())
    this.textureCount = 0
    this.textureRoom = 0
    this.light = this.makeLight()
    this.squares = { buffer: /** @type {WebGLBuffer} */ (gl.createBuffer()), count: 0 }
    this.bodies = this.makeBodies()
    this.none = /** @type {WebGLVertexArrayObject} */ (gl.createVertexArray())
    /** All textures as they were sent, for more room on the card. */
    this.words = new Uint32Array(0)
    /** Extent of the last picture, for benchmarks and tests. */
    this.told = { columns: 0, squares: 0, bodies: 0 }
  }

  makeLight () {
    const { gl } = this
    const texture = /** @type {WebGLTexture} */ (gl.createTexture())
    gl.activeTexture(gl.TEXTURE1)
    gl.bindTexture(gl.TEXTURE_2D, texture)
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGB8, 16, 16)
    return texture
  }

  makeBodies () {
    const { gl } = this
    const shape = /** @type {WebGLVertexArrayObject} */ (gl.createVertexArray())
    const buffer = /** @type {WebGLBuffer} */ (gl.createBuffer())
    gl.bindVertexArray(shape)
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
    let at = 0
    for (const [number, size] of [4, 3, 3, 4, 4].entries()) {
      gl.enableVertexAttribArray(number)
      gl.vertexAttribPointer(number, size, gl.FLOAT, false, INSTANCE_FLOATS * 4, at)
      gl.vertexAttribDivisor(number, 1)
      at += size * 4
    }
    gl.bindVertexArray(null)
    return { shape, buffer }
  }

  /** Add textures. @param {Uint32Array} words `alpha << 24 | red << 16 | green << 8 | blue`, five sizes each */
  addTextures (words) {
    const all = new Uint32Array(this.words.length + words.length)
    all.set(this.words)
    // The card wants red in the lowest byte.
    words.forEach((texel, place) => {
      all[this.words.length + place] = texel & 0xff00ff00 | texel >>> 16 & 255 | (texel & 255) << 16
    })
    this.words = all
    const count = all.length / TEXTURE_WORDS
    const first = count > this.textureRoom ? this.makeRoom(count) : this.textureCount
    for (let number = first; number < count; number++) this.putTexture(number)
    this.textureCount = count
  }

  /** @param {number} count */
  makeRoom (count) {
    const { gl } = this
    const most = gl.getParameter(gl.MAX_ARRAY_TEXTURE_LAYERS)
    this.textureRoom = Math.min(most, Math.max(256, 2 ** Math.ceil(Math.log2(count))))
    gl.deleteTexture(this.textures)
    this.textures = /** @type {WebGLTexture} */ (gl.createTexture())
    gl.activeTexture(gl.TEXTURE0)
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, this.textures)
    gl.texStorage3D(gl.TEXTURE_2D_ARRAY, SIZES.length, gl.RGBA8, 16, 16, this.textureRoom)
    gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_LINEAR)
    gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
    return 0
  }

  /** @param {number} number */
  putTexture (number) {
    const { gl } = this
    if (number >= this.textureRoom) return
    gl.activeTexture(gl.TEXTURE0)
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, this.textures)
    let at = number * TEXTURE_WORDS
    for (const [level, side] of SIZES.entries()) {
      const texels = new Uint8Array(this.words.buffer, at * 4, side * side * 4)
      gl.texSubImage3D(gl.TEXTURE_2D_ARRAY, level, 0, 0, number, side, side, 1, gl.RGBA, gl.UNSIGNED_BYTE, texels)
      at += side * side
    }
  }

  /** @param {ColumnMesh} mesh that replaces the column's last one */
  putColumn (mesh) {
    const { gl } = this
    const key = columnKey(mesh.cx, mesh.cz)
    this.dropColumn(key)
    const count = mesh.lit + mesh.deep + mesh.clear
    if (count === 0) return
    this.needSquares(count)
    const buffer = /** @type {WebGLBuffer} */ (gl.createBuffer())
    const shape = /** @type {WebGLVertexArrayObject} */ (gl.createVertexArray())
    gl.bindVertexArray(shape)
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
    gl.bufferData(gl.ARRAY_BUFFER, mesh.vertices, gl.STATIC_DRAW)
    gl.enableVertexAttribArray(0)
    gl.vertexAttribPointer(0, 3, gl.SHORT, false, VERTEX_BYTES, 0)
    gl.enableVertexAttribArray(1)
    gl.vertexAttribPointer(1, 1, gl.UNSIGNED_SHORT, false, VERTEX_BYTES, 6)
    gl.enableVertexAttribArray(2)
    gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, false, VERTEX_BYTES, 8)
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.squares.buffer)
    gl.bindVertexArray(null)
    this.columns.set(key, { mesh: { ...mesh, vertices: new ArrayBuffer(0) }, buffer, shape })
  }

  /** Make sure that there are corner numbers for so many squares. All columns share them. @param {number} count */
  needSquares (count) {
    const { gl, squares } = this
    if (count <= squares.count) return
    const most = 2 ** Math.ceil(Math.log2(Math.max(count, 4096)))
    const numbers = new Uint32Array(most * 6)
    for (let square = 0; square < most; square++) {
      numbers.set([0, 1, 2, 0, 2, 3].map((corner) => square * 4 + corner), square * 6)
    }
    // Outside any column's shape, which would keep this binding.
    gl.bindVertexArray(null)
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, squares.buffer)
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, numbers, gl.STATIC_DRAW)
    squares.count = most
  }

  /** @param {number} key */
  dropColumn (key) {
    const found = this.columns.get(key)
    if (!found) return
    this.gl.deleteBuffer(found.buffer)
    this.gl.deleteVertexArray(found.shape)
    this.columns.delete(key)
  }

  clear () {
    for (const key of [...this.columns.keys()]) this.dropColumn(key)
    this.words = new Uint32Array(0)
    this.textureCount = 0
  }

  /**
   * Draw one picture.
   * @param {View3} view
   * @param {number} low lowest y of the land
   * @param {SkyNow} sky
   * @param {Float32Array} instances of bodies
   */
  draw (view, low, sky, instances) {
    const { gl, canvas } = this
    gl.viewport(0, 0, canvas.width, canvas.height)
    gl.enable(gl.DEPTH_TEST)
    gl.depthMask(true)
    gl.disable(gl.BLEND)
    gl.clear(gl.DEPTH_BUFFER_BIT)
    gl.activeTexture(gl.TEXTURE1)
    gl.bindTexture(gl.TEXTURE_2D, this.light)
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 16, 16, gl.RGB, gl.UNSIGNED_BYTE, sky.light)
    gl.activeTexture(gl.TEXTURE0)
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, this.textures)
    const seen = this.seen(view, low)
    this.told = { columns: seen.length, squares: 0, bodies: instances.length / INSTANCE_FLOATS }
    gl.enable(gl.CULL_FACE)
    this.useProgram('land', view, sky)
    gl.uniform1i(this.programs.land.at.u_clear, 0)
    // Near columns first: what they hide is not painted.
    for (const { column, far } of seen) this.drawLand(column, view, low, far, false)
    gl.disable(gl.CULL_FACE)
    this.drawBodies(view, sky, instances)
    this.drawSky(view, sky)
    this.useProgram('land', view, sky)
    gl.uniform1i(this.programs.land.at.u_clear, 1)
    gl.enable(gl.BLEND)
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE)
    gl.depthMask(false)
    for (const { column, far } of seen.reverse()) this.drawLand(column, view, low, far, true)
    gl.depthMask(true)
    gl.bindVertexArray(null)
  }

  /** Return the columns in view with their distances, nearest first. @param {View3} view @param {number} low */
  seen (view, low) {
    const { x, z } = view.pose
    const found = []
    for (const column of this.columns.values()) {
      const { cx, cz, low: from, high } = column.mesh
      const far = Math.hypot(cx * 16 + 8 - x, cz * 16 + 8 - z)
      if (far > view.far + 12) continue
      const corner = [cx * 16, low + from, cz * 16]
      if (view.sees(corner, [cx * 16 + 16, low + high, cz * 16 + 16])) found.push({ column, far })
    }
    return found.sort((one, other) => one.far - other.far)
  }

  /** @param {'land' | 'body'} name @param {View3} view @param {SkyNow} sky */
  useProgram (name, view, sky) {
    const { gl } = this
    const { program, at } = this.programs[name]
    gl.useProgram(program)
    gl.uniformMatrix4fv(at.u_view, false, view.matrix)
    gl.uniform1i(at.u_textures, 0)
    gl.uniform1i(at.u_light, 1)
    gl.uniform3fv(at.u_fog, sky.fog)
    gl.uniform1f(at.u_far, view.far)
  }

  /** @param {DrawnColumn} column @param {View3} view @param {number} low @param {number} far @param {boolean} clear */
  drawLand ({ mesh, shape }, view, low, far, clear) {
    const { gl } = this
    const opaque = mesh.lit + (far < DEEP_REACH * 16 ? mesh.deep : 0)
    const count = clear ? mesh.clear : opaque
    if (count === 0) return
    gl.bindVertexArray(shape)
    const { x, y, z } = view.pose
    gl.uniform3f(this.programs.land.at.u_offset, mesh.cx * 16 - x, low - y, mesh.cz * 16 - z)
    gl.drawElements(gl.TRIANGLES, count * 6, gl.UNSIGNED_INT, clear ? (mesh.lit + mesh.deep) * 24 : 0)
    this.told.squares += count
  }

  /** @param {View3} view @param {SkyNow} sky @param {Float32Array} instances */
  drawBodies (view, sky, instances) {
    const { gl } = this
    if (instances.length === 0) return
    this.useProgram('body', view, sky)
    gl.bindVertexArray(this.bodies.shape)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.bodies.buffer)
    gl.bufferData(gl.ARRAY_BUFFER, instances, gl.STREAM_DRAW)
    gl.drawArraysInstanced(gl.TRIANGLES, 0, CORNERS, instances.length / INSTANCE_FLOATS)
  }

  /** @param {View3} view @param {SkyNow} sky */
  drawSky (view, sky) {
    const { gl } = this
    const { program, at } = this.programs.sky
    const { forward, right, up } = view.axes
    gl.useProgram(program)
    gl.bindVertexArray(this.none)
    gl.uniform3fv(at.u_forward, forward)
    gl.uniform3fv(at.u_right, right.map((part) => part * view.wide))
    gl.uniform3fv(at.u_up, up.map((part) => part * view.tall))
    gl.uniform3fv(at.u_zenith, sky.zenith)
    gl.uniform3fv(at.u_fog, sky.fog)
    gl.uniform3fv(at.u_sun, sky.sun)
    gl.uniform1f(at.u_open, sky.open ? 1 : 0)
    gl.drawArrays(gl.TRIANGLES, 0, 3)
  }
}

/** @param {WebGL2RenderingContext} gl @param {string} name @returns {Program} */
function buildProgram (gl, name) {
  const program = /** @type {WebGLProgram} */ (gl.createProgram())
  for (const [place, kind] of [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER].entries()) {
    const shader = /** @type {WebGLShader} */ (gl.createShader(kind))
    gl.shaderSource(shader, SHADERS[name][place])
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`this browser cannot draw ${name}: ${gl.getProgramInfoLog(program)}`)
  }
  /** @type {Program['at']} */
  const at = {}
  for (let number = 0; number < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); number++) {
    const uniform = /** @type {WebGLActiveInfo} */ (gl.getActiveUniform(program, number))
    at[uniform.name] = gl.getUniformLocation(program, uniform.name)
  }
  return { program, at }
}
