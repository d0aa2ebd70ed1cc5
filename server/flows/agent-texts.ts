import {
  MARK_UNITS,
  PASSAGES_MAX,
  type FlowHow,
  type FlowSource,
  type ReadSite,
} from '../../shared/policy/call-facts.ts';
import { pause } from '../core/slices.ts';
import { givenDecoded, variantsOf } from './decoded.ts';
import { fold } from './folded.ts';
import { GRAM, Prints } from './prints.ts';
import { groupOf } from './groups.ts';
import type { SentText } from './sent.ts';
import { tokensIn, valuesIn, wholeValue } from './tokens.ts';

/** A copy of 40 folded characters covers at least so many with the fingerprints that are kept. */
const COVERED_MIN = 30;
/** The same for shorter copies together. */
const COVERED_TOGETHER = 96;
/** Text that so many sites have belongs to none of them. */
const COMMON = 3;
const SLICE = 64 * 1024;
/** Of one text. More is not searched later: its sites count as sources of everything. */
const TEXT_MAX = 16 * 1024 * 1024;
const TAIL = 256;
/** Between the parts of an address. */
const SEPARATORS = /[/?&=#]+/;
const LABELS_MAX = 0xff_f0;

/** How often a text was seen, each time with the sites of which it may be. */
type Sighting = readonly number[];

/** A sighting with its name and number. */
interface Seen {
  readonly ids: Sighting;
  readonly key: string;
  readonly step: number;
}

interface KnownSite extends ReadSite {
  readonly id: number;
  readonly group: string;
  is_private: boolean;
  /** Not all of its text could be kept. */
  isPart: boolean;
}

interface Hit {
  how: FlowHow;
  characters: number;
  readonly marks: Set<string>;
}

/** Remembers whose text an agent was given, as keyed hashes in at most 16 MiB, and finds it in what the agent sends. */
export class AgentTexts {
  readonly #prints: Prints;
  readonly #sites: KnownSite[] = [];
  readonly #labels: (readonly Sighting[])[] = [[]];
  readonly #byKey = new Map<string, number>();
  readonly #next = new Map<number, number>();
  readonly #sightings = new Map<string, number>();
  #queue: Promise<void> = Promise.resolve();
  #tail = '';
  #address = '';

  constructor(slotsMax?: number) {
    this.#prints = new Prints(slotsMax);
  }

  get bytes(): number {
    return this.#prints.bytes;
  }

  /** The private sites that the agent has read, by origin. */
  get privateSites(): readonly ReadSite[] {
    return this.#sites.filter((site) => site.is_private);
  }

  get sites(): readonly ReadSite[] {
    return this.#sites;
  }

  /** Adds texts that the agent was given; `own` is what it had sent with the call, which no answer makes anybody's. */
  add(texts: readonly string[], from: readonly ReadSite[], own: readonly string[]): void {
    const ids = [...new Set(from.map((site) => this.#siteOf(site).id))].toSorted((one, other) => one - other);
    if (ids.length === 0 || texts.length === 0) return;
    const work = this.#queue.then(() => this.#index(texts, ids, own));
    this.#queue = work.catch(() => this.#loseTextOf(ids));
  }

  /** Resolves when everything added is kept. */
  ready(): Promise<void> {
    return this.#queue;
  }

  /** From which sites the texts are, with the characters found of each. */
  find(sent: readonly SentText[], shown: readonly string[]): readonly FlowSource[] {
    if (this.#sites.length === 0) return [];
    const hits = new Map<number, Hit>();
    for (const site of this.#sites)
      if (site.isPart && site.is_private) hits.set(site.id, { how: 'part', characters: 0, marks: new Set() });
    const texts = sent.flatMap(({ parts }) => parts);
    for (const text of new Set([...texts, texts.join(' '), texts.join('')])) this.#search(text, hits);
    const fresh = sent.map(({ parts, address }) =>
      address === null ? parts.join('') : this.#newIn(address),
    );
    this.#searchTail(fresh.join(''), hits);
    for (const text of shown) this.#mark(text, hits);
    return [...hits].map(([id, hit]) => this.#sourceOf(id, hit));
  }

  /** The same with sites that count although nothing of them is found. */
  sourcesOf(sites: readonly ReadSite[], how: FlowHow): readonly FlowSource[] {
    return sites.map((site) =>
      this.#sourceOf(this.#siteOf(site).id, { how, characters: 0, marks: new Set() }),
    );
  }

  #sourceOf(id: number, { how, characters, marks }: Hit): FlowSource {
    const { site = '', group = '', is_private = true } = this.#sites[id] ?? {};
    const passages = Math.max(marks.size, characters > 0 ? 1 : 0);
    return { site, group, is_private, how, passages, characters, marks: [...marks].slice(0, PASSAGES_MAX) };
  }

  #siteOf({ site, is_private: isPrivate }: ReadSite): KnownSite {
    const known = this.#sites.find((one) => one.site === site);
    if (known !== undefined) {
      known.is_private ||= isPrivate;
      return known;
    }
    const added = {
      site,
      group: groupOf(site),
      is_private: isPrivate,
      id: this.#sites.length,
      isPart: false,
    };
    this.#sites.push(added);
    return added;
  }

  #loseTextOf(ids: Sighting): void {
    for (const id of ids) {
      const site = this.#sites[id];
      if (site !== undefined) site.isPart = true;
    }
  }

  async #index(texts: readonly string[], ids: Sighting, own: readonly string[]): Promise<void> {
    const isOwn = new Set<number>();
    for (const text of own)
      this.#prints.each(fold(text.slice(0, TEXT_MAX)), false, (high, low) =>
        isOwn.add(high * 0x1_00_00 + low),
      );
    const key = ids.join();
    const seen = { ids, key, step: this.#sightings.get(key) ?? this.#sightings.size };
    this.#sightings.set(key, seen.step);
    const isPrivate = ids.some((id) => this.#sites[id]?.is_private === true);
    let left = TEXT_MAX;
    for (const text of texts) {
      if (text.length > left) this.#loseTextOf(ids);
      const end = Math.min(text.length, left);
      left -= end;
      for (let start = 0; start < end; start += SLICE) {
        // A slice begins before the end of the last one, so that no part is missed.
        const piece = text.slice(Math.max(0, start - 4 * GRAM), Math.min(end, start + SLICE));
        const decoded = givenDecoded(piece);
        for (const one of decoded === '' ? [piece] : [piece, decoded]) {
          this.#prints.each(fold(one), true, (high, low) => {
            if (!isOwn.has(high * 0x1_00_00 + low)) this.#keep(high, low, seen);
          });
          if (isPrivate) this.#indexShort(one, seen, own);
        }
        if (start + SLICE < end) await pause();
      }
    }
  }

  #indexShort(text: string, seen: Seen, own: readonly string[]): void {
    for (const token of tokensIn(text, true))
      if (!own.some((one) => one.includes(token))) this.#keep(...this.#prints.of(`t${token}`), seen);
    for (const value of valuesIn(text))
      if (!own.some((one) => wholeValue(one) === value)) this.#keep(...this.#prints.of(`v${value}`), seen);
  }

  #keep(high: number, low: number, seen: Seen): void {
    const before = this.#prints.get(high, low);
    const label = this.#labelWith(before, seen);
    if (label === before || this.#prints.set(high, low, label)) return;
    this.#makeRoom();
    if (!this.#prints.set(high, low, label)) this.#loseTextOf(seen.ids);
  }

  /** The label of a text that was seen once more. */
  #labelWith(label: number, { ids, key, step: sighting }: Seen): number {
    const step = label * LABELS_MAX + sighting;
    const known = this.#next.get(step);
    if (known !== undefined) return known;
    const before = this.#labels[label] ?? [];
    const isSeen = before.length >= COMMON || before.some((one) => one.join() === key);
    const next = isSeen ? label : this.#labelOf([...before, ids]);
    this.#next.set(step, next);
    return next;
  }

  #labelOf(sightings: readonly Sighting[]): number {
    const key = sightings
      .map((one) => one.join())
      .toSorted()
      .join(';');
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    // More kinds than a table can name: the sites of this one count as sources of everything.
    if (this.#labels.length >= LABELS_MAX) {
      for (const ids of sightings) this.#loseTextOf(ids);
      return LABELS_MAX;
    }
    this.#byKey.set(key, this.#labels.length);
    return this.#labels.push(sightings) - 1;
  }

  /** Public text goes first, then that of the private sites that were read first. */
  #makeRoom(): void {
    let share = this.#prints.keep((label) => !this.#isPublic(label));
    for (const site of this.#sites) {
      if (share < 0.5) return;
      if (!site.is_private) continue;
      site.isPart = true;
      share = this.#prints.keep(
        (label) => !(this.#labels[label] ?? []).every((ids) => ids.includes(site.id)),
      );
    }
  }

  #isPublic(label: number): boolean {
    return (this.#labels[label] ?? []).every((ids) =>
      ids.every((id) => this.#sites[id]?.is_private !== true),
    );
  }

  /**
   * The sites of a text with such a label: those of each time it was seen. None if it is common. A time when only public
   * sites were read makes it public.
   */
  #sitesOf(label: number): readonly number[] {
    const sightings = this.#labels[label] ?? [];
    if (sightings.length >= COMMON) return [];
    const open = sightings.find((ids) => ids.every((id) => this.#sites[id]?.is_private !== true));
    return open ?? [...new Set(sightings.flat())];
  }

  #search(text: string, hits: Map<number, Hit>): void {
    const { variants, isWhole } = variantsOf(text);
    if (!isWhole) for (const site of this.#sites) if (site.is_private) this.#hit(hits, site.id, 'part', 0);
    for (const [at, variant] of variants.entries()) {
      const how = at === 0 ? 'text' : 'decoded';
      this.#searchLong(variant, 0, how, hits);
      this.#searchShort(variant, how, hits);
    }
  }

  /** @param from only a copy that ends after this unit of the text is new */
  #searchLong(text: string, from: number, how: FlowHow, hits: Map<number, Hit>): void {
    const folded = fold(text);
    const runs = new Map<number, { covered: number; longest: number; run: number; end: number }>();
    this.#prints.each(folded, false, (high, low, start) => {
      const label = this.#prints.get(high, low);
      if (label === 0) return;
      const isNew = (folded.at[start + GRAM - 1] ?? 0) >= from;
      for (const id of this.#sitesOf(label)) {
        const run = runs.get(id) ?? { covered: 0, longest: 0, run: 0, end: 0 };
        const more = Math.min(GRAM, start + GRAM - run.end);
        run.run = start <= run.end ? run.run + more : GRAM;
        if (isNew) {
          run.covered += more;
          run.longest = Math.max(run.longest, run.run);
        }
        run.end = start + GRAM;
        runs.set(id, run);
      }
    });
    for (const [id, { covered, longest }] of runs)
      if (longest >= COVERED_MIN || covered >= COVERED_TOGETHER) this.#hit(hits, id, how, covered);
  }

  #searchShort(text: string, how: FlowHow, hits: Map<number, Hit>): void {
    for (const token of tokensIn(text, false)) this.#searchHash(`t${token}`, 'token', token.length, hits);
    const value = wholeValue(text.trim());
    if (value !== null) this.#searchHash(`v${value}`, how === 'text' ? 'value' : how, value.length, hits);
  }

  #searchHash(key: string, how: FlowHow, characters: number, hits: Map<number, Hit>): void {
    for (const id of this.#sitesOf(this.#prints.get(...this.#prints.of(key))))
      this.#hit(hits, id, how, characters);
  }

  /** One letter or word at a time: what was sent before comes first. */
  #searchTail(text: string, hits: Map<number, Hit>): void {
    const before = this.#tail;
    const joined = `${before}${text}`;
    if (before !== '' && text !== '') {
      this.#searchLong(joined.slice(0, 64 * 1024), before.length, 'text', hits);
      for (const token of tokensIn(joined.slice(0, before.length + 64), false))
        if (!before.toLowerCase().includes(token) && !text.toLowerCase().includes(token))
          this.#searchHash(`t${token}`, 'token', token.length, hits);
    }
    this.#tail = joined.slice(-TAIL);
  }

  /** The parts of an address that the one before did not have. */
  #newIn(address: string): string {
    const before = new Set(this.#address.split(SEPARATORS));
    this.#address = address;
    return address
      .split(SEPARATORS)
      .filter((part) => !before.has(part))
      .join('');
  }

  #hit(hits: Map<number, Hit>, id: number, how: FlowHow, characters: number): void {
    const known = hits.get(id);
    if (known === undefined) hits.set(id, { how, characters, marks: new Set() });
    else {
      known.characters = Math.max(known.characters, characters);
      // A token is worth a question each time, whatever else is found.
      if (how === 'token' || known.how === 'part') known.how = how;
    }
  }

  /** Finds the passages in an argument as it is shown. */
  #mark(text: string, hits: Map<number, Hit>): void {
    for (const [id, { marks }] of hits) {
      const folded = fold(text);
      let [begin, end] = [-1, -1];
      const close = (): void => {
        if (begin < 0 || end - begin < GRAM) return;
        const to = folded.at[end - 1] ?? 0;
        marks.add(text.slice(folded.at[begin], to + 1).slice(0, MARK_UNITS));
      };
      this.#prints.each(folded, false, (high, low, start) => {
        if (!this.#sitesOf(this.#prints.get(high, low)).includes(id)) return;
        if (start > end) {
          close();
          begin = start;
        }
        end = start + GRAM;
      });
      close();
      // Encoded, or short: all of the argument.
      if (marks.size < PASSAGES_MAX && marks.size === 0) {
        const one = new Map<number, Hit>();
        this.#search(text, one);
        if (one.has(id)) marks.add(text.slice(0, MARK_UNITS));
      }
    }
  }
}
