/** The front door of skills_js for Node: what goes into an isolate, what crosses its border, and the signals. */
'use strict'
module.exports = {
  ...require('./signals'),
  get bundle () { return require('./lookalike/bundle').bundle },
  get parseProgram () { return require('./lookalike/program').parseProgram },
  get createDispatcher () { return require('./lookalike/dispatch').createDispatcher },
  get METHODS () { return require('./lookalike/host_api').METHODS },
  get CAPS () { return require('./lookalike/host_api').CAPS },
  get primitivesForModel () { return require('./docs').primitivesForModel }
}
