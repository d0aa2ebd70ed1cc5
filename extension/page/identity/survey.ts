import { flatParent, isShadowRoot, squash } from '../dom.ts';
import { Refs } from '../refs.ts';
import { hidesItself, whileShown } from '../self-hidden.ts';
import { Walker } from '../walk/walker.ts';
import { Out } from '../write/out.ts';
import { SnapshotWriter } from '../write/snapshot.ts';
import { givenName } from './given-name.ts';
import { Recording, regionOf, type Context, type Identity } from './recording.ts';
import { RecordingWriter } from './recording-writer.ts';
import { repeats } from './repeats.ts';
import { without } from './row-texts.ts';

/** An element of the page as it would be shown now. */
export interface Surveyed {
  readonly el: Element;
  readonly identity: Identity;
}

const HEADINGS = 'h1,h2,h3,h4,h5,h6,legend';
/** Elements before a list that are looked at for its title. */
const TITLES_SEEN = 8;
/** Levels above an element that are looked at without the rest of the page. */
const NEAR_LEVELS = 6;
const OUT_UNITS = 1 << 26;

const OPTIONS = {
  format: 'snapshot',
  selector: null,
  main_content_only: false,
  include_links: false,
  include_hidden: false,
} as const;

/** Gives no numbers: notes which elements a snapshot would show, and how. */
class SurveyRefs extends Refs {
  readonly surveyed: Surveyed[] = [];
  readonly #recording: Recording;

  constructor(recording: Recording) {
    super();
    this.#recording = recording;
  }

  override of(el: Element, role = '', given: string | null = null): string {
    if (this.#recording.current === el)
      this.surveyed.push({ el, identity: this.#recording.show(role, given ?? givenName(el)) });
    return 'e0';
  }
}

/**
 * The elements that a snapshot of the page would give refs to, or of a part of it.
 *
 * @param root the part; null for the whole page
 */
export function survey(root: Element | null, includeHidden = false): Surveyed[] {
  const recording = new Recording(root === null ? undefined : contextOf(root));
  const refs = new SurveyRefs(recording);
  const walk = (): void => {
    const roots = root === null ? [] : [root];
    const walker = new Walker({ document, roots, includeHidden, selection: null, refs });
    const options = { ...OPTIONS, include_hidden: includeHidden };
    const tools = { out: new Out(OUT_UNITS), refs, options, view: walker, linePrefix: '', follows: false };
    const writer = new RecordingWriter(new SnapshotWriter(tools), recording);
    walker.run(writer, () => false);
    writer.finish();
  };
  if (!includeHidden && hidesItself(document)) whileShown(document, walk);
  else walk();
  recording.end(root === null);
  return refs.surveyed;
}

/** The element as it would be shown now, with no more of the page around it than its row. */
export function surveyNear(el: Element): Identity | null {
  return survey(rowAround(el)).find((found) => found.el === el)?.identity ?? null;
}

function rowAround(el: Element): Element {
  let root = el;
  for (let level = 0; level < NEAR_LEVELS; level += 1) {
    const up = flatParent(root);
    if (up === null || up.localName === 'body') break;
    root = up;
    if (repeats(root)) break;
  }
  return root;
}

/** Whether the row that the row of an element is in has a text, or its list has it as a title. */
export function isSaidAround(el: Element, text: string): boolean {
  const row = rowAround(el);
  const list = flatParent(row);
  let before = list?.firstElementChild ?? null;
  for (let seen = 0; before !== null && seen < TITLES_SEEN; seen += 1) {
    if (before !== row && !repeats(before) && says(before, text)) return true;
    before = seen === 0 ? (list?.previousElementSibling ?? null) : before.previousElementSibling;
  }
  for (let up = list; up !== null; up = flatParent(up)) if (repeats(up) && says(up, text)) return true;
  return false;
}

const says = (el: Element, text: string): boolean =>
  ` ${without(squash(el.textContent ?? ''))} `.includes(` ${text} `);

/** What precedes and contains a part of the page, which a walk of that part alone does not see. */
export function contextOf(root: Element): Context {
  let region = '';
  for (let up = flatParent(root); up !== null && region === ''; up = flatParent(up))
    region = regionOf(up) ?? '';
  const tree = root.getRootNode();
  const within = isShadowRoot(tree) ? tree : root.ownerDocument;
  let heading = '';
  for (const el of within.querySelectorAll(HEADINGS)) {
    if ((root.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_PRECEDING) === 0) break;
    // A legend names its own group, and not what comes after it.
    if (el.localName === 'legend' && el.parentElement?.contains(root) !== true) continue;
    if (el.checkVisibility({ visibilityProperty: true })) heading = el.textContent ?? '';
  }
  return { region, heading };
}
