'use strict'
/**
 * ProtoDef without needless work, for processes that speak the protocol: definitions of packages of locked versions are
 * not validated, a packet's parsers and writers are compiled at their first use (a side of a connection reads or writes
 * each packet, not both), and bytes are copied as a whole.
 */
const Module = require('node:module')

/**
 * @typedef {{ type: unknown, countType?: unknown }} List
 * @typedef {(compiler: Compiler, list: List) => string} Maker
 * @typedef {{ callType: (value: unknown, type?: unknown) => string, wrapCode: (code: string) => string,
 *   parameterizableTypes: { array: Maker }, addParametrizableType: (name: string, maker: Maker) => void }} Compiler
 */

/** Validator that accepts everything, in place of protodef-validator's. */
class NoValidator {
  addType () {}
  addTypes () {}
  validateType () {}
  validateProtocol () {}
}

/** Change ProtoDef for this process; call it before a package that uses ProtoDef is loaded. */
function leanProtoDef () {
  const file = require.resolve('protodef-validator')
  if (require.cache[file] !== undefined) return
  const standIn = new Module(file)
  standIn.loaded = true
  standIn.exports = NoValidator
  require.cache[file] = standIn
  const { ProtoDefCompiler, CompiledProtodef } = require('protodef').Compiler
  ProtoDefCompiler.prototype.compileProtoDefSync = function () {
    /** @type {unknown} */
    const both = [this.readCompiler, this.writeCompiler]
    for (const compiler of /** @type {Compiler[]} */ (both)) copyBytes(compiler)
    const compiled = new CompiledProtodef()
    compileAtFirstUse(compiled, 'sizeOfCtx', this.sizeOfCompiler)
    compileAtFirstUse(compiled, 'writeCtx', this.writeCompiler)
    compileAtFirstUse(compiled, 'readCtx', this.readCompiler)
    return compiled
  }
}

/**
 * @param {object} compiled
 * @param {string} name of the functions in it
 * @param {{ generate: () => string, compile: (code: string) => object }} compiler
 */
function compileAtFirstUse (compiled, name, compiler) {
  Object.defineProperty(compiled, name, {
    configurable: true,
    get () {
      const value = compiler.compile(compiler.generate())
      Object.defineProperty(this, name, { value, writable: true })
      return value
    }
  })
}

/**
 * Let lists of bytes be read and written as a whole. Those read are arrays of numbers as before, but those in another
 * list are parts of the packet's buffer: the light of a column, 50 KB, whose copy takes longer than all else of it.
 * @param {Compiler} compiler of parsers or of writers
 */
function copyBytes (compiler) {
  const loop = compiler.parameterizableTypes.array
  const reads = compiler.constructor.name === 'ReadCompiler'
  compiler.addParametrizableType('array', (self, list) => {
    const inner = reads && list.countType && Array.isArray(list.type) && list.type[0] === 'array' ? list.type[1] : null
    if (inner?.type === 'u8' && inner.countType) return self.wrapCode(partsOf(self, list, inner))
    if (list.type !== 'u8' || !list.countType) return loop(self, list)
    const head = reads
      ? `const { value: count, size: countSize } = ${self.callType(list.countType)}
const end = offset + countSize + count
if (count < 0 || end > buffer.length) throw new PartialReadError()
return { value: Array.from(buffer.subarray(offset + countSize, end)), size: countSize + count }`
      : `offset = ${self.callType('value.length', list.countType)}
buffer.set(value, offset)
return offset + value.length`
    return self.wrapCode(head)
  })
}

/**
 * @param {Compiler} compiler of parsers
 * @param {List} list
 * @param {List} inner list of bytes
 * @returns {string} the body of a parser of a list of lists of bytes
 */
function partsOf (compiler, list, inner) {
  return `const { value: count, size: countSize } = ${compiler.callType(list.countType)}
const value = []
let end = offset + countSize
for (let i = 0; i < count; i++) {
  const { value: length, size } = ${compiler.callType(inner.countType, 'end')}
  const start = end + size
  end = start + length
  if (length < 0 || end > buffer.length) throw new PartialReadError()
  value.push(buffer.subarray(start, end))
}
return { value, size: end - offset }`
}

module.exports = { leanProtoDef }
