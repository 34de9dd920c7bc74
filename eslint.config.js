'use strict'
const globals = require('globals')

/** What a policy, and so a primitive, finds in scope inside its isolate (skills_js/lookalike). */
const policyScope = { bot: 'readonly', mcData: 'readonly', Vec3: 'readonly', goals: 'readonly' }

module.exports = [
  { ignores: ['node_modules/', '.venv/', 'runs/', 'examples/skills/'] },
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
    files: ['skills_js/lookalike/**/*.js', 'skills_js/primitives/**/*.js', 'skills_js/queries/**/*.js'],
    languageOptions: { globals: { ...Object.fromEntries(Object.keys(globals.node).map((k) => [k, 'off'])), ...globals.es2021, require: 'readonly', module: 'writable', exports: 'writable', console: 'readonly', setTimeout: 'readonly', clearTimeout: 'readonly', setInterval: 'readonly', clearInterval: 'readonly', ...policyScope } }
  },
  { files: ['tests/**/*.js'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['benchmarks/**/*.js'], rules: { 'no-console': 'off' } }
]
