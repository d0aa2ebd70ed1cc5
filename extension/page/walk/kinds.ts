import { tagBits } from '../dom.ts';
import { flowOf, flowOfTag, type Kind } from './level.ts';
import { MONOSPACED, STYLE } from './style-flags.ts';
import { generatesText } from './generated-text.ts';
import { MIN_FONT_PX } from './hidden-styles.ts';

/** A unique kind for an element with its own style. */
export const ownKind = (el: Element, tag: string): Kind => ({
  flags: flagsOfStyle(getComputedStyle(el), tagBits(tag)),
  generates: generatesText(el),
  isCamouflaged: undefined,
  below: new Map(),
});

export function kindOf(el: Element, tag: string, isAttributed: boolean, parent: Kind): Kind {
  const key = keyOf(el, tag, isAttributed);
  let kind = parent.below.get(key);
  if (kind === undefined) {
    kind = ownKind(el, tag);
    parent.below.set(key, kind);
  }
  return kind;
}

function keyOf(el: Element, tag: string, isAttributed: boolean): string {
  const place = el.previousElementSibling === null ? 1 : 0;
  const both = place + (el.nextElementSibling === null ? 2 : 0);
  if (!isAttributed) return both === 0 ? tag : tag + both;
  return `${tag}${both}.${el.getAttribute('class') ?? ''}#${el.id}[${el.getAttributeNames().join()}]`;
}

/** The properties that an inline style sets, as {@link STYLE}. */
function flagsOfStyle(style: CSSStyleDeclaration, bits: number): number {
  const { display, position } = style;
  const isOut = position === 'absolute' || position === 'fixed';
  const has: readonly (readonly [boolean, number])[] = [
    [style.opacity !== '1', STYLE.opacity | STYLE.box],
    [style.filter !== 'none', STYLE.filter | STYLE.box],
    [style.visibility !== 'visible', STYLE.visibility | STYLE.box],
    [style.clipPath !== 'none' || style.clip !== 'auto', STYLE.clip | STYLE.box],
    [Number.parseFloat(style.textIndent) < 0, STYLE.indent | STYLE.box],
    [style.contentVisibility !== 'visible', STYLE.skip | STYLE.box],
    [position !== 'static', STYLE.position | STYLE.box],
    [style.overflow !== 'visible' || style.contain !== 'none', STYLE.overflow | STYLE.position | STYLE.box],
    [
      [style.transform, style.translate, style.scale, style.rotate, style.perspective, style.offsetPath].some(
        (value) => value !== 'none',
      ),
      STYLE.warp | STYLE.box,
    ],
    [
      Number.parseFloat(style.fontSize) < MIN_FONT_PX ||
        style.zoom !== '1' ||
        Number.parseFloat(style.letterSpacing) < 0,
      STYLE.font,
    ],
    [
      isOut ||
        style.float !== 'none' ||
        /none|contents|flex|grid/.test(display) ||
        flowOf(display, bits, false) !== flowOfTag(bits),
      STYLE.display,
    ],
    [style.whiteSpace !== 'normal', STYLE.space],
    [/[1-9]/.test(style.margin) || /[1-9]/.test(style.padding), STYLE.margin],
    [style.cursor === 'pointer', STYLE.cursor],
    [style.textTransform !== 'none', STYLE.transform],
    [style.textDecorationLine.includes('line-through'), STYLE.strike],
    [MONOSPACED.test(style.fontFamily), STYLE.monospace],
  ];
  let flags: number = STYLE.colour;
  for (const [is, flag] of has) if (is) flags |= flag;
  return flags;
}
