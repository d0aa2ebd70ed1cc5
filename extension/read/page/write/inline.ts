interface ScriptSigns {
  readonly open: string;
  readonly close: string;
}

const PLAIN: ScriptSigns = { open: '', close: '' };

/** Raised, but not powers: trademarks, footnote references, endings of ordinals and titles. */
const NO_POWER =
  /^(?:[®™©℠ªº*†‡§¶]+|[[(]\s*[\p{L}\p{N}*†‡, –-]{1,12}\s*[\])]|st|nd|rd|th|er|re|ère|ème|tm|sm|lle|mme)$/iu;
const ONE = /^[\p{L}\p{N}]+$/u;
const BRACKETED = /^\([^()]*\)$/;

/**
 * The signs that keep the meaning of a raised (`^`) or lowered (`_`) part in plain text: `x^2`, `10^(-3)`, `10^(6)5`,
 * `a_(n+1)`. An unambiguous index stays as it is: `H2O`, `x1`, but `log_(2)8`.
 * @param content the raised or lowered part
 * @param neighbours the characters before and after it, empty for a space
 */
function scriptSigns(
  sign: string,
  content: string,
  neighbours: { readonly base: string; readonly after: string },
): ScriptSigns {
  const { base, after } = neighbours;
  const text = content.trim();
  if (sign === '^' && NO_POWER.test(text) && !BRACKETED.test(text)) return PLAIN;
  if (sign === '_' && /^\p{N}+$/u.test(text) && /^[\p{L})\]]$/u.test(base) && !/^\p{N}/u.test(after))
    return PLAIN;
  const isOne = (ONE.test(text) && !/^[\p{L}\p{N}]/u.test(after)) || BRACKETED.test(text);
  return isOne ? { open: sign, close: '' } : { open: `${sign}(`, close: ')' };
}

export interface LineStyle {
  /**
   * Escapes text.
   * @param before the character before it, empty at a line's start
   * @param after the character after it, empty at the end
   * @param isLabel in square brackets
   */
  escape(text: string, before: string, after: string, isLabel: boolean): string;
  /** Writes inline code. */
  code(text: string): string;
  readonly flanks: boolean;
  readonly lineBreak: string | null;
  /** Whether leading spaces of a line are written; plain text has them anyway. */
  readonly indents: boolean;
  /** For everything in one line (a table's cell): replaces block boundaries. */
  readonly joiner: string | null;
}

/** Emphasis, a link or the like. Each element has a mark of its own. */
export interface Mark {
  readonly kind: 'emphasis' | 'link' | 'script' | 'plain';
  readonly open: string;
  readonly close: string;
}

/** A part of a line in page order, before its neighbours are known. */
export interface Atom {
  readonly kind: 'text' | 'code' | 'raw';
  data: string;
  /** From the outermost to the innermost. */
  readonly marks: readonly Mark[];
  readonly before: string;
  readonly breaks: number;
}

/** A part of a line in its final order, not yet escaped. */
interface Token {
  readonly kind: 'text' | 'code' | 'raw' | 'break';
  data: string;
  /** In square brackets, which a bracket would end. */
  readonly isLabel: boolean;
}

const PUNCTUATION = /^[\p{P}\p{S}]$/u;
const ADDRESS = /^https?:\/\//i;
const WORD = /^[\p{L}\p{N}]/u;
const LEAD = /^[\s\p{P}\p{S}]+/u;
const TRAIL = /[\s\p{P}\p{S}]+$/u;
const LEADING_BLANKS = /^\s+/;
const TRAILING_BLANKS = /\s+$/;
/** Brackets and quotation marks, which should move in pairs. */
const PAIRED = /^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"']+$/u;

/** Writes the parts of one line with their marks. */
export function writeInline(atoms: readonly Atom[], style: LineStyle, lineBreak: string): string {
  const [only] = atoms;
  if (atoms.length === 1 && only?.kind === 'text' && only.marks.length === 0)
    return only.before + style.escape(only.data, '', '', false);
  const joined = joinEmphasis(atoms);
  const layout = new Layout(style.flanks ? joined.flatMap(moveEdges) : joined, style.flanks);
  return render(layout.tokens, style, lineBreak);
}

