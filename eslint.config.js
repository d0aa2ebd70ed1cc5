import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const NO_ENUM = { selector: 'TSEnumDeclaration', message: 'Use `as const` objects instead of enum.' };

const WAITING =
  'Use shared/async: withTimeout, waitAtMost, abortable, delay, onAbort and deadlineSignal remove what they set up.';
const NO_HAND_WRITTEN_WAITS = [
  {
    selector: "CallExpression[callee.property.name='addEventListener'][arguments.0.value='abort']",
    message: WAITING,
  },
  {
    selector: "NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout']",
    message: WAITING,
  },
];

/** House rules (docs/adr, CONTRIBUTING.md): sizes, types without escapes, no stray console. */
export default tseslint.config(
  {
    ignores: [
      'dist/**',
      '.cache/**',
      'node_modules/**',
      'coverage/**',
      'fixtures/sites/**',
      'bench/node_modules/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', NO_ENUM],
    },
  },
  {
    files: ['server/**/*.{ts,tsx}', 'shared/**/*.ts'],
    ignores: ['shared/async/**'],
    rules: { 'no-restricted-syntax': ['error', NO_ENUM, ...NO_HAND_WRITTEN_WAITS] },
  },
  {
    files: ['server/**/*.{ts,tsx}', 'shared/**/*.ts', 'extension/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-function-type': 'error',
    },
  },
  {
    files: ['server/**/*.{ts,tsx}', 'shared/**/*.ts', 'scripts/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'URL',
          property: 'canParse',
          message: 'Wrong in Node 20: see parseUrl in server/toolkit/urls.ts.',
        },
      ],
    },
  },
  {
    files: ['extension/**/*.ts'],
    ignores: ['extension/background/debugger/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'chrome',
          property: 'debugger',
          message: 'Take a lease of extension/background/debugger: it alone knows of Cancel.',
        },
      ],
    },
  },
  {
    // Standard output belongs to the protocol (MCP stdio, native messaging); only commands print.
    files: ['server/**/*.{ts,tsx}'],
    ignores: ['server/cli/**'],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['tests/**/*.ts', 'bench/**'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.js', '**/*.cjs', 'fixtures/**/*.ts', 'scripts/**', 'bench/**'],
    languageOptions: { globals: { ...globals.node } },
  },
);
