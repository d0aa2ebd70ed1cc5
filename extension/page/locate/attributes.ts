import { invalid, type SelectorPart } from './fault.ts';
import { compile, unescape } from './matcher.ts';

/** `[name="Save"i]`: `op` is empty where only a name is given. */
export interface SelectorAttribute {
  readonly name: string;
  readonly op: string;
  readonly value: string | RegExp;
  readonly ignoresCase: boolean;
  /** Position in the part's body. */
  readonly offset: number;
}

const NAME = /[\w-]+/y;
const OPERATOR = /[*^$|~]?=/y;
const QUOTED = /(["'])((?:\\.|(?!\1).)*)\1\s*([iIsS]?)/sy;
const PATTERN = /\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\])+)\/([a-z]*)/sy;
const BARE = /[\w.+\u0080-\uffff-]+/y;

/** Reads a part's body from left to right. */
class Reader {
  readonly #part: SelectorPart;
  at = 0;

  constructor(part: SelectorPart) {
    this.#part = part;
  }

  skipBlanks(): void {
    this.take(/\s*/y);
  }

  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#part.body);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  takes(text: string): boolean {
    const does = this.#part.body.startsWith(text, this.at);
    if (does) this.at += text.length;
    return does;
  }

  expected(what: string): Error {
    const char = this.#part.body[this.at];
    const met = char === undefined ? 'the selector ends' : `there is ${JSON.stringify(char)}`;
    return invalid(this.#part, `${what} is expected where ${met}`, this.at);
  }

  get isOver(): boolean {
    return this.at >= this.#part.body.length;
  }
}

/**
 * A name and its attributes: `button[name="Save"i][pressed]`.
 *
 * @throws PageError `selector_invalid`
 */
export function parseAttributes(part: SelectorPart): {
  readonly name: string;
  readonly attributes: readonly SelectorAttribute[];
} {
  const reader = new Reader(part);
  const name = reader.take(NAME)?.[0] ?? '';
  if (name === '') throw reader.expected('a role, such as button,');
  const attributes: SelectorAttribute[] = [];
  for (reader.skipBlanks(); reader.takes('['); reader.skipBlanks())
    attributes.push(readAttribute(reader, part));
  if (!reader.isOver) throw reader.expected('[');
  return { name, attributes };
}

function readAttribute(reader: Reader, part: SelectorPart): SelectorAttribute {
  reader.skipBlanks();
  const offset = reader.at;
  const name = reader.take(NAME)?.[0];
  if (name === undefined) throw reader.expected('the name of an attribute');
  reader.skipBlanks();
  if (reader.takes(']')) return { name, op: '', value: '', ignoresCase: false, offset };
  const op = reader.take(OPERATOR)?.[0];
  if (op === undefined) throw reader.expected('= or ]');
  reader.skipBlanks();
  const value = readValue(reader, part, op);
  reader.skipBlanks();
  if (!reader.takes(']')) throw reader.expected(']');
  return { name, op, offset, ...value };
}

function readValue(
  reader: Reader,
  part: SelectorPart,
  op: string,
): Pick<SelectorAttribute, 'value' | 'ignoresCase'> {
  const at = reader.at;
  const pattern = reader.take(PATTERN);
  if (pattern !== null) {
    if (op !== '=') throw invalid(part, `a regular expression is compared with =, not with ${op}`, at);
    return { value: compile(part, pattern[1] ?? '', pattern[2] ?? '', at), ignoresCase: false };
  }
  const quoted = reader.take(QUOTED);
  if (quoted !== null) return { value: unescape(quoted[2] ?? ''), ignoresCase: /i/i.test(quoted[3] ?? '') };
  const bare = reader.take(BARE)?.[0];
  if (bare === undefined) throw reader.expected('a value, such as "Save" or /save/i,');
  return { value: bare, ignoresCase: false };
}

/** Whether a text is what an attribute asks for. */
export function matchesAttribute({ op, value, ignoresCase }: SelectorAttribute, actual: string): boolean {
  if (value instanceof RegExp) return value.test(actual);
  const [text, wanted] = ignoresCase ? [actual.toLowerCase(), value.toLowerCase()] : [actual, value];
  switch (op) {
    case '*=':
      return text.includes(wanted);
    case '^=':
      return text.startsWith(wanted);
    case '$=':
      return text.endsWith(wanted);
    case '|=':
      return text === wanted || text.startsWith(`${wanted}-`);
    case '~=':
      return text.split(' ').includes(wanted);
    default:
      return text === wanted;
  }
}