const isEmphasis = (mark: Mark): boolean => mark.kind === 'emphasis';
const isGlued = (atom: Atom | undefined): boolean =>
  atom !== undefined && atom.before === '' && atom.breaks === 0;

/** `<b>a</b><b>b</b>` is one emphasis: adjacent closing and opening signs would read as one run. */
function joinEmphasis(atoms: readonly Atom[]): Atom[] {
  const aliases = new Map<Mark, Mark>();
  let before: readonly Mark[] = [];
  return atoms.map((atom) => {
    let marks: readonly Mark[] = atom.marks.map((mark) => aliases.get(mark) ?? mark);
    if (isGlued(atom))
      for (const old of before.filter((mark) => isEmphasis(mark) && !marks.includes(mark))) {
        const same = marks.find((mark) => mark.open === old.open && !before.includes(mark));
        if (same === undefined) continue;
        aliases.set(same, old);
        marks = marks.map((mark) => (mark === same ? old : mark));
      }
    before = marks;
    return { ...atom, marks };
  });
}

/**
 * In CommonMark, an emphasis sign between a letter and punctuation neither opens nor closes, nor does one next to a
 * space: `a<b>(b)</b>` is written `a(**b**)`.
 */
function moveEdges(atom: Atom, at: number, atoms: readonly Atom[]): Atom[] {
  if (atom.kind !== 'text' || !atom.marks.some(isEmphasis)) return [atom];
  const opening = emphasisOnlyIn(atom, atoms[at - 1]);
  const closing = emphasisOnlyIn(atom, atoms[at + 1]);
  const { lead, trail } = edgesOf(atom, atoms[at - 1], atoms[at + 1], {
    opens: opening.length > 0,
    closes: closing.length > 0,
  });
  if (lead === '' && trail === '') return [atom];
  const without = (left: readonly Mark[]): Mark[] => atom.marks.filter((mark) => !left.includes(mark));
  if (lead.length + trail.length >= atom.data.length)
    return [{ ...atom, marks: without([...opening, ...closing]) }];
  const inner = { ...atom, data: atom.data.slice(lead.length, atom.data.length - trail.length) };
  const next = { before: '', breaks: 0 };
  return [
    ...(lead === ''
      ? [inner]
      : [
          { ...atom, data: lead, marks: without(opening) },
          { ...inner, ...next },
        ]),
    ...(trail === '' ? [] : [{ ...atom, data: trail, marks: without(closing), ...next }]),
  ];
}

/** The leading and trailing characters of a text that its emphasis cannot include. */
function edgesOf(
  atom: Atom,
  previous: Atom | undefined,
  next: Atom | undefined,
  { opens, closes }: { readonly opens: boolean; readonly closes: boolean },
): { readonly lead: string; readonly trail: string } {
  const isTightBefore = isGlued(atom) && previous !== undefined && !isLoose(lastOf(previous.data));
  const isTightAfter = next !== undefined && isGlued(next) && isWordy(next);
  const lead = opens ? match(atom.data, isTightBefore ? LEAD : LEADING_BLANKS) : '';
  const trail = closes ? match(atom.data, isTightAfter ? TRAIL : TRAILING_BLANKS) : '';
  if (trail !== '' && lead === '' && opens) return { lead: pairOf(atom.data, LEAD, trail), trail };
  if (lead !== '' && trail === '' && closes) return { lead, trail: pairOf(atom.data, TRAIL, lead) };
  return { lead, trail };
}

const match = (text: string, pattern: RegExp): string => pattern.exec(text)?.[0] ?? '';

function pairOf(text: string, pattern: RegExp, other: string): string {
  const found = match(text, pattern);
  return PAIRED.test(found) && /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"']/u.test(other) ? found : '';
}

