import { computeName } from '../names/name.ts';
import { roleOf } from '../names/role.ts';
import { labelIdsOf } from '../elements.ts';

/** The name that the author set apart from the content, or null. Cheap: most elements have none. */
export function givenName(el: Element): string | null {
  if (!el.hasAttributes()) return null;
  if (labelIdsOf(el) !== null) return computeName(el, roleOf(el, el.localName));
  const label = el.getAttribute('aria-label');
  return label === null || label.trim() === '' ? null : label;
}

/** The name of an element without text: its tooltip, or an image in it. */
function iconName(el: Element): string {
  const title = el.getAttribute('title');
  if (title !== null && title !== '') return title;
  const part = el.querySelector('img[alt],[aria-label],title,[title]');
  if (part === null) return '';
  return (
    part.getAttribute('alt') ??
    part.getAttribute('aria-label') ??
    part.getAttribute('title') ??
    part.textContent ??
    ''
  );
}

/** Elements that are one of several of their kind. */
const TAGS = new Set(['li', 'tr', 'article', 'dd', 'option']);
const ROLES = new Set(['row', 'listitem', 'article', 'option', 'treeitem', 'comment']);
/** Cells and the like: their row tells what they belong to. */
const PARTS = new Set(['cell', 'gridcell', 'rowheader', 'columnheader', 'presentation', 'none']);
/** Elements that contain a part of a page, if they look like their neighbours. */
const HOLDERS = new Set('div section dl fieldset figure details form p tbody ul a'.split(' '));

/** A row, list item, card or the like: one of several of a kind, by its role or its looks. */
export function repeats(el: Element): boolean {
  const tag = el.localName;
  const role = el.hasAttributes() ? el.getAttribute('role') : null;
  if (role !== null && ROLES.has(role)) return true;
  if (TAGS.has(tag)) return true;
  if (role !== null && PARTS.has(role)) return false;
  if (!HOLDERS.has(tag) && !tag.includes('-')) return false;
  // The one before has been read already.
  return looksAlike(el, el.previousElementSibling) || looksAlike(el, el.nextElementSibling);
}

/** The same tag, and the same class or, without one, the same beginning. */
function looksAlike(el: Element, other: Element | null): boolean {
  if (other === null || other.localName !== el.localName) return false;
  const own = firstClass(el);
  if (own !== firstClass(other)) return false;
  if (own !== '' || el.localName.includes('-')) return true;
  return (
    el.firstElementChild !== null && el.firstElementChild.localName === other.firstElementChild?.localName
  );
}

/** State classes are usually appended. */
function firstClass(el: Element): string {
  const names = el.getAttribute('class') ?? '';
  const end = names.indexOf(' ');
  return end < 0 ? names : names.slice(0, end);
}

/** A list, table or row of cards: texts that its items share are not a key. */
export interface List {
  readonly items: Item[];
  /** Where its parent begins in {@link Recording.texts}: the text before the list may be its title. */
  readonly from: number;
}

/** A row, list item or card, with its texts. */
export interface Item {
  readonly recording: Recording;
  readonly list: List;
  /** The row of a cell, and so on. */
  readonly outer: Item | null;
  readonly from: number;
  to: number;
}

export interface Identity {
  readonly recording: Recording;
  readonly role: string;
  /** Name that does not come from the element's content, or null. */
  given: string | null;
  readonly from: number;
  to: number;
  readonly item: Item | null;
  /** Where its small part of the page begins: text before it there may tell what it belongs to. */
  readonly partFrom: number;
}

type Owner = 'control' | 'link';

const CONTROLS = new Set(
  'button checkbox menuitem menuitemcheckbox menuitemradio radio switch tab summary'.split(' '),
);
const REGIONS = new Set(['nav', 'main', 'aside', 'header', 'footer', 'form', 'dialog']);
/** Levels above an element that are still its own small part of the page. */
const PART_LEVELS = 4;

/**
 * A walk's record of a document: its texts, and the positions of elements with refs. Copies and compares nothing until
 * asked, which is rare.
 */
export class Recording {
  readonly texts: string[] = [];
  readonly identities: Identity[] = [];
  /** The whole document was walked. */
  isWhole = false;

