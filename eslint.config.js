import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const NO_ENUM = { selector: 'TSEnumDeclaration', message: 'Use `as const` objects instead of enum.' };

const NO_CLEAN_CAST = {
  selector: 'TSAsExpression > TSTypeReference[typeName.name=/^Clean/]',
  message: 'Only a redactor makes a value clean: see server/redact/clean.ts.',
};

const ONE_FRAMING = [
  {
    selector: 'ImportSpecifier[imported.name=/^AbstractMessage(Reader|Writer)$/]',
    message: 'Use JsonRpcTransport of shared/bridge/json-rpc-transport.ts.',
  },
  {
    selector: "ImportSpecifier[imported.name='endianness']",
    message: 'Frames are read and written by server/bridge/frames.ts.',
  },
];

const ONE_PROCESS_IDENTITY = {
  selector:
    "CallExpression[callee.object.name='process'][callee.property.name='kill'][arguments.1.value=0], TemplateLiteral[quasis.0.value.raw=/^.proc.$/][quasis.1.value.raw='/stat']",
  message: 'Use isRunning or isPidRunning of server/machine/process-identity.ts.',
};

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

const PRODUCT = ['server/**/*.{ts,tsx}', 'shared/**/*.ts', 'extension/**/*.ts'];

const NO_COPY_OF_MESSAGE_OF = {
  selector:
    "ConditionalExpression[test.operator='instanceof'][test.right.name='Error'][consequent.property.name='message'][alternate.callee.name='String']",
  message: 'Use messageOf of shared/message-of.ts.',
};

const ONE_IS_OBJECT = [
  'VariableDeclarator[id.name=/^is(Object|Record)$/][init.type=ArrowFunctionExpression]',
  'FunctionDeclaration[id.name=/^is(Object|Record)$/]',
  "LogicalExpression[operator='&&'][right.operator='!'][right.argument.callee.property.name='isArray'][left.right.right.raw='null']",
  "LogicalExpression[operator='||'][right.callee.property.name='isArray'][left.right.right.raw='null']",
  "LogicalExpression[operator='&&'][right.operator='in'][left.left.right.value='object'][left.right.right.raw='null']",
].map((selector) => ({ selector, message: 'Use isObject of shared/json.ts.' }));

const ONE_FULL_DISK = {
  selector: "ArrayExpression > Literal[value='ENOSPC']",
  message: 'Use isFull of server/machine/errno.ts.',
};

const PATIENT_WAITS = {
  selector:
    "CallExpression[callee.object.name='vi'][callee.property.name=/^wait(For|Until)$/][arguments.length=1]",
  message: 'The default is one second: pass PATIENCE of tests/support/patience.ts.',
};

const EVERYWHERE = [NO_ENUM, NO_CLEAN_CAST, ...ONE_FRAMING, PATIENT_WAITS];
const IN_PRODUCT = [
  ...EVERYWHERE,
  ...NO_HAND_WRITTEN_WAITS,
  NO_COPY_OF_MESSAGE_OF,
  ...ONE_IS_OBJECT,
  ONE_PROCESS_IDENTITY,
  ONE_FULL_DISK,
];

const LEASED_DEBUGGER = {
  object: 'chrome',
  property: 'debugger',
  message: 'Take a lease of extension/background/chromium/debugger: it alone knows of Cancel.',
};

/** What `scripting.executeScript` passes on as text can use nothing else of its file. */
const SELF_CONTAINED = [
  'Program > :not(ExportNamedDeclaration)',
  'Program > ExportNamedDeclaration ~ ExportNamedDeclaration',
].map((selector) => ({
  selector,
  message: 'A file of in-page/ is one exported function: it is passed to the page as text, alone.',
}));

/**
 * House rules (docs/adr, CONTRIBUTING.md): sizes, types without escapes, no stray console. The rules
 * that need types are in .oxlintrc.jsonc.
 */
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
      '@typescript-eslint/consistent-type-assertions': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines': ['error', 400],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', ...EVERYWHERE],
    },
  },
  {
    files: PRODUCT,
    ignores: [
      'shared/async/**',
      'shared/json.ts',
      'shared/message-of.ts',
      'server/machine/process-identity.ts',
      'server/machine/errno.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...IN_PRODUCT] },
  },
  {
    files: ['extension/page/in-page/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...IN_PRODUCT, ...SELF_CONTAINED] },
  },
  {
    files: ['server/bridge/frames.ts', 'tests/unit/bridge/frames.test.ts'],
    rules: { 'no-restricted-syntax': ['error', NO_ENUM, NO_CLEAN_CAST] },
  },
  {
    // The one place that marks a value as clean.
    files: ['server/redact/mark.ts'],
    rules: { 'no-restricted-syntax': ['error', NO_ENUM] },
  },
  {
    files: ['**/*.{ts,tsx,js,mjs,cjs}'],
    rules: { complexity: ['error', 15] },
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
        {
          object: 'AbortSignal',
          property: 'any',
          message: 'Use anySignal or deadlineSignal of shared/async, which can be released.',
        },
      ],
    },
  },
  {
    files: ['extension/**/*.ts'],
    ignores: ['extension/background/chromium/debugger/**'],
    rules: { 'no-restricted-properties': ['error', LEASED_DEBUGGER] },
  },
  {
    files: ['extension/{worker,background,tools}/**/*.ts'],
    ignores: ['extension/background/chromium/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        LEASED_DEBUGGER,
        {
          object: 'Reflect',
          property: 'get',
          message: 'Read what only Chromium has in extension/background/chromium, and JSON after isObject.',
        },
      ],
    },
  },
  {
    // What only Chromium has is in one folder, which a build for Firefox replaces.
    files: ['extension/**/*.ts'],
    ignores: ['extension/background/chromium/**', 'extension/page/doorway.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        {
          name: 'chrome',
          message:
            'Use `browser` of webextension-polyfill, page/doorway.ts in a content script, or extension/background/chromium for what only Chromium has.',
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
    // Generated, so nobody edits it: its length grows with the tools. A tool without arguments takes `{}`.
    files: ['server/library/tool-arguments.generated.ts'],
    rules: { 'max-lines': 'off', '@typescript-eslint/no-empty-object-type': 'off' },
  },
  {
    files: ['tests/**/*.ts'],
    ignores: ['tests/support/property.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { name: 'fast-check', message: 'Use tests/support/property.ts, which fixes the seed.' },
      ],
    },
  },
  {
    files: ['**/*.mjs', '**/*.js', '**/*.cjs', 'fixtures/**/*.ts', 'scripts/**', 'bench/**'],
    languageOptions: { globals: { ...globals.node } },
  },
);
