/**
 * Elements open at once beyond which a page is not parsed. Browsers put what is deeper than 512 levels side by
 * side, and search the list of open elements for each tag: 100,000 of them take minutes. The deepest of 1,445 real
 * pages has 51.
 */
export const MOST_OPEN_ELEMENTS = 1_000;

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const VOID = words(
  'area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr',
);
/** Their content is text up to their end tag. */
const RAW_TEXT = words('iframe noembed noframes script style textarea title xmp');
/** A start tag closes an open element of the same name. */
const ENDS_ITSELF = words(
  'a body caption colgroup dd dt head html li nobr optgroup option p rp rt tbody td tfoot th thead tr',
);
/** Such a start tag does not look beyond these. */
const BARRIERS = words('button div dl math object ol ruby select svg table template ul');

const NONE: ReadonlySet<string> = new Set();

const TAG = /<(?:!--|(\/?)([a-z][^\s/>]*))/gi;

/**
 * Whether markup opens more elements in each other than {@link MOST_OPEN_ELEMENTS}, by its tags alone: one pass,
 * no tree. It follows the parser where pages depend on it (optional end tags, text of scripts, comments), and counts
 * too few rather than too many.
 */
export function isTooDeep(markup: string, kind: 'html' | 'xml'): boolean {
  const open = new OpenElements(kind === 'html' ? ENDS_ITSELF : NONE);
  TAG.lastIndex = 0;
  for (let found = TAG.exec(markup); found !== null; found = TAG.exec(markup)) {
    const [tag, slash, rawName] = found;
    const end = tag === '<!--' ? markup.indexOf('-->', TAG.lastIndex) : markup.indexOf('>', TAG.lastIndex);
    if (end < 0) return false;
    TAG.lastIndex = end;
    if (rawName === undefined) continue;
    const name = rawName.toLowerCase();
    if (slash === '/') open.close(name);
    else if (!VOID.has(name) && markup.charAt(end - 1) !== '/') {
      if (RAW_TEXT.has(name)) TAG.lastIndex = endOfText(markup, name, end);
      else if (open.push(name) > MOST_OPEN_ELEMENTS) return true;
    }
  }
  return false;
}

/** Where the end tag of an element begins whose content is text. */
function endOfText(markup: string, name: string, from: number): number {
  const endTag = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  endTag.lastIndex = from;
  return endTag.exec(markup)?.index ?? markup.length;
}

class OpenElements {
  readonly #names: string[] = [];
  readonly #endsItself: ReadonlySet<string>;

  constructor(endsItself: ReadonlySet<string>) {
    this.#endsItself = endsItself;
  }

  /** @returns how many are open now */
  push(name: string): number {
    if (this.#endsItself.has(name)) this.#closeUpTo(name, BARRIERS);
    return this.#names.push(name);
  }

  close(name: string): void {
    this.#closeUpTo(name, NONE);
  }

  /** Closes the innermost element of a name and what is in it, unless one of `barriers` is in between. */
  #closeUpTo(name: string, barriers: ReadonlySet<string>): void {
    for (let at = this.#names.length - 1; at >= 0; at -= 1) {
      const open = this.#names[at];
      if (open === name) {
        this.#names.length = at;
        return;
      }
      if (open === undefined || barriers.has(open)) return;
    }
  }
}
