/**
 * Which computed properties a document has to be asked for, element by element. A style sheet that
 * never says `opacity` cannot hide anything by it, so small, readable style sheets are looked
 * through once and most reads fall away; large or unreadable ones turn every flag on. The result
 * of a walk is the same either way.
 */
export const STYLE = {
  /** Position, overflow, clipping, visibility, opacity: may put text out of sight. */
  box: 1,
  /** Text or background colours. */
  colour: 2,
  /** Font sizes. */
  font: 4,
  /** `display` other than the browser's own. */
  display: 8,
  /** `white-space`. */
  space: 16,
  /** `cursor`. */
  cursor: 32,
} as const;

export const ALL_STYLE = 63;

/** Rules that are looked at before every flag is assumed. */
const MAX_RULES = 400;

const BOX =
  /position|opacity|visibility|overflow|clip|transform|translate|scale|rotate|text-indent|filter|mask|inset|zoom|contain|line-clamp|offset|perspective|content-visibility|margin[^;]*-\s*[\d.]|(?:height|width|size)\s*:\s*(?:0|1px|calc|var|min|max|clamp)|var\(|calc\(/i;
const COLOUR = /colou?r|background|fill|filter|blend|var\(/i;
const FONT = /font(?:-size)?\s*:|zoom|line-height\s*:\s*0/i;
const DISPLAY = /display|float|columns?\s*:/i;
const SPACE = /white-space/i;
const CURSOR = /cursor/i;
const EVERYTHING = /\ball\s*:|animation|transition|@keyframes|@import|@property/i;

/** The flags that one piece of CSS text calls for. */
export function flagsOfCss(css: string): number {
  if (EVERYTHING.test(css)) return ALL_STYLE;
  let flags = 0;
  if (BOX.test(css)) flags |= STYLE.box;
  if (COLOUR.test(css)) flags |= STYLE.colour;
  if (FONT.test(css)) flags |= STYLE.font;
  if (DISPLAY.test(css)) flags |= STYLE.display;
  if (SPACE.test(css)) flags |= STYLE.space;
  if (CURSOR.test(css)) flags |= STYLE.cursor;
  return flags;
}

function flagsOfSheet(sheet: CSSStyleSheet): number {
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return ALL_STYLE; // A sheet of another origin: it may say anything.
  }
  if (rules.length > MAX_RULES) return ALL_STYLE;
  let flags = 0;
  for (let i = 0; i < rules.length && flags !== ALL_STYLE; i += 1) {
    flags |= flagsOfCss(rules.item(i)?.cssText ?? '');
  }
  return flags;
}

/** The flags of a document or shadow root, its own sheets and adopted ones. */
export function styleFlags(root: Document | ShadowRoot): number {
  if (root.getAnimations().length > 0) return ALL_STYLE;
  let flags = 0;
  for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
    flags |= flagsOfSheet(sheet);
    if (flags === ALL_STYLE) break;
  }
  return flags;
}
