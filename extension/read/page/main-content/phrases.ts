import type { ArticleFacts } from '../../../../shared/core/bridge/page.ts';
import { cachedIn } from '../../../../shared/base/maps.ts';
import { wordSet } from '../../../dom/elements.ts';

/**
 * Words in class names and ids of elements near or inside an article that are not part of it. A word must be a whole
 * part of the name: `related-posts` and `relatedPosts` contain `related`, `correlated` does not.
 */
const BESIDE = wordSet(
  'ads advert advertisement advertising adsbygoogle author authors banner bio breadcrumb breadcrumbs byline ' +
    'bylines commentlist comments consent cookie cookies copyright credit credits cta dateline dialog disclaimer disclaimers disclosure disclosures ' +
    'disqus footer gdpr metadata modal newsletter newsletters outbrain pager pagination paywall popup postmeta promo ' +
    'promos promoted promotion readmore recirc recirculation recommendations recommended related respond share ' +
    'sharebar sharing signup social sponsor sponsored subscribe subscription taboola tags toc topics trending vcard',
);

/** Readers' comments. */
const COMMENTS = /\b(?:comments|commentlist|comment-list|comment-section|disqus)\b/;

/** The same in pairs of words that mean nothing alone. */
const BESIDE_PAIRS =
  /\b(?:author|about|entry|post|article|story)-(?:box|info|card|meta|date|tags|time|author|nav|navigation)\b|\b(?:read|more|most|also)-(?:more|next|read|from|on|like|popular|stories|news|articles|posts|viewed)\b|\b(?:reading|read)-time\b|\bjump-to\b|\btable-of-contents\b|\bsee-also\b/;

/** Captions and credits of images. */
const CAPTION = /\b(?:captions?|credits?|figcaption)\b/;

/** Splits a class name or id into words. */
const separateWords = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z]+/g, '-');

/** The last page's names, split into words: a page repeats a few names often. */
const knownWords = new Map<string, readonly string[]>();
const MAX_KNOWN = 2_000;

/** The words of each class name and of the id, with hyphens between them. */
export function namesOf(el: Element): readonly string[] {
  const names = `${el.getAttribute('class') ?? ''} ${el.id}`;
  return cachedIn(knownWords, names, MAX_KNOWN, () =>
    names
      .split(/\s+/)
      .filter((name) => name !== '')
      .map(separateWords),
  );
}

export function isNamedBeside(el: Element): boolean {
  return namesOf(el).some(
    (name) => name.split('-').some((word) => BESIDE.has(word)) || BESIDE_PAIRS.test(name),
  );
}

export const isNamedCaption = (el: Element): boolean => namesOf(el).some((name) => CAPTION.test(name));

export const isComments = (el: Element): boolean => namesOf(el).some((name) => COMMENTS.test(name));

/** A part over the page: a dialog, or a cookie banner by its name. */
export const isOverlay = (el: Element): boolean =>
  el.matches('dialog,[role=dialog],[role=alertdialog],[aria-modal=true]') ||
  namesOf(el).some((name) => /\b(?:cookies?|consent|gdpr)\b/.test(name));

/** A longer block cannot be judged by its beginning. */
const MAX_CHARS = 400;

/**
 * Beginnings of blocks that point away from an article, invite or credit. Words that could begin a sentence of the
 * article need a colon or the whole line.
 */
