/** Escapes are moved to private-use characters while a selector is parsed, so that `\:` splits nothing. */
const HIDDEN = 0xf_00_00;
const IDENT = String.raw`[\w\-\u{80}-\u{10ffff}]+`;
const TAG = new RegExp(`^(?:[^|]*\\|)?(${IDENT})`, 'u');
const CLASS = new RegExp(`\\.(${IDENT})`, 'u');
const ID = new RegExp(`#(${IDENT})`, 'u');
const ATTRIBUTE = new RegExp(`\\[\\s*(${IDENT})`, 'u');
const BRACKETS = /\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)/g;
/** Alternatives of one compound. */
const ANY_OF = /^:(?:is|where|-webkit-any|matches)\(([^]*)\)$/;

const hideEscapes = (selector: string): string =>
  selector.includes('\\')
    ? selector.replace(/\\(?:([\da-f]{1,6})\s?|([^]))/gi, (_all, code?: string, plain?: string) =>
        String.fromCodePoint(
          HIDDEN +
            Math.min(0xff_ff, code === undefined ? (plain?.codePointAt(0) ?? 0) : Number.parseInt(code, 16)),
        ),
      )
    : selector;

const shown = (name: string): string =>
  name.replace(/[\u{f0000}-\u{fffff}]/gu, (char) =>
    String.fromCodePoint((char.codePointAt(0) ?? HIDDEN) - HIDDEN),
  );

/** Splits a text at any of some signs outside brackets. */
function splitAt(signs: string, text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\\') at += 1;
    else if (sign === '(' || sign === '[') depth += 1;
    else if (sign === ')' || sign === ']') depth -= 1;
    else if (depth === 0 && signs.includes(sign)) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

/** Splits a list of selectors at the commas outside brackets. */
export const splitSelectors = (list: string): string[] =>
  /[([\\]/.test(list) ? splitAt(',', list) : list.split(',');

/** The compound that matches the selected element itself. */
const lastCompound = (selector: string): string => splitAt(' >+~', selector).at(-1) ?? '';

/**
 * A necessary key of each selector's matches: `#id`, `.class`, `[attribute`, a tag, `*` for any element, `:host`, or
 * `::` for only pseudo-elements.
 * @param parents the keys of the rule around a nested one
 */
export function keysOf(list: string, parents: readonly string[]): string[] {
  return splitSelectors(list).flatMap((selector) => selectorKeys(hideEscapes(selector.trim()), parents));
}

function nameIn(compound: string): readonly string[] | null {
  const id = ID.exec(compound)?.[1];
  if (id !== undefined) return [`#${shown(id)}`];
  const name = CLASS.exec(compound)?.[1];
  if (name !== undefined) return [`.${shown(name)}`];
  const tag = TAG.exec(compound)?.[1];
  return tag === undefined ? null : [shown(tag), shown(tag).toLowerCase()];
}

function selectorKeys(selector: string, parents: readonly string[]): readonly string[] {
  const compound = lastCompound(selector);
  if (compound.includes('::slotted')) return ['slot'];
  const bare = compound.replace(BRACKETS, '').replace(/::part$/, '');
  if (/::|:(?:before|after|first-l)/.test(bare)) return ['::'];
  const plain = bare.replace(/\[[^\]]*\]/g, '');
  const named = nameIn(plain);
  if (named !== null) return named;
  const attribute = ATTRIBUTE.exec(bare)?.[1];
  if (attribute !== undefined) return [`[${shown(attribute)}`];
  if (plain.includes(':host')) return [':host'];
  if (plain.includes(':root')) return ['html', 'svg'];
  if (plain.startsWith('&')) return parents;
  const any = ANY_OF.exec(compound)?.[1];
  return any === undefined ? ['*'] : splitSelectors(any).flatMap((one) => selectorKeys(one.trim(), parents));
}