const emphasisOnlyIn = (atom: Atom, other: Atom | undefined): Mark[] =>
  atom.marks.filter((mark) => isEmphasis(mark) && other?.marks.includes(mark) !== true);

const isWordy = (atom: Atom): boolean => atom.kind === 'text' && !isLoose(firstOf(atom.data));

/** The first character, surrogate pairs whole. */
function firstOf(text: string): string {
  const point = text.codePointAt(0);
  return point === undefined ? '' : String.fromCodePoint(point);
}

function lastOf(text: string): string {
  const unit = text.charCodeAt(text.length - 1);
  return text.slice(unit >= 0xdc00 && unit <= 0xdfff ? -2 : -1);
}

/**
 * A space, an edge or punctuation. Parsers disagree whether symbols beyond the basic plane are punctuation or letters:
 * they count as neither.
 */
const isLoose = (char: string): boolean => char.length < 2 && (/^\s?$/.test(char) || PUNCTUATION.test(char));
const isLetter = (char: string): boolean => !/^\s?$/.test(char) && !PUNCTUATION.test(char);

const canOpen = (before: string, after: string): boolean =>
  isLetter(after) || (!/^\s?$/.test(after) && isLoose(before));
const canClose = (before: string, after: string): boolean => canOpen(after, before);

/** Opens and closes marks between the parts of a line. */
class Layout {
  readonly tokens: Token[] = [];
  #open: Mark[] = [];
  readonly #signs = new Map<Mark, { readonly open: string; readonly close: string }>();

  constructor(
    private readonly atoms: readonly Atom[],
    private readonly flanks: boolean,
  ) {
    atoms.forEach((atom, at) => this.#add(atom, at));
    for (const mark of this.#open.toReversed()) this.#put('raw', this.#signsOf(mark).close);
  }

  #add(atom: Atom, at: number): void {
    const kept = this.#open.findIndex((mark) => !atom.marks.includes(mark));
    const closing = kept === -1 ? [] : this.#open.slice(kept).toReversed();
    if (kept !== -1) this.#open.length = kept;
    const wanted = atom.marks.filter((mark) => !this.#open.includes(mark));
    for (const mark of wanted) if (mark.kind === 'script') this.#choose(mark, at);
    const first = firstOf(shownStart(atom));
    const blank = atom.breaks > 0 ? '\n' : atom.before;
    const opening = this.flanks ? this.#openable(closing, wanted, blank, writtenStart(atom)) : wanted;
    const isMisread =
      isWordy(atom) && blank === '' && opening.length === 0 && !this.#canAllClose(closing, first);
    for (const mark of closing) this.#put('raw', this.#signsOf(mark).close);
    for (let i = 0; i < atom.breaks; i += 1) this.tokens.push({ kind: 'break', data: '', isLabel: false });
    this.#put('raw', atom.before);
    for (const mark of opening) {
      this.#put('raw', this.#signsOf(mark).open);
      this.#open.push(mark);
    }
    if (!isMisread) return this.#put(atom.kind, atom.data);
    // The letter is written as a reference, which begins with punctuation.
    this.#put('raw', `&#x${(first.codePointAt(0) ?? 0).toString(16)};`);
    this.#put('text', atom.data.slice(first.length));
  }

  #put(kind: Token['kind'], data: string): void {
    if (data === '') return;
    const isLabel = this.#open.some(({ open }) => open === '[');
    const last = this.tokens.at(-1);
    if (last?.kind === kind && kind !== 'break' && last.isLabel === isLabel) last.data += data;
    else this.tokens.push({ kind, data, isLabel });
  }

  #signsOf(mark: Mark): { readonly open: string; readonly close: string } {
    return this.#signs.get(mark) ?? mark;
  }