  readonly #allItems: Item[] = [];
  #owners: Owner[] | null = null;
  #textItems: Item[] | null = null;
  readonly #els: Element[] = [];
  readonly #starts: number[] = [];
  readonly #shown: (Identity | null)[] = [];
  /** The item of each open level; undefined until asked for. */
  readonly #items: (Item | null | undefined)[] = [];
  readonly #lists: (List | null)[] = [];
  #depth = -1;
  #continues = false;

  open(el: Element): void {
    this.#continues = false;
    const depth = (this.#depth += 1);
    this.#els[depth] = el;
    this.#starts[depth] = this.texts.length;
    this.#shown[depth] = null;
    this.#items[depth] = undefined;
    this.#lists[depth] = null;
  }

  close(): void {
    this.#continues = false;
    const depth = this.#depth;
    const to = this.texts.length;
    const shown = this.#shown[depth];
    if (shown != null) {
      shown.to = to;
      const el = this.#els[depth];
      if (shown.given === null && shown.from === to && el !== undefined) shown.given = iconName(el);
    }
    const item = this.#items[depth];
    if (item != null && item.from === this.#starts[depth]) item.to = to;
    this.#depth -= 1;
  }

  /** Ends the walk and releases the elements. */
  end(isWhole: boolean): void {
    this.isWhole = isWhole;
    this.#els.length = 0;
  }

  /** Joins texts without an element between them. */
  text(data: string): void {
    const last = this.texts.length - 1;
    if (this.#continues) this.texts[last] += data;
    else this.texts.push(data);
    this.#continues = true;
  }

  /** Records the last opened element as shown. */
  show(role: string, given: string | null): Identity {
    const depth = this.#depth;
    const from = this.#starts[depth] ?? 0;
    const identity: Identity = {
      recording: this,
      role,
      given,
      from,
      to: this.texts.length,
      item: depth > 0 ? this.#itemAt(depth - 1) : null,
      partFrom: this.#partFrom(depth, from),
    };
    this.#shown[depth] = identity;
    this.identities.push(identity);
    return identity;
  }

  ownerOf(at: number): Owner | undefined {
    this.#owners ??= this.#findOwners();
    return this.#owners[at];
  }

  #findOwners(): Owner[] {
    const owners: Owner[] = [];
    for (const { role, from, to } of this.identities)
      if (role === 'link' || CONTROLS.has(role))
        for (let at = from; at < to; at += 1) owners[at] = role === 'link' ? 'link' : 'control';
    return owners;
  }

  itemOf(at: number): Item | null {
    this.#textItems ??= this.#findTextItems();
    return this.#textItems[at] ?? null;
  }

  /** Inner items come later, and so overwrite those around them. */
  #findTextItems(): Item[] {
    const found: Item[] = [];
    for (const item of this.#allItems) for (let at = item.from; at < item.to; at += 1) found[at] = item;
    return found;
  }

  get current(): Element | undefined {
    return this.#els[this.#depth];
  }

  #partFrom(depth: number, from: number): number {
    for (let up = depth - 1; up >= 0 && up >= depth - PART_LEVELS; up -= 1) {
      const start = this.#starts[up] ?? from;
      if (start < from) return start;
      if (REGIONS.has(this.#els[up]?.localName ?? '')) return from;
    }
    return from;
  }

  #itemAt(depth: number): Item | null {
    const known = this.#items[depth];
    if (known !== undefined) return known;
    const outer = depth > 0 ? this.#itemAt(depth - 1) : null;
    const el = this.#els[depth];
    let item = outer;
    if (el !== undefined && repeats(el)) {
      const from = this.#starts[depth] ?? 0;
      const list = depth > 0 ? this.#listAt(depth - 1) : { items: [], from };
      item = { recording: this, list, outer, from, to: from };
      list.items.push(item);
      this.#allItems.push(item);
    }
    this.#items[depth] = item;
    return item;
  }

  #listAt(depth: number): List {
    return (this.#lists[depth] ??= { items: [], from: this.#starts[Math.max(0, depth - 1)] ?? 0 });
  }
}
