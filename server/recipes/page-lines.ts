import { cut } from '../../shared/cut.ts';

/** What a page says of an element: enough to find it again when its ref is gone. */
export interface Described {
  readonly role: string;
  readonly name: string;
  /** What it is in or below, in the words of `find`: `row "Invoice 7"`, `under "Settings"`. */
  readonly near?: string;
}

const NAME_UNITS = 200;
const REF = String.raw`(?:f\d+)*e\d+`;
/** `e13 button [pressed] Save · row "Invoice 7"`, in an answer of `find` or by itself in a snapshot. */
const LINE = new RegExp(String.raw`^[\s~+>-]*(${REF}) ([a-z]+)((?: \[[^\]]*\])*)(?: (.*))?$`);
/** `[e6 Wheat flour]` or `[e6 Wheat flour -> https://…]` within a text. */
const LINK = new RegExp(String.raw`\[(${REF}) ([^\]]*)\]`, 'g');
const HEADING = /^\s*#{1,6} (.*)$/;

/** A line of `find` or of a snapshot; null for one without a ref at its beginning. */
export function parseLine(line: string): (Described & { readonly ref: string }) | null {
  const match = LINE.exec(line);
  if (match === null) return null;
  const [, ref = '', role = '', , rest = ''] = match;
  const [said = '', near] = splitLast(rest);
  return { ref, role, name: nameOf(said), ...(near === undefined ? {} : { near }) };
}

/** The name and what `find` says of the place. */
function splitLast(rest: string): readonly [string, string?] {
  const at = rest.lastIndexOf(' · ');
  return at < 0 ? [rest] : [rest.slice(0, at), rest.slice(at + 3)];
}

/** Without the value of a field, its options and what a diff says it was. */
const nameOf = (said: string): string =>
  cut(said.replace(/(?: = .*| \((?:was .*|[^()]*\|[^()]*)\))$/, '').trim(), NAME_UNITS);

/** Every element that a text shows with a ref, each with the heading above it where nothing nearer is said. */
export function describedIn(text: string): ReadonlyMap<string, Described> {
  const found = new Map<string, Described>();
  let heading: string | null = null;
  for (const line of text.split('\n')) {
    heading = HEADING.exec(line)?.[1] ?? heading;
    const place = heading === null ? {} : { near: `under ${JSON.stringify(heading)}` };
    const parsed = parseLine(line);
    if (parsed !== null) {
      const { ref, ...described } = parsed;
      found.set(ref, { ...place, ...described });
    }
    for (const [, ref = '', name = ''] of line.matchAll(LINK))
      if (!found.has(ref))
        found.set(ref, { ...place, role: 'link', name: nameOf(name.replace(/ -> \S*$/, '')) });
  }
  return found;
}
