import { valueIn } from './elements.ts';

/**
 * The computed properties that have to be read for an element. If no rule with `opacity` can match it, opacity does not
 * hide it: one pass over the style sheets saves most reads.
 */
export const STYLE = {
  /** Anything that may hide text by its position: the box is measured. */
  box: 1,
  /** Text or background colours. */
  colour: 2,
  /** Font sizes that may be too small to read. */
  font: 4,
  /** `display` other than the browser's own. */
  display: 8,
  /** `white-space`. */
  space: 16,
  /** `cursor`. */
  cursor: 32,
  /** Properties read in addition to a box's position: one bit each. */
  opacity: 64,
  filter: 128,
  visibility: 256,
  clip: 512,
  indent: 1_024,
  skip: 2_048,
  position: 4_096,
  overflow: 8_192,
  /** `text-transform`, and overrides of the direction. */
  transform: 32_768,
  /** `text-decoration`, for strikethrough. */
  strike: 65_536,
  /** A monospaced font. */
  monospace: 131_072,
  /** Transforms and their like. */
  warp: 262_144,
  cover: 524_288,
  /** Margins and paddings within a line. */
  margin: 1_048_576,
} as const;

/** More than all of them together: no property has the bit 16384. */
export const ALL_STYLE = 2_097_151;

/** SVGs are styled by attributes of their own, and clip overflow. */
export const DRAWN_STYLE =
  STYLE.box |
  STYLE.opacity |
  STYLE.filter |
  STYLE.visibility |
  STYLE.clip |
  STYLE.indent |
  STYLE.skip |
  STYLE.position |
  STYLE.overflow |
  STYLE.warp |
  STYLE.colour |
  STYLE.font |
  STYLE.cover;

