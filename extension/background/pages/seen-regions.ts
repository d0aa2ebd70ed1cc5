/** A region of a snapshot that most pages of a site share, and its lines without their refs. */
interface Region {
  readonly head: string;
  readonly lines: readonly string[];
}

const SHARED = /^@(?:banner|navigation|search|contentinfo)\b/;
const REF = /\b(?:f\d+)*e\d+ /g;
const REGIONS_KEPT = 40;
const VIEWERS_KEPT = 20;

const withoutRefs = (line: string): string => line.replaceAll(REF, '');

/** The lines of a snapshot, in groups that begin with a region. */
function* regionsOf(text: string): Generator<readonly string[]> {
  let region: string[] = [];
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('@') && region.length > 0) {
      yield region;
      region = [];
    }
    region.push(line);
  }
  yield region;
}

/** How many lines at the beginning of a region are equal. */
function alike(lines: readonly string[], known: readonly string[]): number {
  const at = lines.findIndex((line, index) => line !== known[index]);
  return at < 0 ? lines.length : at;
}

/** The banners, navigations and footers that sessions have seen. A restarted worker knows none. */
export class SeenRegions {
  readonly #byViewer = new Map<string, readonly Region[]>();

  /** Notes a snapshot that a session sees. */
  note(viewer: string, text: string): void {
    const found = [...regionsOf(text)].flatMap(([head = '', ...lines]) =>
      SHARED.test(head) ? [{ head, lines: lines.map(withoutRefs) }] : [],
    );
    const kept = [...found, ...(this.#byViewer.get(viewer) ?? [])].slice(0, REGIONS_KEPT);
    this.#byViewer.delete(viewer);
    this.#byViewer.set(viewer, kept);
    for (const oldest of [...this.#byViewer.keys()].slice(0, -VIEWERS_KEPT)) this.#byViewer.delete(oldest);
  }

  /** The same without the lines with which its shared regions begin as the session has seen them. */
  fold(viewer: string, text: string): string {
    const known = this.#byViewer.get(viewer) ?? [];
    let dropped = 0;
    const kept = [...regionsOf(text)].flatMap(([head = '', ...lines]) => {
      const bare = lines.map(withoutRefs);
      const same = known.filter((region) => SHARED.test(head) && region.head === head);
      const seen = Math.max(0, ...same.map((region) => alike(bare, region.lines)));
      dropped += seen;
      return seen > 0 && seen === lines.length ? [] : [head, ...lines.slice(seen)];
    });
    const left = dropped === 0 ? [] : [`= ${dropped} lines of banner, navigation or footer, seen before`];
    return `${[...kept, ...left].join('\n')}\n`;
  }
}
