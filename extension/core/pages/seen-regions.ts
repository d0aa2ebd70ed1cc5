import { SHARED_REGION } from '../page/protocol.ts';

/** A region of a snapshot that most pages of a site share, and its lines without their refs. */
interface Region {
  readonly head: string;
  readonly lines: readonly string[];
}

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

/** The banners, navigations and footers of pages that sessions have seen or acted on. A restarted worker knows none. */
export class SeenRegions {
  readonly #byViewer = new Map<string, readonly Region[]>();

  /** Notes a snapshot that a session sees, or the baseline of its act. */
  note(viewer: string, text: string): void {
    const found = [...regionsOf(text)].flatMap(([head = '', ...lines]) =>
      SHARED_REGION.test(head) ? [{ head, lines: lines.map(withoutRefs) }] : [],
    );
    const kept = [...found, ...(this.#byViewer.get(viewer) ?? [])].slice(0, REGIONS_KEPT);
    this.#byViewer.delete(viewer);
    this.#byViewer.set(viewer, kept);
    for (const oldest of [...this.#byViewer.keys()].slice(0, -VIEWERS_KEPT)) this.#byViewer.delete(oldest);
  }

  /** The same without the lines with which its shared regions begin as before. */
  fold(viewer: string, text: string): string {
    const known = this.#byViewer.get(viewer) ?? [];
    let dropped = 0;
    const kept = [...regionsOf(text)].flatMap(([head = '', ...lines]) => {
      const bare = lines.map(withoutRefs);
      const same = known.filter((region) => SHARED_REGION.test(head) && region.head === head);
      const seen = Math.max(0, ...same.map((region) => alike(bare, region.lines)));
      dropped += seen;
      return seen > 0 && seen === lines.length ? [] : [head, ...lines.slice(seen)];
    });
    const left =
      dropped === 0 ? [] : [`= ${dropped} lines of banner, navigation or footer, as on the page before`];
    return `${[...kept, ...left].join('\n')}\n`;
  }
}
