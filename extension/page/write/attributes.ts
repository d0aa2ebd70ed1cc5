import { isInput, isOption, isTextarea } from '../dom.ts';
import { isSecret } from './controls.ts';
import { absoluteUrl, isScriptUrl } from './media.ts';

const URLS = new Set('href src action formaction cite data poster background xlink:href longdesc'.split(' '));
const LINKS = new Set('href action formaction cite xlink:href longdesc ping'.split(' '));
/** Say nothing to a reader, or carry a document that is not shown as such. */
const DROPPED = new Set('style nonce integrity crossorigin srcdoc ping is'.split(' '));

/**
 * The attributes of an element as they may leave the page: no handlers, no script addresses, no
 * secret values; addresses absolute; a control's state as it is now rather than as it was written.
 */
export function safeAttributes(
  el: Element,
  includeLinks: boolean,
  isValueHidden = false,
): [string, string][] {
  const kept: [string, string][] = [];
  const secret = isSecret(el);
  for (const { name, value } of el.attributes) {
    if (isDropped(name)) continue;
    if ((secret && /^(?:data-|aria-value)/.test(name)) || (LINKS.has(name) && !includeLinks)) continue;
    if (name === 'placeholder' && isUnderValue(el)) continue;
    if (name === 'srcset') kept.push([name, absoluteCandidates(value, el)]);
    else if (!URLS.has(name)) kept.push([name, value]);
    else if (!isScriptUrl(value)) kept.push([name, absolute(value, el)]);
  }
  kept.push(...liveState(el, secret || isValueHidden));
  return kept;
}

/** A placeholder does not show while its field has a value. */
const isUnderValue = (el: Element): boolean => (isInput(el) || isTextarea(el)) && el.value !== '';

const isDropped = (name: string): boolean => name.startsWith('on') || DROPPED.has(name) || LIVE.has(name);

/** Attributes that {@link liveState} writes. */
const LIVE = new Set(['value', 'checked', 'selected']);

function liveState(el: Element, secret: boolean): [string, string][] {
  if (isInput(el)) {
    if (el.type === 'checkbox' || el.type === 'radio')
      return [...own(el, 'value'), ...(el.checked ? [['checked', ''] satisfies [string, string]] : [])];
    return secret || el.value === '' || el.type === 'file' ? [] : [['value', el.value]];
  }
  if (isOption(el))
    return [...own(el, 'value'), ...(el.selected ? [['selected', ''] satisfies [string, string]] : [])];
  return secret || isTextarea(el) ? [] : own(el, 'value');
}

function own(el: Element, name: string): [string, string][] {
  const value = el.getAttribute(name);
  return value === null ? [] : [[name, value]];
}

function absolute(url: string, el: Element): string {
  return url === '' || /^(?:data|blob):/i.test(url) ? url : absoluteUrl(url, el);
}

/** Candidates of a picture: each an address, and what follows it up to the next comma. */
function absoluteCandidates(srcset: string, el: Element): string {
  return srcset.replace(
    /([\s,]*)(\S*[^\s,])([^,]*)/g,
    (_all, before: string, url: string, after: string) => before + absolute(url, el) + after,
  );
}
