import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { DOORS } from './doors.ts';

/* Finds by type what doors.test.ts finds by name: code that forgets a redaction must not compile. */

const METHODS = ['value', 'text', 'payload', 'exchange'];
const root = resolve(import.meta.dirname, '../../../..');
const at = (path: string): string => resolve(root, path);

/** The server's files outside server/libraries/redaction that could have a redactor, or a function derived from one. */
const FILES = readdirSync(at('server'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('server', name).replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path) && !/^server\/(?:libraries\/redaction|widgets)\//.test(path))
  .filter((path) => /redact/i.test(ts.sys.readFile(at(path)) ?? ''))
  .sort();

const { config } = ts.readConfigFile(at('server/tsconfig.json'), (path) => ts.sys.readFile(path)) as {
  readonly config: unknown;
};
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, at('server'));
const edited = new Map<string, { readonly version: number; readonly text: string }>();
const textOf = (path: string): string | undefined => edited.get(path)?.text ?? ts.sys.readFile(path);

const service = ts.createLanguageService({
  getScriptFileNames: () => FILES.map(at),
  getScriptVersion: (path) => String(edited.get(path)?.version ?? 0),
  getScriptSnapshot: (path) => {
    const text = textOf(path);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => root,
  getCompilationSettings: () => options,
  getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
  fileExists: (path) => ts.sys.fileExists(path),
  readFile: (path) => ts.sys.readFile(path),
  directoryExists: (path) => ts.sys.directoryExists(path),
  getDirectories: (path) => ts.sys.getDirectories(path),
});

const program = service.getProgram();
if (program === undefined) throw new Error('The server has no program.');
const checker = program.getTypeChecker();

/** Whether a name is a method of `Redactor`, whatever its object is called. */
function isOfRedactor(name: ts.Node): boolean {
  const [declaration] = checker.getSymbolAtLocation(name)?.declarations ?? [];
  const owner = declaration?.parent;
  return owner !== undefined && ts.isInterfaceDeclaration(owner) && owner.name.text === 'Redactor';
}

interface Redaction {
  readonly call: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Found {
  /** Mentioned methods of a redactor, called or not. */
  uses: number;
  /** Called methods, and calls of a function `redact` from a door. */
  readonly redactions: Redaction[];
}

function withoutCall(node: ts.CallExpression, method: string): string {
  const [argument] = node.arguments;
  const raw = argument?.getText() ?? '';
  const report = `${node.getText()}.report`;
  if (method === 'exchange') return `{ entry: ${raw}, report: ${report} }`;
  return method === 'payload' ? `{ payload: ${raw}, report: ${report} }` : `(${raw})`;
}

function search(path: string): Found {
  const found: Found = { uses: 0, redactions: [] };
  const source = program?.getSourceFile(at(path));
  const add = (node: ts.CallExpression, method: string): void =>
    void found.redactions.push({
      call: node.getText(),
      start: node.getStart(),
      end: node.end,
      replacement: withoutCall(node, method),
    });
  const visit = (node: ts.Node): void => {
    const isMember = ts.isPropertyAccessExpression(node) && METHODS.includes(node.name.text);
    if (isMember && isOfRedactor(node.name)) {
      found.uses += 1;
      if (ts.isCallExpression(node.parent) && node.parent.expression === node)
        add(node.parent, node.name.text);
    }
    if (ts.isBindingElement(node) && isOfRedactor(node.propertyName ?? node.name)) found.uses += 1;
    if (ts.isCallExpression(node) && /(?:^|\.)#?redact$/.test(node.expression.getText())) add(node, 'redact');
    ts.forEachChild(node, visit);
  };
  if (source !== undefined) visit(source);
  return found;
}

const found = new Map(FILES.map((path) => [path, search(path)]));

let version = 0;

/** The compiler's errors in a file with changed text. */
function errorsWith(path: string, text: string): number {
  edited.set(path, { version: (version += 1), text });
  const errors = service.getSemanticDiagnostics(path).length;
  edited.delete(path);
  return errors;
}

it('only doors call a redactor', () => {
  const callers = [...found].filter(([, { uses }]) => uses > 0).map(([path]) => path);
  expect(callers).toEqual(Object.keys(DOORS).sort());
});

it('the compiler has no complaint beforehand', { timeout: 60_000 }, () => {
  const path = at('server/core/services.ts');
  expect(errorsWith(path, ts.sys.readFile(path) ?? '')).toBe(0);
});

describe.each([...found].filter(([, { redactions }]) => redactions.length > 0))(
  '%s',
  (path, { redactions }) => {
    const text = ts.sys.readFile(at(path)) ?? '';

    it.each(redactions)('does not compile without $call', { timeout: 60_000 }, (redaction) => {
      const without = text.slice(0, redaction.start) + redaction.replacement + text.slice(redaction.end);
      expect(errorsWith(at(path), without)).toBeGreaterThan(0);
    });
  },
);
