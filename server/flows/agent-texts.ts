import {
  MARK_UNITS,
  PASSAGES_MAX,
  FlowHow,
  type FlowSource,
  type ReadSite,
} from '../../shared/core/policy/call-facts.ts';
import { valueIn } from '../../shared/base/maps.ts';
import { defer, waitAtMost } from '../../shared/base/async.ts';
import { pause } from '../core/slices.ts';
import common from './common.json';
import { givenDecoded, variantsOf } from './decoded.ts';
import { asDigits, type Folded } from './folded.ts';
import { coveredOf, GRAM, KIND, Prints } from './prints.ts';
import { groupOf } from './groups.ts';
import type { SentText } from './sent.ts';
import { pairsOf, Tails } from './tails.ts';
import { eachToken, eachValue, VALUE_UNITS } from './tokens.ts';

/** A copy of 40 folded characters is found, and shorter ones together. */
const COVERED = { alone: coveredOf(40), together: 96 } as const;
/** Text that so many sites have belongs to none of them. */
const COMMON = 3;
const SLICE = 64 * 1024;
/** An answer is on its way before its text is looked at, unless the next call is there sooner. */
const ANSWER_MS = 30;
/** Of one text. More is not searched later: its sites count as sources of everything. */
const TEXT_MAX = 16 * 1024 * 1024;
/** Folded characters. */
const TOKEN_FOLDED = { min: 4, max: 256 } as const;
const VALUE_FOLDED = { min: 8, max: 31 } as const;

/** Marks a label of text that the agent has sent: who shows it from then on may only have received it. */
const SENT = 0x80_00;
/** The labels of text that the agent sent before it read it, and of phrases that many sites have. */
const [NOBODY, EVERYBODY] = [1, 2] as const;
const LABELS_MAX = SENT - 1;

/** How often a text was seen, each time with the sites of which it may be. */
type Sighting = readonly number[];

interface KnownSite extends ReadSite {
  readonly id: number;
  readonly group: string;
  is_private: boolean;
  /** Not all of its text could be kept. */
  isPart: boolean;
}

