import { Script } from 'node:vm';
import { transform } from 'sucrase';
import { SpillwayError } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { cut } from '../../shared/base/cut.ts';
import { AFTER, BEFORE, PROGRAM_FILE } from './prelude.ts';
import type { CodePosition } from './protocol.ts';

const QUOTED_UNITS = 160;

/** `line 3, column 5: const x = ;` */
export function quotePlace(code: string, { line, column }: CodePosition): string {
  if (line === null) return '';
  const lines = code.split('\n');
  if (line > lines.length) return `after its last line: ${cut(lines.at(-1)?.trim() ?? '', QUOTED_UNITS)}`;
  const text = lines[line - 1]?.trim() ?? '';
  const at = column === null ? `line ${line}` : `line ${line}, column ${column}`;
  return text === '' ? at : `${at}: ${cut(text, QUOTED_UNITS)}`;
}

/** A place counted with the prelude in front of the program. */
export const shiftPosition = ({ line, column }: CodePosition): CodePosition => ({
  line,
  column: line === 1 && column !== null ? Math.max(1, column - BEFORE.length) : column,
});

/**
 * A program without its types, line by line.
 * @throws SpillwayError `program_invalid` with the place
 */
export function stripTypes(code: string): string {
  let plain: string;
  try {
    ({ code: plain } = transform(`${BEFORE}${code}${AFTER}`, {
      transforms: ['typescript'],
      disableESTransforms: true,
      keepUnusedImports: true,
    }));
  } catch (thrown) {
    const reason = messageOf(thrown);
    const at = /\((\d+):(\d+)\)\s*$/.exec(reason);
    const place = shiftPosition({
      line: at === null ? null : Number(at[1]),
      column: at === null ? null : Number(at[2]),
    });
    throw invalid(
      code,
      place,
      reason.replace(/^Error transforming [^:]*: /, '').replace(/\s*\(\d+:\d+\)\s*$/, ''),
    );
  }
  expectNoModule(code, plain);
  return plain.slice(BEFORE.length, -AFTER.length);
}

/** QuickJS does not explain why it refuses these. */
function expectNoModule(code: string, plain: string): void {
  try {
    void new Script(plain, { filename: PROGRAM_FILE });
  } catch (thrown) {
    if (!/^Cannot use '?import|^Unexpected token 'export'/.test(messageOf(thrown))) return;
    const at = /:(\d+)\n/.exec(thrown instanceof Error ? (thrown.stack ?? '') : '');
    const line = at === null ? null : Number(at[1]);
    throw invalid(code, { line, column: null }, 'a program imports and exports nothing');
  }
}

/** @param why without a full stop */
export const invalid = (code: string, place: CodePosition, why: string): SpillwayError =>
  new SpillwayError('program_invalid', `The program is not valid: ${withPlace(code, place, why)}.`);

/** The same for a program that exceeds a limit. */
export const overLimit = (code: string, place: CodePosition, why: string): SpillwayError =>
  new SpillwayError('program_limit', `The program was ended: ${withPlace(code, place, why)}.`);

function withPlace(code: string, place: CodePosition, why: string): string {
  const quoted = quotePlace(code, place);
  return quoted === '' ? why : `${why} (${quoted})`;
}
