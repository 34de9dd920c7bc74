'use strict'
const globals = require('globals')
const { readdirSync } = require('node:fs')
const path = require('node:path')
const openingWords = require('./tests/lint/opening_words')

/** Globals of a policy, and so of a primitive, inside its isolate (skills_js/bot_facade). */
const policyScope = { bot: 'readonly', mcData: 'readonly', Vec3: 'readonly', goals: 'readonly' }

const primitives = ['primitives', 'queries']
  .flatMap((folder) => readdirSync(path.join(__dirname, 'skills_js', folder)))
  .filter((file) => file.endsWith('.js'))
  .map((file) => path.basename(file, '.js'))

const NODE_GLOBALS_OFF = Object.fromEntries(Object.keys(globals.node).map((name) => [name, 'off']))
const ISOLATE_GLOBALS = {
  ...NODE_GLOBALS_OFF,
  ...globals.es2021,
  require: 'readonly',
  module: 'writable',
  exports: 'writable',
  console: 'readonly',
  setTimeout: 'readonly',
  clearTimeout: 'readonly',
  setInterval: 'readonly',
  clearInterval: 'readonly',
  ...policyScope
}

const RULES = {
  'no-undef': 'error',
  'no-unused-vars': ['error', { args: 'after-used', argsIgnorePattern: '^_' }],
  eqeqeq: 'error',
  'prefer-const': 'error',
  'no-var': 'error',
  'no-empty': 'error',
  'no-console': 'error',
  'max-lines': ['error', { max: 500 }],
  'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
  'max-len': ['error', { code: 120, ignoreUrls: true }],
  'max-params': ['error', { max: 6 }],
  'language/opening-words': 'error'
}

/** Ways to turn text into markup: records shown by `accord view` are hostile. */
const MARKUP = ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'write', 'createContextualFragment', 'srcdoc']

module.exports = [
  {
    ignores: ['docs/_build/**', 'node_modules/', '.venv/', 'runs/', 'examples/skills/', 'tests/fakes/published/',
      'tests/cases/']
  },
  { plugins: { language: { rules: { 'opening-words': openingWords } } } },
  {
    files: ['**/*.js'],
    languageOptions: { ecmaVersion: 2023, sourceType: 'commonjs', globals: globals.node },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: RULES
  },
  {
    // Code inside the isolate has the language and the bootstrap's globals, but no Node.
    files: ['skills_js/bot_facade/**/*.js', 'skills_js/primitives/**/*.js', 'skills_js/queries/**/*.js'],
    languageOptions: { globals: ISOLATE_GLOBALS }
  },
  {
    // A policy file: the primitives are in scope, and the caller of its function is elsewhere.
    files: ['examples/skill_test/mine_iron.js', 'examples/evolving/programs/*.js', 'voyager_agents/reference/*.js',
      'skills_js/routines/*.js'],
    languageOptions: {
      globals: { ...policyScope, ...Object.fromEntries(primitives.map((name) => [name, 'readonly'])) }
    },
    rules: { 'no-unused-vars': 'off' }
  },
  {
    // The page of `accord view`: browser modules. Nothing of a record may become markup or code.
    files: ['accord/viewer/page/*.mjs'],
    languageOptions: { ecmaVersion: 2023, sourceType: 'module', globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      ...RULES,
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-restricted-properties': ['error',
        ...MARKUP.map((property) => ({ property, message: 'records are hostile: make elements with h()' }))]
    }
  },
  {
    // Logs record the texts of these functions byte for byte.
    files: ['voyager_agents/reference/*.js', 'skills_js/routines/*.js'],
    rules: { 'max-len': 'off', 'max-params': 'off' }
  },
  {
    // Attacks run one at a time in an isolate, after the prelude; an empty `catch` is how an attack goes on.
    files: ['bridge/hostile/corpus/*.js', 'bridge/hostile/hoards.js'],
    rules: { 'no-undef': 'off', 'no-unused-vars': 'off', 'no-console': 'off', 'no-empty': 'off' }
  },
  {
    files: ['tests/**/*.js'],
    rules: { 'max-lines-per-function': 'off' }
  },
  { files: ['benchmarks/**/*.js'], rules: { 'no-console': 'off' } }
]