  #choose(mark: Mark, at: number): void {
    let content = '';
    let end = at;
    for (let atom = this.atoms[end]; atom?.marks.includes(mark) === true; atom = this.atoms[end]) {
      content += end === at ? atom.data : atom.before + atom.data;
      end += 1;
    }
    const start = this.atoms[at];
    const base = start !== undefined && isGlued(start) ? lastOf(this.atoms[at - 1]?.data ?? '') : '';
    const next = this.atoms[end];
    const after = next !== undefined && isGlued(next) ? firstOf(next.data) : '';
    const signs = scriptSigns(mark.open, content, { base, after });
    // At the edge of a word an underscore could open emphasis.
    const isLoneLine = this.flanks && signs.open.startsWith('_') && !WORD.test(base);
    this.#signs.set(mark, isLoneLine ? { ...signs, open: `\\${signs.open}` } : signs);
  }

  #lastChar(): string {
    const last = this.tokens.at(-1);
    return last === undefined || last.kind === 'break' ? '' : last.kind === 'code' ? '`' : lastOf(last.data);
  }

  /** The wanted marks that can open here. The others wait for the next part. */
  #openable(closing: readonly Mark[], wanted: readonly Mark[], blank: string, first: string): Mark[] {
    let marks = [...wanted];
    for (;;) {
      const signs = [
        ...(blank === '' ? closing.map((mark) => this.#signsOf(mark).close) : []),
        ...marks.map((mark) => this.#signsOf(mark).open),
      ];
      const skipped = signs.length - marks.length;
      const bad = marks.findIndex((mark, i) => {
        if (!isEmphasis(mark)) return false;
        const { before, after, start } = runAround(signs, skipped + i);
        // A run that closes one emphasis and opens another would be misread.
        if (start < skipped) return true;
        return !canOpen(before ?? (blank === '' ? this.#lastChar() : ' '), after ?? first);
      });
      if (bad === -1) return marks;
      marks = marks.filter((_, i) => i !== bad);
    }
  }

  #canAllClose(closing: readonly Mark[], first: string): boolean {
    if (!this.flanks) return true;
    const signs = closing.map((mark) => this.#signsOf(mark).close);
    return closing.every((mark, i) => {
      if (!isEmphasis(mark)) return true;
      const { before, after } = runAround(signs, i);
      return canClose(before ?? this.#lastChar(), after ?? first);
    });
  }
}

/** Undefined where the signs end. */
function runAround(
  signs: readonly string[],
  at: number,
): { readonly before: string | undefined; readonly after: string | undefined; readonly start: number } {
  const sign = signs[at]?.charAt(0) ?? '';
  const isOfRun = (text: string | undefined): boolean => text === '' || text?.startsWith(sign) === true;
  let start = at;
  while (start > 0 && isOfRun(signs[start - 1])) start -= 1;
  let end = at;
  while (end + 1 < signs.length && isOfRun(signs[end + 1])) end += 1;
  const before = start === 0 ? undefined : lastOf(signs[start - 1] ?? '');
  const after = end + 1 === signs.length ? undefined : firstOf(signs[end + 1] ?? '');
  return { before, after, start };
}

/** An address may be written in angle brackets, and emphasis does not open between a letter and one. */
const writtenStart = (atom: Atom): string =>
  atom.kind === 'text' && ADDRESS.test(atom.data) ? '<' : firstOf(shownStart(atom));

const shownStart = ({ kind, data }: Atom): string => (kind === 'code' ? '`' : data);

function render(tokens: readonly Token[], style: LineStyle, lineBreak: string): string {
  let text = '';
  let before = '';
  tokens.forEach(({ kind, data, isLabel }, at) => {
    if (kind === 'break') {
      text += lineBreak;
      before = '';
      return;
    }
    const next = tokens[at + 1];
    const after = next === undefined ? '' : next.kind === 'break' ? '\n' : firstOf(next.data);
    let part = kind === 'code' ? style.code(data) : data;
    if (kind === 'text') part = style.escape(data, before, next?.kind === 'code' ? '`' : after, isLabel);
    text += part;
    // Not of the whole line: reading a character of a text that grows copies all of it.
    before = lastOf(part);
  });
  return text;
}