const OPENINGS = [
  /^(?:also read|read also|read more|read next|read our|see also|see more|see related|related|more on this|more from|more reading|further reading|watch(?: now| more)?|listen(?: now)?|up next|next up|recommended|don['’]t miss|editor['’]s picks?|you (?:may|might) (?:also )?(?:like|enjoy|be interested)|in case you missed)\b[^.!?]{0,40}(?::|$)/i,
  /^(?:sign up|signup|subscribe|by signing up|by subscribing|join (?:our|the|my) (?:newsletter|mailing list|list|community)|get (?:our|the) (?:newsletter|latest)|follow (?:us|me|him|her|@)|like us on|share this|share on|click here (?:to|for)|tap here|download (?:our|the) app|enter your email|thanks for (?:reading|subscribing)|(?:want|like) more (?:stories|articles|like this))\b/i,
  /^(?:advertisement|sponsored(?: content)?|promoted|ad|story continues below|article continues (?:after|below)|continue reading|scroll (?:down )?to continue|loading)\b.{0,40}$/i,
  /^(?:(?:photo|image|picture|video|illustration|file)s? ?(?:credits?|courtesy|source|by)?|credits?|source|getty images|courtesy(?: of)?)\s?[:/|©]/i,
  /^(?:tags?|topics?|filed under|categories|category|posted in|labels|keywords)\s?(?::|$)/i,
  /^(?:last )?(?:updated|published|posted|modified|reviewed|fact[- ]checked)(?: on| at| by)?\b.{0,40}$/i,
  /^(?:written|posted|published|reported|reviewed|edited|words|photographs?) by\b.{0,60}$/i,
  /^(?:copyright|©|\(c\) ?\d{4}|all rights reserved)/i,
  /^(?:disclosure|disclaimer|affiliate disclosure|editor(?:ial)?['’]?s? note)\s?:/i,
  /^(?:this (?:post|article|page|site) (?:may )?contains? affiliate|we may (?:earn|receive|get) a (?:small )?commission|as an amazon associate)/i,
  /^(?:about the authors?|leave a (?:comment|reply)|comments?|no comments|\d+ comments?|back to top|table of contents|jump to|in this article|print(?: this)?|email this|share|tweet|pin)\s?:?$/i,
  /^\d{1,3} ?(?:min(?:ute)?s?)[ .-]*(?:read|reading)?$/i,
  /^(?:[Bb]y|BY|[Vv]on|[Pp]ar|[Pp]or) \p{Lu}[\p{L}'’.-]+(?: (?:and )?\p{Lu}[\p{L}'’.-]+){0,5}$/u,
  /^(?:lesen sie (?:auch|mehr|hier)|mehr zum thema|weitere informationen|zum weiterlesen|puedes ver|te puede interesar|publiziert|aktualisiert|veröffentlicht(?:ung)?|kategorien?|quelle|fotos?|bild|kontakt|über (?:den autor|die autorin)|lire aussi|à lire aussi|lea también|leer más|leggi anche|lees ook|читайте также)(?:\s?:|$).{0,80}/i,
];

/** The same for blocks with a link. */
const LINKED_OPENING =
  /^(?:also read|read more|read next|related (?:articles?|posts?|stor(?:y|ies)|content|reading|news|topics|links|video)|see related|more on|more from)\b/i;

/** Whether a block's beginning shows that it is not the article's. */
export const isOpening = (text: string, isLinked: boolean): boolean =>
  text.length <= MAX_CHARS &&
  (OPENINGS.some((opening) => opening.test(text)) || (isLinked && LINKED_OPENING.test(text)));

/** Only a date, a time and the like: the line after a title. */
export function isDateline(text: string): boolean {
  if (text.length > 80 || !/\d/.test(text)) return false;
  const rest = text.replace(
    /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\b|\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|\b(?:[ap]\.?m|[a-z]?[es]t|edt|gmt|utc|bst|ist|at|on|of|ago|updated|published|posted|last|hours?|minutes?|mins?|days?|weeks?|read|st|nd|rd|th)\b|[\d\s:.,/|·•–—-]/gi,
    '',
  );
  return rest.length === 0;
}

/** Only the title, or the names of a byline with their introduction and a date. */
export function isHead(text: string, { title, byline }: ArticleFacts): boolean {
  if (text === title) return true;
  if (
    byline === undefined ||
    text.length > byline.length + 80 ||
    !text.includes(byline.split(', ', 1)[0] ?? byline)
  )
    return false;
  let rest = text;
  for (const name of byline.split(', ')) rest = rest.replace(name, '');
  rest = rest
    .replace(
      /\b(?:written|posted|published|reported|words|story|text|by|and|von|par|por|und|et|y)\b|[,:&|·•–—-]/giu,
      '',
    )
    .trim();
  return rest === '' || isDateline(rest);
}

const ROLE =
  /\b(?:author|writer|editor|journalist|reporter|columnist|correspondent|professor|fellow|(?:co-?)?founder|c[etfm]o|president|director|consultant|freelancer?|analyst|strategist|blogger|photographer|contributor|(?:autor|journalist|redakteur|professor)(?:in)?)\b/i;
const PERSON =
  /^(?:\W|(?:dr|prof)\. )*\p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]*){1,3},? (?:is|writes|covers|works|ist|schreibt|arbeitet)\b.{0,120}/u;

/**
 * Whether a block introduces a person: it begins with a name from the byline or, at the end of an article, with any
 * name and occupation.
 */
export function isBio(text: string, { byline = '' }: ArticleFacts, isEnd: boolean): boolean {
  if (text.length < 40) return false;
  const names = byline.split(', ').filter((name) => name.includes(' '));
  if (names.some((name) => text.startsWith(name))) return true;
  return isEnd && ROLE.test(PERSON.exec(text)?.[0] ?? '');
}
