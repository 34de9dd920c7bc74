'use strict'
/** Protocol definitions are not validated, and what they say is read and written as with validation. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')

const ROOT = path.resolve(__dirname, '..', '..', '..')
const WRITTEN = `
  const { ProtoDef } = require('protodef')
  const proto = new ProtoDef()
  const b = { name: 'b', type: ['buffer', { countType: 'u8' }] }
  proto.addTypes({ pair: ['container', [{ name: 'a', type: 'varint' }, b]] })
  const written = proto.createPacketBuffer('pair', { a: 300, b: Buffer.from('xy') })
  console.log(written.toString('hex'), JSON.stringify(proto.parsePacketBuffer('pair', written).data),
    Object.keys(require.cache).some((file) => file.includes('/ajv/')))`

/** @param {string} before code to run first @returns {string[]} bytes, what was read, and if schemas were */
function written (before) {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', before + WRITTEN], { cwd: ROOT, encoding: 'utf8' })
  assert.equal(stderr, '')
  return stdout.trim().split(' ')
}

test('trusted definitions are read and written as validated ones, without the schemas', () => {
  const [bytes, read, schemas] = written('')
  assert.deepEqual([bytes.slice(0, 4), schemas], ['ac02', 'true'])
  assert.deepEqual(written("require('./engine/unvalidated_definitions').trustDefinitions();"), [bytes, read, 'false'])
})

test('neither the server nor its bots load schemas, accounts, or the other side of the protocol', () => {
  for (const file of ['bridge/servers/embedded/server.js', 'bridge/host/bots/bots.js']) {
    const code = `require('./${file}'); console.log(JSON.stringify(Object.keys(require.cache)))`
    const { stdout } = spawnSync(process.execPath, ['--no-node-snapshot', '-e', `${code}; process.exit()`],
      { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 24 })
    const loaded = JSON.parse(stdout).filter((/** @type {string} */ each) =>
      /\/(ajv|@azure|prismarine-auth|prismarine-realms|whatwg-url|node-rsa)\//.test(each))
    assert.deepEqual([file, loaded], [file, []])
  }
})
