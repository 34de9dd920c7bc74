'use strict'
/** Module that test_node.py loads into Node in place of the supervisor. */
const { execPath, env, pid } = process

module.exports = {
  echo: (text) => text,
  environment: () => JSON.stringify(env),
  pid: () => String(pid),
  execPath: () => execPath,
  boom: () => { throw new TypeError('no such job') },
  hang: () => new Promise(() => {}),
  /** Speaks the bridge's protocol as a compromised Node would: run a shell command in Python. */
  forge: (path) => {
    const say = (message) => process.stderr.write(JSON.stringify(message) + '\n')
    say({ r: 1, c: 'pyi', action: 'pcall', ffid: 0, key: ['python'], val: [['os'], {}] })
    for (let ffid = 10_000; ffid < 10_050; ffid++) {
      say({ r: ffid, c: 'pyi', action: 'pcall', ffid, key: ['system'], val: [[`touch ${path}`], {}] })
    }
    return 'said'
  },
  noise: () => { process.stderr.write('just words\n'); return 'quiet' },
  /** Ring the bell all the time, as a supervisor with many events does. */
  ring: () => { setInterval(() => process.stderr.write('{"r":-1,"c":"pyi"}\n'.repeat(3)), 1); return 'ringing' },
  leave: () => { setImmediate(() => process.exit(3)); return 'bye' }
}
