'use strict'
const globals = require('globals')
const { readdirSync } = require('node:fs')
const path = require('node:path')

/** What a policy, and so a primitive, finds in scope inside its isolate (skills_js/bot_facade). */
const policyScope = { bot: 'readonly', mcData: 'readonly', Vec3: 'readonly', goals: 'readonly' }

const primitives = ['primitives', 'queries']
  .flatMap((folder) => readdirSync(path.join(__dirname, 'skills_js', folder)))
  .filter((file) => file.endsWith('.js'))
  .map((file) => path.basename(file, '.js'))

module.exports = [
  { ignores: ['docs/_build/**', 'node_modules/', '.venv/', 'runs/', 'examples/skills/', 'tests/fakes/published/', 'tests/cases/'] },
  {
    files: ['**/*.js'],
    languageOptions: { ecmaVersion: 2023, sourceType: 'commonjs', globals: globals.node },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-undef': 'error', 'no-unused-vars': ['error', { args: 'after-used', argsIgnorePattern: '^_' }],
      eqeqeq: 'error', 'prefer-const': 'error', 'no-var': 'error', 'no-empty': 'error',
      'max-lines': ['error', { max: 500 }], 'no-console': 'error',
      'max-lines-per-function': ['error', { max: 80, skipComments: true, skipBlankLines: true }]
    }
  },
  {
    // These run inside the isolate: no Node there, only the language and what the bootstrap puts in scope.
    files: ['skills_js/bot_facade/**/*.js', 'skills_js/primitives/**/*.js', 'skills_js/queries/**/*.js'],
    languageOptions: { globals: { ...Object.fromEntries(Object.keys(globals.node).map((k) => [k, 'off'])), ...globals.es2021, require: 'readonly', module: 'writable', exports: 'writable', console: 'readonly', setTimeout: 'readonly', clearTimeout: 'readonly', setInterval: 'readonly', clearInterval: 'readonly', ...policyScope } }
  },
  {
    // A policy on its own: primitives are in its scope, and whoever runs it calls its function.
    files: ['examples/skill_test/mine_iron.js', 'voyager_agents/reference/*.js', 'skills_js/routines/*.js'],
    languageOptions: { globals: { ...policyScope, ...Object.fromEntries(primitives.map((name) => [name, 'readonly'])) } },
    rules: { 'no-unused-vars': 'off' }
  },
  {
    // The page of `accord view`: modules in a browser. Nothing of a record may become markup or code.
    files: ['accord/viewer/page/*.mjs'],
    languageOptions: { ecmaVersion: 2023, sourceType: 'module', globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-undef': 'error', 'no-unused-vars': ['error', { args: 'after-used', argsIgnorePattern: '^_' }],
      eqeqeq: 'error', 'prefer-const': 'error', 'no-var': 'error', 'no-empty': 'error', 'no-console': 'error',
      'no-eval': 'error', 'no-implied-eval': 'error', 'no-new-func': 'error', 'max-lines': ['error', { max: 500 }],
      'max-lines-per-function': ['error', { max: 80, skipComments: true, skipBlankLines: true }],
      'no-restricted-properties': ['error', ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'write', 'createContextualFragment', 'srcdoc'].map((property) => ({ property, message: 'records are hostile: make elements with h()' }))]
    }
  },
  { files: ['tests/**/*.js'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['benchmarks/**/*.js'], rules: { 'no-console': 'off' } }
]