/** Of a folded text. */
interface Passage {
  readonly from: number;
  to: number;
  covered: number;
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
  readonly #labels: (readonly Sighting[])[] = [[], [], []];
  readonly #byKey = new Map<string, number>();
  #queue: Promise<void> = Promise.resolve();
  /** Resolves when a call has to be judged. */
  #isAwaited = defer<void>();
  /** Texts that calls have sent, until one of their answers is kept. */
  readonly #unclaimed: SentText[] = [];
  /** Their variants. */
  readonly #decoded = new Map<string, ReturnType<typeof variantsOf>>();
  readonly #tails = new Tails();
  /** Phrases of many sites, until the first text is kept. */
  readonly #phrases = [
    common.join(' '),
    ...common.flatMap((phrase) => phrase.split(/[.!?,。]\s*/)),
    ...Intl.supportedValuesOf('timeZone'),
  ];

  constructor(slotsMax?: number) {
    this.#prints = new Prints(slotsMax);
  }

  get bytes(): number {
    return this.#prints.bytes;
  }

  get sites(): readonly ReadSite[] {
    return this.#sites;
  }

  /** Adds texts that the agent was given. @param sent in the call that they answer */
  add(texts: readonly string[], from: readonly ReadSite[], sent: readonly SentText[] = []): void {
    const ids = [...new Set(from.map((site) => this.#siteOf(site).id))].toSorted((one, other) => one - other);
    if (ids.length === 0 || texts.length === 0) return;
    // A call that went nowhere was not searched, and its error may quote it.
    const claimed = [...this.#unclaimed.splice(0), ...sent];
    const work = this.#queue.then(async () => {
      await waitAtMost(this.#isAwaited.promise, ANSWER_MS);
      this.#claimAll(claimed);
      await this.#index(texts, ids);
    });
    this.#queue = work.catch(() => this.#loseTextOf(ids));
  }

  /** Resolves when everything added is kept. */
  async ready(): Promise<void> {
    this.#isAwaited.resolve();
    await this.#queue;
    this.#isAwaited = defer();
    this.#claimAll(this.#unclaimed.splice(0));
  }

  /**
   * From which sites the texts are, with the characters found of each.
   * @param shown texts in which the passages are marked @param also sites that count although nothing of them is found
   */
  find(
    sent: readonly SentText[],
    shown: readonly string[],
    also: Partial<Record<FlowHow, readonly ReadSite[]>> = {},
  ): readonly FlowSource[] {
    const hits = new Map<number, Hit>();
    const wholes = sent.map(({ parts }) => parts[0] ?? '');
    const joined = [wholes.join(' '), wholes.join(''), ...pairsOf(wholes)];
    for (const text of new Set([...sent.flatMap(({ parts }) => parts), ...joined])) this.#search(text, hits);
    this.#searchTails(sent, hits);
    for (const text of shown) this.#mark(text, hits);
    this.#unclaimed.push(...sent);
    const part = this.#sites.filter((site) => site.isPart && site.is_private);
    for (const how of FlowHow.options)
      for (const site of { part, ...also }[how] ?? []) {
        const { id } = this.#siteOf(site);
        if (!hits.has(id)) this.#hit(hits, id, how, 0);
      }
    return [...hits].map(([id, hit]) => this.#sourceOf(id, hit));
  }

  /**
   * The agent has sent texts. No site becomes a source of them, and none makes them public, by showing them from now on: it
   * may only have received them. Those that no site has shown yet are nobody's.
   */
  #claimAll(sent: readonly SentText[]): void {
    for (const { parts } of sent)
      for (const variant of parts.flatMap((text) => this.#decode(text).variants))
        this.#claim(variant, NOBODY);
    this.#decoded.clear();
  }

  #decode(text: string): ReturnType<typeof variantsOf> {
    return valueIn(this.#decoded, text, variantsOf);
  }

  #claim(text: string, as: number): void {
    const mark = (label: number): number => label | SENT;
    const folded = this.#prints.read(text);
    const claim = (from: number, to = from + GRAM, kind: number = KIND.text, first = as | SENT): void =>
      void this.#prints.set(folded, from, to, kind, first, mark);
    for (let at = 0; at + GRAM <= folded.length; at += 1) claim(at, undefined, undefined, 0);
    this.#prints.each(folded, (start) => claim(start));
    this.#eachShort(text, folded, 'sent', (from, to, how) => claim(from, to, KIND[how]));
  }

  #sourceOf(id: number, { how, characters, marks }: Hit): FlowSource {
    const { site = '', group = '', is_private = true } = this.#sites[id] ?? {};
    const passages = Math.max(marks.size, characters > 0 ? 1 : 0);
    return { site, group, is_private, how, passages, characters, marks: [...marks].slice(0, PASSAGES_MAX) };
  }

  #siteOf({ site, is_private: isPrivate }: ReadSite): KnownSite {
    let known = this.#sites.find((one) => one.site === site);
    if (known === undefined) {
      const id = this.#sites.length;
      this.#sites.push((known = { site, group: groupOf(site), is_private: isPrivate, id, isPart: false }));
    }
    known.is_private ||= isPrivate;
    return known;
  }

  #loseTextOf(ids: Sighting): void {
    for (const site of this.#sites) site.isPart ||= ids.includes(site.id);
  }

  async #index(texts: readonly string[], ids: Sighting): Promise<void> {
    for (const phrase of this.#phrases.splice(0)) {
      await pause();
      this.#claim(phrase, EVERYBODY);
    }
    let left = TEXT_MAX;
    for (const text of texts) {
      if (text.length > left) this.#loseTextOf(ids);
      const end = Math.min(text.length, left);
      left -= end;
      this.#prints.reserve(end);
      for (let start = 0; start < end; start += SLICE) {
        await pause();
        // A slice begins before the end of the last one, so that no part is missed.
        const piece = asDigits(text.slice(Math.max(0, start - 4 * GRAM), Math.min(end, start + SLICE)));
        this.#keepAll(piece, ids);
        this.#keepAll(givenDecoded(piece), ids);
      }
    }
  }

  #keepAll(text: string, ids: Sighting): void {
    const first = this.#labelWith(0, ids);
    const known = new Map<number, number>();
    const change = (label: number): number => {
      const after = known.get(label) ?? this.#labelWith(label, ids);
      known.set(label, after);
      return after;
    };
    const folded = this.#prints.read(text);
    const keep = (from: number, to: number, kind: number): void => {
      if (this.#prints.set(folded, from, to, kind, first, change)) return;
      this.#makeRoom();
      if (!this.#prints.set(folded, from, to, kind, first, change)) this.#loseTextOf(ids);
    };
    this.#prints.each(folded, (start) => keep(start, start + GRAM, KIND.text));
    if (ids.some((id) => this.#sites[id]?.is_private === true))
      this.#eachShort(text, folded, 'given', (from, to, how) => keep(from, to, KIND[how]));
  }

  /** Every short text that may matter alone. @param as a text that was sent has values if it is short, or encoded */
  #eachShort(
    text: string,
    { before }: Folded,
    as: 'given' | 'sent' | 'encoded',
    found: (from: number, to: number, how: 'token' | 'value') => void,
  ): void {
    const short = (from: number, to: number, how: 'token' | 'value'): void => {
      const first = before[from] ?? 0;
      const last = before[to] ?? 0;
      const { min, max } = how === 'token' ? TOKEN_FOLDED : VALUE_FOLDED;
      if (last - first >= min && last - first <= max) found(first, last, how);
    };
    eachToken(text, as === 'given', short);
    if (as !== 'sent' || text.length <= VALUE_UNITS) eachValue(text, as === 'given', short);
  }

  /** The label of a text that was seen once more. */
  #labelWith(label: number, ids: Sighting): number {
    const before = this.#labels[label] ?? [];
    const isSeen = before.length >= COMMON || before.some((one) => one.join() === ids.join());
    return isSeen || label >= SENT ? label : this.#labelOf([...before, ids]);
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
    const sightingsOf = (label: number): readonly Sighting[] => this.#labels[label & LABELS_MAX] ?? [];
    const isPublic = (ids: Sighting): boolean => ids.every((id) => this.#sites[id]?.is_private !== true);
    let share = this.#prints.keep((label) => !sightingsOf(label).every(isPublic));
    for (const site of this.#sites) {
      if (share < 0.5) return;
      if (!site.is_private) continue;
      site.isPart = true;
      share = this.#prints.keep((label) => !sightingsOf(label).every((ids) => ids.includes(site.id)));
    }
  }

  /**
   * The sites of a text with such a label: those of each time it was seen. None if it is common. A time when only public
   * sites were read makes it public.
   */
  #sitesOf(label: number): readonly number[] {
    const sightings = this.#labels[label & LABELS_MAX] ?? [];
    if (sightings.length >= COMMON) return [];
    const open = sightings.find((ids) => ids.every((id) => this.#sites[id]?.is_private !== true));
    return open ?? [...new Set(sightings.flat())];
  }

  #search(text: string, hits: Map<number, Hit>): void {
    const { variants, isWhole } = this.#decode(text);
    if (!isWhole) for (const site of this.#sites) if (site.is_private) this.#hit(hits, site.id, 'part', 0);
    for (const [at, variant] of variants.entries()) {
      const folded = this.#prints.read(variant);
      const isDecoded = at > 0;
      this.#searchLong(folded, isDecoded ? 'decoded' : 'text', hits);
      const as = isDecoded && !/\s/.test(text) ? 'encoded' : 'sent';
      this.#eachShort(variant, folded, as, (from, to, how) => {
        // Names in code are left out.
        if (how === 'value' && isDecoded && as === 'sent') return;
        for (const id of this.#sitesOf(this.#prints.get(folded, from, to, KIND[how])))
          this.#hit(hits, id, isDecoded && how === 'value' ? 'decoded' : how, to - from);
      });
    }
  }

  #searchLong(folded: Folded, how: FlowHow, hits: Map<number, Hit>): void {
    for (const [id, passages] of this.#passagesIn(folded)) {
      const characters = passages.reduce((sum, { covered }) => sum + covered, 0);
      const isAlone = passages.some(({ covered }) => covered >= COVERED.alone);
      if (isAlone || characters >= COVERED.together) this.#hit(hits, id, how, characters);
    }
  }

  /** The parts of a text that each site has, and how much of each is not in common phrases. */
  #passagesIn(folded: Folded): ReadonlyMap<number, readonly Passage[]> {
    const found: [start: number, label: number][] = [];
    let isCommon: Uint8Array | null = null;
    this.#prints.search(folded, (start, label) => {
      if (label === (EVERYBODY | SENT))
        (isCommon ??= new Uint8Array(folded.length)).fill(1, start, start + GRAM);
      else found.push([start, label]);
    });
    const all = new Map<number, Passage[]>();
    for (const [start, label] of found)
      for (const id of this.#sitesOf(label)) {
        const passages = valueIn(all, id, () => []);
        let last = passages.at(-1);
        if (last === undefined || start > last.to)
          passages.push((last = { from: start, to: start, covered: 0 }));
        for (; last.to < start + GRAM; last.to += 1) last.covered += 1 - (isCommon?.[last.to] ?? 0);
      }
    return all;
  }

  /** After what was sent to the same place before, and only what comes by the new text. */
  #searchTails(sent: readonly SentText[], hits: Map<number, Hit>): void {
    for (const { before, joined } of this.#tails.add(sent)) {
      const [old, all] = [new Map<number, Hit>(), new Map<number, Hit>()];
      this.#search(joined, all);
      if (all.size > 0) this.#search(before, old);
      for (const [id, { how, characters }] of all)
        if (characters > (old.get(id)?.characters ?? 0)) this.#hit(hits, id, how, characters);
    }
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
    if (hits.size === 0) return;
    const folded = this.#prints.read(text);
    const all = this.#passagesIn(folded);
    for (const [id, { marks }] of hits)
      for (const { from, to } of all.get(id) ?? [])
        marks.add(text.slice(folded.at[from], (folded.at[to - 1] ?? 0) + 1).slice(0, MARK_UNITS));
    // Encoded, or short: all of the argument.
    const whole = new Map<number, Hit>();
    if (all.size < hits.size) this.#search(text, whole);
    for (const id of whole.keys()) if (!all.has(id)) hits.get(id)?.marks.add(text.slice(0, MARK_UNITS));
  }
}
