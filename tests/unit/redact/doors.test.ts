import { resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/* Where what others wrote becomes clean. Without its redaction none of these compiles. */
const DOORS = [
  'server/core/log-feed.ts',
  'server/core/calls/funnel.ts',
  'server/core/calls/delivery.ts',
  'server/bridge/host/note.ts',
  'server/cli/print-error.ts',
  'server/cli/doctor.ts',
  'server/network/parts.ts',
  'server/tools/find_tools/runtime.ts',
  'server/tools/oc_evidence_bundle/compose.ts',
  'server/tools/oc_evidence_bundle/sources.ts',
  'server/journal/index.ts',
  'server/runs/redaction.ts',
  'server/runs/run-log.ts',
  'server/runs/runs.ts',
  'server/runs/workshop.ts',
] as const;

const root = resolve(import.meta.dirname, '../../..');
const at = (path: string): string => resolve(root, path);

const { config } = ts.readConfigFile(at('server/tsconfig.json'), (path) => ts.sys.readFile(path)) as {
  readonly config: unknown;
};
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, at('server'));
const edited = new Map<string, { readonly version: number; readonly text: string }>();
const textOf = (path: string): string | undefined => edited.get(path)?.text ?? ts.sys.readFile(path);

const service = ts.createLanguageService({
  getScriptFileNames: () => DOORS.map(at),
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

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly call: string;
  readonly replacement: string;
}

/** Each call of a redactor in a file, with what would be there without it. */
function redactions(path: string): readonly Edit[] {
  const source = ts.createSourceFile(path, ts.sys.readFile(path) ?? '', ts.ScriptTarget.Latest, true);
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    const [argument] = ts.isCallExpression(node) ? node.arguments : [];
    if (ts.isCallExpression(node) && argument !== undefined) {
      const callee = node.expression.getText(source);
      const method = /\bredactor\.(?<method>value|text|payload|exchange)$/.exec(callee)?.groups?.['method'];
      const raw = argument.getText(source);
      const replacement =
        method === 'exchange'
          ? `{ entry: ${raw}, report: redactor.exchange(${raw}).report }`
          : method === 'payload'
            ? `{ payload: ${raw}, report: redactor.payload(${raw}).report }`
            : `(${raw})`;
      if (method !== undefined)
        edits.push({ start: node.getStart(source), end: node.end, call: node.getText(source), replacement });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return edits;
}

let version = 0;

/** The compiler's errors in a file whose text is another. */
function errorsWith(path: string, text: string): number {
  edited.set(path, { version: (version += 1), text });
  const errors = service.getSemanticDiagnostics(path).length;
  edited.delete(path);
  return errors;
}

describe.each(DOORS)('%s', (door) => {
  const path = at(door);
  const text = ts.sys.readFile(path) ?? '';

  it('compiles as it is', { timeout: 60_000 }, () => {
    expect(errorsWith(path, text)).toBe(0);
  });

  it.each(redactions(path))('does not compile without $call', { timeout: 60_000 }, (edit) => {
    const without = text.slice(0, edit.start) + edit.replacement + text.slice(edit.end);
    expect(errorsWith(path, without)).toBeGreaterThan(0);
  });
});
