import type { NextPage } from '../../../shared/extract/extract_data.methods.ts';
import { cut } from '../../../shared/base/cut.ts';
import { PageError } from '../../dom/doorway.ts';
import {
  allIn,
  attrOf,
  firstIn,
  isElement,
  parentOf,
  squash,
  tagOf,
  textIn,
  closestOf,
} from '../../dom/elements.ts';
import { ownUrl } from '../../dom/media.ts';
import { Paths } from './view.ts';
import { checkSelector, select } from './selectors.ts';

/** Texts of next links in the most common languages. */
const NEXT_WORDS =
  /^(?:next(?: page| posts?| results?)?|older(?: posts| entries)?|weiter|nächste(?: seite)?|suivante?|page suivante|siguiente|próxim[ao]|seguinte|successiv[ao]|avanti|volgende|nästa|neste|næste|seuraava|następna|dalej|další|далее|следующая|вперёд|下一页|下一頁|次へ|次のページ|다음|التالي|sonraki|›|»|→|>|>>|❯|⟩)\s*(?:[›»→>❯⟩]*)$/iu;
const MORE_WORDS =
  /^(?:(?:load|show|view|see) more(?: .{0,20})?|more results|mehr (?:laden|anzeigen)|voir plus|charger plus|cargar más|ver más|carregar mais|mostra altri|meer laden|もっと見る|加载更多|더 보기|показать ещё)$/iu;
const PAGERS =
  'nav,[role="navigation"],[class*="pagin" i],[class*="pager" i],[id*="pagin" i],[id*="pager" i],[class*="load-more" i],[class*="next" i]';
const LONGEST_WORDS = 40;

/**
 * Finds the next page: the given selector's first match, else `rel=next`, else a link or button with such a text, else
 * the number after the current one. Guesses only within the page's own origin, and never takes a form's button.
 * @throws PageError `selector_invalid`
 */
export function findNext(document: Document, given: string | null, url: string): NextPage | null {
  const paths = new Paths(true);
  if (given !== null) {
    checkSelector(document, given, 'paginate.next');
    const [match] = select(document, given, document);
    if (typeof match !== 'object' || !isElement(match) || isDisabled(match)) return null;
    return describeNext(match, paths, url);
  }
  for (const find of [byName, bySaying, byNumber]) {
    const found = find(document);
    const next = found === null ? null : describeNext(found, paths, url);
    if (next !== null && (next.url === null || new URL(next.url).origin === new URL(url).origin)) return next;
  }
  return null;
}

const byName = (document: Document): Element | null =>
  firstIn(document, 'link[rel~="next" i][href],a[rel~="next" i][href]');

function bySaying(document: Document): Element | null {
  const controls = allIn(document, 'a[href],button,[role="button"],[role="link"]');
  const sayers = controls.filter((el) => saysNext(el) && !isDisabled(el));
  const inPager = sayers.filter((el) => closestOf(el, PAGERS) !== null);
  return (
    inPager.find(isLink) ??
    sayers.find((el) => isLink(el) && !isSymbol(el)) ??
    inPager.find(isSafe) ??
    sayers.find(isSafeMore) ??
    null
  );
}

function saysNext(el: Element): boolean {
  const labels = [el.textContent, attrOf(el, 'aria-label'), attrOf(el, 'title')];
  return labels.some((text) => {
    const words = squash(text ?? '');
    return (
      words !== '' && words.length <= LONGEST_WORDS && (NEXT_WORDS.test(words) || MORE_WORDS.test(words))
    );
  });
}

const isLink = (el: Element): boolean => {
  const href = attrOf(el, 'href');
  return href !== null && !/^\s*(?:#|javascript:|$)/i.test(href);
};
const isSymbol = (el: Element): boolean => !/\p{L}/u.test(el.textContent ?? '');
/** A form's button submits data, which was not requested. */
const isSafe = (el: Element): boolean => closestOf(el, 'form') === null;
const isSafeMore = (el: Element): boolean => isSafe(el) && MORE_WORDS.test(textIn(el));

function isDisabled(el: Element): boolean {
  return (
    el.hasAttribute('disabled') ||
    attrOf(el, 'aria-disabled') === 'true' ||
    /(?:^|[\s_-])disabled(?:$|\s)/i.test(`${el.className} ${parentOf(el)?.className ?? ''}`)
  );
}

/** The link with the number after the current one. */
function byNumber(document: Document): Element | null {
  const current = firstIn(
    document,
    '[aria-current="page"],[class*="pagin" i] .active,[class*="pagin" i] .current,[class*="pager" i] .current',
  );
  const number = Number(squash(current?.textContent ?? ''));
  const pager = (current && closestOf(current, PAGERS)) ?? current?.parentElement?.parentElement ?? null;
  if (pager === null || !Number.isInteger(number) || number < 1) return null;
  return allIn(pager, 'a[href]').find((el) => textIn(el) === String(number + 1)) ?? null;
}

function describeNext(el: Element, paths: Paths, base: string): NextPage {
  const link =
    tagOf(el) === 'a' || tagOf(el) === 'link'
      ? el
      : (closestOf(el, 'a[href]') ?? firstIn(el, 'a[href]') ?? el);
  const href = isLink(link) ? (attrOf(link, 'href') ?? '') : '';
  const from = el.ownerDocument.baseURI || base;
  const url = href !== '' && URL.canParse(href, from) ? new URL(ownUrl(href, link), from) : null;
  return {
    url: url !== null && /^https?:$/.test(url.protocol) ? url.href : null,
    selector: paths.of(el),
    text: cut(textIn(el), 100).toWellFormed(),
  };
}

/**
 * Clicks a control from {@link findNext}.
 * @throws PageError `selector_not_found` if it no longer exists
 */
export function clickNext(document: Document, selector: string): void {
  const el = firstIn(document, selector);
  if (el === null)
    throw new PageError('selector_not_found', `paginate: ${selector} is no longer in the page.`);
  Reflect.apply(HTMLElement.prototype.click, el, []);
}
