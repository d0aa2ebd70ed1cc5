/**
 * Words in class names and ids of what is next to an article, or inside it without being a part
 * of it. A word must be a whole part of the name: `related-posts` and `relatedPosts` hold `related`,
 * `correlated` does not.
 */
const BESIDE = new Set(
  (
    'ads advert advertisement advertising adsbygoogle author authors banner bio breadcrumb breadcrumbs byline ' +
    'bylines commentlist comments consent cookie cookies copyright credit credits cta dateline dialog disclaimer disclaimers disclosure disclosures ' +
    'disqus footer gdpr metadata modal newsletter newsletters outbrain pager pagination paywall popup postmeta promo ' +
    'promos promoted promotion readmore recirc recirculation recommendations recommended related respond share ' +
    'sharebar sharing signup social sponsor sponsored subscribe subscription taboola tags toc topics trending vcard'
  ).split(' '),
);

/** Comments of readers. */
const COMMENTS = /\b(?:comments|commentlist|comment-list|comment-section|disqus)\b/;

/** The same in two words that say nothing alone. */
const BESIDE_PAIRS =
  /\b(?:author|about|entry|post|article|story)-(?:box|info|card|meta|date|tags|time|author|nav|navigation)\b|\b(?:read|more|most|also)-(?:more|next|read|from|on|like|popular|stories|news|articles|posts|viewed)\b|\b(?:reading|read)-time\b|\bjump-to\b|\btable-of-contents\b|\bsee-also\b/;

/** Captions and credits of pictures. */
const CAPTION = /\b(?:captions?|credits?|figcaption)\b/;

/** A class name or id in words, joined by dashes. */
const wordsOf = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z]+/g, '-');

/** Names in words, of the elements of the page that was looked at last: a page has few of them, often. */
const known = new Map<string, readonly string[]>();
const MOST_KNOWN = 2_000;

function namesOf(el: Element): readonly string[] {
  const names = `${el.getAttribute('class') ?? ''} ${el.id}`;
  const before = known.get(names);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const words = names
    .split(/\s+/)
    .filter((name) => name !== '')
    .map(wordsOf);
  known.set(names, words);
  return words;
}

/** Whether the names of an element say that it is next to the article. */
export function isNamedBeside(el: Element): boolean {
  return namesOf(el).some(
    (name) => name.split('-').some((word) => BESIDE.has(word)) || BESIDE_PAIRS.test(name),
  );
}

/** Whether the names of an element say that it is the caption of a picture. */
export const isNamedCaption = (el: Element): boolean => namesOf(el).some((name) => CAPTION.test(name));

/** Whether the names of an element say that it holds the comments of readers. */
export const isComments = (el: Element): boolean => namesOf(el).some((name) => COMMENTS.test(name));

/** Whether the names of an element say that it asks for consent to cookies. */
export const isConsent = (el: Element): boolean =>
  namesOf(el).some((name) => /\b(?:cookies?|consent|gdpr)\b/.test(name));
