/*
 * A parser for the part of RE2's syntax that gitleaks' rules use, and a printer of JavaScript expressions. RE2 has
 * flags within an expression, which Node 20 lacks: a letter that matches either case is printed as a class.
 */

export type Node =
  | { readonly type: 'char'; readonly char: string; readonly anyCase: boolean }
  | { readonly type: 'class'; readonly codes: ReadonlySet<number> }
  | { readonly type: 'assertion'; readonly source: string }
  | { readonly type: 'group'; readonly options: readonly (readonly Node[])[] }
  | { readonly type: 'repeat'; readonly node: Node; readonly min: number; readonly max: number };

const LAST_CODE = 126;
const FIRST_CODE = 32;

function codesOf(...ranges: readonly string[]): Set<number> {
  const codes = new Set<number>();
  for (const range of ranges)
    for (let code = range.charCodeAt(0); code <= range.charCodeAt(range.length - 1); code += 1)
      codes.add(code);
  return codes;
}

const WORD = codesOf('az', 'AZ', '09', '_');
const NAMED: Readonly<Record<string, ReadonlySet<number>>> = {
  w: WORD,
  d: codesOf('09'),
  s: codesOf(' ', '\t', '\n', '\r'),
  S: codesOf('!~'),
  alnum: codesOf('az', 'AZ', '09'),
};
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Both cases of every letter in a set. */
function foldCase(codes: ReadonlySet<number>): Set<number> {
  const chars = [...codes].map((code) => String.fromCharCode(code));
  return new Set(
    chars.flatMap((char) => [char.toLowerCase().charCodeAt(0), char.toUpperCase().charCodeAt(0)]),
  );
}

class Parser {
  readonly #source: string;
  #at = 0;
  #anyCase = false;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): Node {
    const node = this.#alternation();
    if (this.#at < this.#source.length) throw this.#error();
    return node;
  }

  #error(): Error {
    return new Error(`Not understood at ${this.#at}: ${this.#source.slice(this.#at, this.#at + 20)}`);
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    this.#at += match?.[0].length ?? 0;
    return match;
  }

  #alternation(): Node {
    const options: Node[][] = [[]];
    while (this.#at < this.#source.length && !this.#source.startsWith(')', this.#at)) {
      if (this.#take('|')) options.push([]);
      else {
        const node = this.#repeated();
        if (node !== null) options.at(-1)?.push(node);
      }
    }
    return { type: 'group', options };
  }

  #repeated(): Node | null {
    const node = this.#atom();
    if (node === null) return null;
    const found = this.#match(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y);
    if (found === null) return node;
    const [, sign, min = '0', comma, max = ''] = found;
    if (sign !== undefined)
      return { type: 'repeat', node, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    const upper = comma === '' ? Number(min) : max === '' ? Infinity : Number(max);
    return { type: 'repeat', node, min: Number(min), max: upper };
  }

  #atom(): Node | null {
    if (this.#take('(')) return this.#group();
    if (this.#take('[')) return this.#class();
    if (this.#take('.')) return { type: 'class', codes: codesOf(' ~') };
    const assertion = this.#match(/\\[bBz]|[$^]/y)?.[0];
    if (assertion !== undefined) return { type: 'assertion', source: assertion };
    const named = this.#match(/\\([wdsS])/y)?.[1];
    if (named !== undefined) return { type: 'class', codes: NAMED[named] ?? new Set() };
    return { type: 'char', char: this.#literal(), anyCase: this.#anyCase };
  }

  /** The group's flags end with it; flags alone count up to the end of the group around them. */
  #group(): Node | null {
    const outer = this.#anyCase;
    const flags = this.#match(/\?(?:P<\w+>|(-?)(i?)s?([:)]))/y);
    if (flags !== null && flags[2] === 'i') this.#anyCase = flags[1] === '';
    if (flags?.[3] === ')') return null;
    const node = this.#alternation();
    if (!this.#take(')')) throw this.#error();
    this.#anyCase = outer;
    return node;
  }

  #literal(): string {
    if ('*+?'.includes(this.#source.charAt(this.#at))) throw this.#error();
    return this.#char();
  }

  #char(): string {
    const hex = this.#match(/\\x([0-9a-f]{2})/iy)?.[1];
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    const escaped = this.#match(/\\(.)/y)?.[1];
    if (escaped !== undefined) return ESCAPES[escaped] ?? escaped;
    const char = this.#source.charAt(this.#at);
    if (char === '') throw this.#error();
    this.#at += 1;
    return char;
  }

  #class(): Node {
    const isNegated = this.#take('^');
    const codes = new Set<number>();
    while (!this.#take(']')) {
      const named = this.#match(/\[:(\w+):\]|\\([wdsS])/y);
      if (named !== null) {
        for (const code of NAMED[named[1] ?? named[2] ?? ''] ?? []) codes.add(code);
        continue;
      }
      const first = this.#char();
      const isRange = /^-[^\]]/.test(this.#source.slice(this.#at, this.#at + 2)) && this.#take('-');
      for (const code of codesOf(isRange ? first + this.#char() : first)) codes.add(code);
    }
    const folded = this.#anyCase ? foldCase(codes) : codes;
    if (!isNegated) return { type: 'class', codes: folded };
    return { type: 'class', codes: new Set([...codesOf(' ~')].filter((code) => !folded.has(code))) };
  }
}

/**
 * The tree of an RE2 expression.
 *
 * @throws Error for syntax that gitleaks did not use when this was written
 */
export function parseRe2(source: string): Node {
  return new Parser(source).parse();
}

function escapeChar(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

function printClass(codes: ReadonlySet<number>): string {
  const isIn = (code: number): boolean => codes.has(code);
  const printable = Array.from({ length: LAST_CODE - FIRST_CODE + 1 }, (_, index) => FIRST_CODE + index);
  const blanks = isIn(9) ? '\\s' : '';
  let out = '';
  for (const start of printable.filter((code) => isIn(code) && (code === FIRST_CODE || !isIn(code - 1)))) {
    let end = start;
    while (end < LAST_CODE && isIn(end + 1)) end += 1;
    const [first, last] = [start, end].map((code) =>
      String.fromCharCode(code).replace(/[\\\]^-]/, (char) => `\\${char}`),
    );
    out += end - start > 1 ? `${first}-${last}` : end > start ? `${first}${last}` : first;
  }
  return `[${out}${blanks}]`;
}

/** The JavaScript source of a node. */
export function printNode(node: Node): string {
  switch (node.type) {
    case 'char': {
      const [lower, upper] = [node.char.toLowerCase(), node.char.toUpperCase()];
      return node.anyCase && lower !== upper ? `[${upper}${lower}]` : escapeChar(node.char);
    }
    case 'class':
      return printClass(node.codes);
    case 'assertion':
      return node.source === '\\z' ? '$' : node.source;
    case 'group': {
      const options = [...new Set(node.options.map((option) => printNodes(option)))];
      return options.length === 1 ? options.join('') : `(?:${options.join('|')})`;
    }
    case 'repeat': {
      const times = `{${node.min},${node.max === Infinity ? '' : node.max}}`;
      const short: Readonly<Record<string, string>> = { '{0,1}': '?', '{0,}': '*', '{1,}': '+' };
      const isRow = node.node.type === 'group' && node.node.options.length === 1;
      const one = isRow ? `(?:${printNode(node.node)})` : printNode(node.node);
      return one + (node.min === node.max ? `{${node.min}}` : (short[times] ?? times));
    }
  }
}

/** The JavaScript source of nodes in a row. */
export function printNodes(nodes: readonly Node[]): string {
  return nodes.map(printNode).join('');
}