const BOX =
  /position|opacity|visibility|overflow|clip|transform|translate|scale|rotate|text-indent|filter|inset|zoom|contain|line-clamp|offset|perspective|mask|backface|blend|content-visibility|margin[^;]*-\s*[\d.]|(?:height|width|size)\s*:\s*(?:0|1px|calc|var|min|max|clamp)|var\(|calc\(/i;
const BOX_PARTS: readonly (readonly [RegExp, number])[] = [
  [/opacity/i, STYLE.opacity],
  [/filter|blend/i, STYLE.filter],
  [/visibility/i, STYLE.visibility],
  [/clip|mask/i, STYLE.clip],
  [/(?<!text-)transform|translate|scale|rotate|perspective|offset|backface/i, STYLE.warp],
  [/text-indent/i, STYLE.indent],
  [/content-visibility/i, STYLE.skip],
  [/position/i, STYLE.position],
  // Clipping ancestors do not clip out-of-flow content (a dialog by the browser's own style).
  [/overflow|contain\s*:/i, STYLE.overflow | STYLE.position],
];
const FONT_SIZE = /font(?:-size)?\s*:([^;}]*)/gi;
/** A size not below the parent's, or readable by itself. */
const READABLE_SIZE =
  /(?:^|\s)(?:(?:[4-9]|\d{2,})(?:\.\d+)?(?:px|pt)|[1-9]\d*(?:\.\d+)?r?em|[1-9]\d{2,}(?:\.\d+)?%|inherit|medium|large|x+-large|larger)(?=$|[\s!])/i;
/** The line height of a shorthand. */
const LINE_HEIGHT = /\/\s*\S+/;
const COMPUTED_SIZE = /(?:calc|min|max|clamp)\(/i;
/** Values of `white-space` that preserve spaces and line breaks. */
export const KEEPS_LINES = /^(?:pre(?!-line)|break-spaces)/;
export const MONOSPACED = /mono|courier|consolas|menlo|\bcode\b|console|inconsolata|typewriter/i;
const EVERYTHING = /\ball\s*:/i;

const PARTS: readonly (readonly [RegExp, number])[] = [
  // Position, layer or negative margin puts a box over others.
  [
    /position|(?<!text-)transform|translate|grid|(?:shadow|outline)[^;]*\d\dpx|margin[^;]*-\s*[\d.]|var\(|calc\(/i,
    STYLE.cover,
  ],
  [/colou?r|background|fill|stroke|filter|blend|text-security|var\(/i, STYLE.colour],
  [/zoom|size-adjust|line-height\s*:\s*0|letter-spacing\s*:\s*(?:-|calc|var)/i, STYLE.font],
  // A floating or positioned element is a block.
  [/display|float|columns?\s*:|position/i, STYLE.display],
  [/white-space/i, STYLE.space],
  [/margin|padding/i, STYLE.margin],
  [/cursor/i, STYLE.cursor],
  [/text-transform|unicode-bidi/i, STYLE.transform],
  [/line-through|text-decoration[^;}]*var\(/i, STYLE.strike],
  [MONOSPACED, STYLE.monospace],
];

/** Properties that hide no text, or that others here stand for. */
const HARMLESS =
  /^(?:--.*|-(?:moz|ms|o)-.*|accent-color|align-.*|animation.*|appearance|aspect-ratio|border.*|box-.*|break-.*|caption-side|caret.*|color-scheme|column-.*|container.*|content|counter-.*|cursor|direction|empty-cells|flex.*|font-(?!size).*|forced-color-adjust|gap|grid.*|hyphen.*|image-.*|isolation|justify-.*|line-break|list-.*|object-.*|order|orphans|outline.*|overflow-(?:wrap|anchor)|overscroll-.*|page.*|paint-order|place-.*|pointer-events|quotes|resize|row-.*|ruby-.*|scroll.*|shape-.*|src|speak.*|stroke.*|tab-size|table-layout|text-(?:align.*|anchor|combine.*|emphasis.*|justify|orientation|overflow|rendering|shadow|size-adjust|spacing.*|underline.*|wrap.*)|touch-action|transition.*|unicode-range|user-select|vertical-align|widows|will-change|word-.*|writing-mode|z-index|zoom|-webkit-(?:align|animation|app|border|box-(?!reflect)|column|flex|font|hyphens|justify|line-break|order|print|ruby|tap|text-(?:size|decoration|fill|stroke)|touch|transition|user).*)$/;
/** Properties that the tests above and below look for, whatever their value. */
const LOOKED_FOR =
  /position|opacity|visibility|overflow|clip|transform|translate|scale|rotate|text-indent|filter|inset|zoom|contain|offset|perspective|mask|backface|blend|margin|padding|height|width|size|colou?r|background|fill|display|float|columns?$|white-space|letter-spacing|text-decoration|bidi|text-security|^font$|^(?:top|right|bottom|left)$|^clear$/;
const NAME = /(?:^|[;{])\s*([\w-]+)\s*:/g;

const knownFlags = new Map<string, boolean>();

/** Whether a property is known; an unknown one may hide text in any way. */
const isKnown = (property: string): boolean =>
  valueIn(knownFlags, property, (name) => HARMLESS.test(name) || LOOKED_FOR.test(name));

/** The flags of a piece of CSS text. */
export function flagsOfCss(css: string): number {
  if (EVERYTHING.test(css)) return ALL_STYLE;
  for (const [, name = ''] of css.matchAll(NAME)) if (!isKnown(name.toLowerCase())) return ALL_STYLE;
  let flags = mayShrink(css) ? STYLE.font : 0;
  if (BOX.test(css)) {
    flags |= STYLE.box;
    for (const [part, flag] of BOX_PARTS) if (part.test(css)) flags |= flag;
  }
  for (const [part, flag] of PARTS) if (part.test(css)) flags |= flag;
  return flags;
}

function mayShrink(css: string): boolean {
  for (const [, value = ''] of css.matchAll(FONT_SIZE))
    if (COMPUTED_SIZE.test(value) || !READABLE_SIZE.test(value.replace(LINE_HEIGHT, ''))) return true;
  return false;
}

/** Escapes and comments, which a style attribute keeps: any property may be spelt with them. */
const DISGUISED = /\\|\/\*/;

/** Elements with legacy colour attributes. */
const COLOURED = new Set('body table thead tbody tfoot tr td th font marquee'.split(' '));

/** Attributes that style an element without a style sheet. */
export function flagsOfAttributes(el: Element, tag: string): number {
  const css = el.getAttribute('style');
  let flags = css === null ? 0 : DISGUISED.test(css) ? ALL_STYLE : flagsOfCss(css);
  if (COLOURED.has(tag) && (tag === 'font' || el.matches('[bgcolor],[color],[background],[text],[link]')))
    flags |= STYLE.colour | STYLE.font;
  if (el.hasAttribute('mathcolor')) flags |= STYLE.colour;
  if (tag === 'bdo') flags |= STYLE.transform;
  // A rule of another tree may style it.
  if (el.hasAttribute('part')) return ALL_STYLE;
  return flags;
}

const RAISED =
  '[style*="position" i],[style*="trans" i],[style*="margin" i],[style*="grid" i],[style*="shadow" i],[style*="outline" i],[style*="\\\\"]';

/** Whether attributes may put an element over others. Most pages answer by two quick queries; one by a tag is the quickest. */
export const mayRaise = (root: ParentNode): boolean =>
  (root.querySelector('svg') !== null && root.querySelector('svg rect,svg text') !== null) ||
  (root.querySelector('[style]') !== null && root.querySelector(RAISED) !== null);
