import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { cruiseRooms, nameProblems } from '../../../scripts/lint-tier.mjs';
import { testFolder } from '../../support/test-folder.ts';

/** A file that breaks a rule, by what it imports. */
const BREACHES: readonly [rule: string, file: string, imports: string][] = [
  ['shared-imports-its-libraries', 'shared/a.ts', '../server/core/core.ts'],
  ['extension-imports-shared-and-its-libraries', 'extension/a.ts', '../server/core/core.ts'],
  ['worker-side-meets-a-page-in-its-protocol', 'extension/tabs/worker/a.ts', '../../read/page/walk.ts'],
  ['content-scripts-without-zod', 'extension/read/page/parse.ts', 'zod/mini'],
  ['json-guards-without-zod', 'shared/base/json.ts', 'zod'],
  ['ports-know-shared-only', 'extension/core/ports/a.ts', '../../read/page/walk.ts'],
  ['server-not-to-extension', 'server/outputs/a.ts', '../../extension/end.ts'],
  ['kernel-knows-no-capability', 'server/core/a.ts', '../outputs/end.ts'],
  ['network-imports-what-it-needs', 'server/network/a.ts', '../outputs/end.ts'],
  ['a-new-capability-has-its-needs', 'server/mill/a.ts', '../outputs/end.ts'],
  ['faces-know-what-they-are-given', 'extension/read/panel/view.tsx', '../../../server/core/core.ts'],
  ['faces-are-found', 'extension/ui/frame/a.tsx', '../../act/panel/face.tsx'],
  ['tools-import-no-ui', 'shared/read/a.ts', '../../extension/act/panel/face.tsx'],
  ['mode-not-to-adapter', 'server/core/modes/a.ts', '../../mcp/era-2025/end.ts'],
  ['nothing-imports-cli', 'server/mcp/a.ts', '../cli/end.ts'],
  ['agent-sdk-in-its-adapter-only', 'server/cli/a.ts', '@modelcontextprotocol/sdk/types.js'],
  ['sdk-of-sessions-in-its-era-only', 'server/mcp/b.ts', '@modelcontextprotocol/sdk/types.js'],
  ['widget-is-read-not-imported', 'server/cli/c.ts', '../../extension/widgets/one/main.ts'],
  ['product-not-to-tests', 'server/cli/b.ts', '../../fixtures/end.ts'],
  ['resolvable', 'scripts/b.ts', './nowhere.ts'],
  ['no-cycles', 'scripts/c.ts', './d.ts'],
];

const FILES: Readonly<Record<string, string>> = {
  'server/core/core.ts': "import { z } from 'zod';\nexport const core = z;",
  'server/outputs/end.ts': "export { core as output } from '../core/core.ts';",
  'server/cli/end.ts': "export { end } from '../mcp/era-2025/end.ts';",
  'extension/widgets/one/main.ts': "export { z } from 'zod';",
  'server/mcp/era-2025/end.ts':
    "import * as types from '@modelcontextprotocol/sdk/types.js';\nexport const end = types;",
  'shared/people/one.ts': 'export const one = 1;',
  'server/act/one.ts': "export { one } from '../../shared/people/one.ts';",
  'extension/read/page/walk.ts': 'export const walk = 1;',
  'extension/core/in-page/read.ts': 'export const read = 1;',
  'extension/tabs/worker/read.ts': "export { read } from '../../core/in-page/read.ts';",
  'extension/act/panel/face.tsx': 'export const words = 2;',
  'extension/ui/faces/faces.ts': "export { words } from '../../act/panel/face.tsx';",
  'extension/ui/frame/store.ts': "export { words } from '../faces/faces.ts';",
  'extension/end.ts': 'export const end = 1;',
  'fixtures/end.ts': 'export const end = 1;',
  'tests/end.ts': "export { end } from '../fixtures/end.ts';",
  'scripts/d.ts': "export * as c from './c.ts';",
};

const root = testFolder();

type Violation = { readonly from: string; readonly rule: { readonly name: string } };
let violations: readonly Violation[] = [];
let count = 0;

beforeAll(async () => {
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), `${text}\n`);
  };
  for (const [file, text] of Object.entries(FILES)) write(file, text);
  for (const [, file, imports] of BREACHES) write(file, `export * as breach from '${imports}';`);
  const repository = resolve(import.meta.dirname, '../../..');
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  symlinkSync(join(repository, 'tsconfig.base.json'), join(root, 'tsconfig.base.json'));
  const cruised = await cruiseRooms(root);
  violations = cruised.result.summary.violations;
  count = cruised.count;
});

test.each(BREACHES)('%s: %s must not import %s', (rule, file) => {
  expect(violations.filter(({ from }) => from === file).map((violation) => violation.rule.name)).toContain(
    rule,
  );
});

test('what is allowed is not a violation, and every file was seen', () => {
  const allowed = Object.keys(FILES).filter((file) => file !== 'scripts/d.ts');
  expect(violations.filter(({ from }) => allowed.includes(from))).toEqual([]);
  expect(count).toBe(Object.keys(FILES).length + BREACHES.length);
});

test('a name that ten files give to a function or a type of their own is a problem', () => {
  const folder = testFolder();
  const write = (kind: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => {
      const source = `${kind.length}-${at}.ts`;
      writeFileSync(join(folder, source), kind);
      return source;
    });
  const sources = [
    ...write('const placeOf = (el: Element): string => el.id;\n', 6),
    ...write('export function placeOf(): void {}\n', 4),
    ...write('interface Found {}\nconst FOUND = 9;\n', 9),
    ...write('const FOUND = 10;\n', 2),
    ...write('export const createRuntimes = () => ({});\n', 12),
  ];
  expect(nameProblems(folder, sources)).toEqual(['10 files define placeOf: say which in its name']);
});
