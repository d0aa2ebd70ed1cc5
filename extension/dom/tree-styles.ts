import { isDocument, isShadowRoot, tagBits, valueIn } from './elements.ts';
import { shadowRootOf } from './trees.ts';
import { NO_STYLES, type TreeStyles, flowOf, flowOfTag, Kind } from './level.ts';
import { generatesText, mayHaveText } from './generated-text.ts';
import { isWarped } from './geometry.ts';
import { keysOf, splitSelectors } from './selectors.ts';
import { isOfElement } from './settled.ts';
import { ALL_STYLE, STYLE, flagsOfCss, MONOSPACED } from './style-flags.ts';
import { MIN_FONT_PX } from './hidden-styles.ts';

/** Pushes its neighbours out of sight. */
const PUSHES = /margin[^;]*-\s*\d{3}/;
const PSEUDO = /::?(?:before|after)\b/i;
const UNTOUCHABLE = /pointer-events\s*:\s*none|(?:box-shadow|outline)\s*:[^;]*\d{2,}px/i;

/** An index of the rules of one style sheet. */
class Sheet {
  /** Flags by key: see {@link keysOf}. */
  readonly flags = new Map<string, number>();
  /** Selectors whose rules generate text. */
  generating: string[] = [];
  /** Selectors of elements with generated boxes that have a background. */
  painting: string[] = [];
  /** Selectors of elements that let input through, or have a shadow elsewhere. */
  untouchable: string[] = [];
  /** The imported sheets as they were read; null for one that has not loaded yet. */
  readonly imports: (readonly [CSSStyleSheet, Sheet] | null)[] = [];
  /** Its rules and those of its groups as they were read: scripts insert rules into groups too. */
  readonly lists: { readonly rules: CSSRuleList; readonly count: number; readonly last: CSSRule | null }[] =
    [];

  constructor(
    public all = 0,
    public isUnreadable = false,
  ) {}
}

/** Sheets seldom change; one whose lists have the same number of rules and the same last ones is not read again. */
const knownSheets = new WeakMap<CSSStyleSheet, Sheet>();

const UNREADABLE = new Sheet(ALL_STYLE, true);

function readSheet(sheet: CSSStyleSheet): Sheet {
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return UNREADABLE;
  }
  const before = knownSheets.get(sheet);
  if (
    before?.lists.every(isUnchanged) &&
    before.imports.every((one) => one !== null && readSheet(one[0]) === one[1])
  )
    return before;
  const read = new Sheet();
  collect(rules, { selector: '', keys: [] }, read);
  knownSheets.set(sheet, read);
  return read;
}

const isUnchanged = ({ rules, count, last }: Sheet['lists'][number]): boolean =>
  rules.length === count && rules.item(count - 1) === last;

// By member, since a rule of another frame is not an instance of this one's classes.
const isStyleRule = (rule: CSSRule): rule is CSSStyleRule => 'selectorText' in rule && 'style' in rule;
const isImportRule = (rule: CSSRule): rule is CSSImportRule => 'styleSheet' in rule;
const isGroupingRule = (rule: CSSRule): rule is CSSGroupingRule =>
  'cssRules' in rule && !('name' in rule && 'appendRule' in rule);
const isDeclarations = (rule: CSSRule): rule is CSSRule & { readonly style: CSSStyleDeclaration } =>
  rule.constructor.name === 'CSSNestedDeclarations';

interface Around {
  readonly selector: string;
  readonly keys: readonly string[];
}

function collect(rules: CSSRuleList, around: Around, into: Sheet): void {
  const { length: count } = rules;
  into.lists.push({ rules, count, last: rules.item(count - 1) });
  for (let i = 0; i < count; i += 1) {
    const rule = rules.item(i);
    if (rule === null) continue;
    if (isStyleRule(rule)) collectStyle(rule, around, into);
    else if (isImportRule(rule)) {
      const { styleSheet: imported } = rule;
      const read = imported === null ? null : ([imported, readSheet(imported)] as const);
      into.imports.push(read);
      if (read !== null) add(read[1], into);
    } else if (isGroupingRule(rule)) collect(rule.cssRules, around, into);
    else if (isDeclarations(rule)) addFlags(flagsOfCss(rule.style.cssText), around.keys, into);
  }
}

function collectStyle(rule: CSSStyleRule, around: Around, into: Sheet): void {
  const { selectorText, style, cssRules } = rule;
  const selector = around.selector === '' ? selectorText : nest(selectorText, around.selector);
  if (PSEUDO.test(selector) && mayHaveText(style.getPropertyValue('content')))
    into.generating.push(...hostSelectors(selector));
  const css = style.length === 0 ? '' : style.cssText;
  const flags = css === '' ? 0 : flagsOfCss(css);
  const isPseudo = PSEUDO.test(selector);
  if (isPseudo && css.includes('background')) into.painting.push(...hostSelectors(selector));
  if (!isPseudo && UNTOUCHABLE.test(css)) into.untouchable.push(...splitSelectors(selector));
  if (PUSHES.test(css)) addFlags(STYLE.box, ['*'], into);
  if (flags === 0 && cssRules.length === 0) return;
  const keys = keysOf(selectorText, around.keys);
  addFlags(flags, keys, into);
  if (cssRules.length > 0) collect(cssRules, { selector, keys }, into);
}

function addFlags(flags: number, keys: readonly string[], into: Sheet): void {
  into.all |= flags;
  for (const key of keys) into.flags.set(key, (into.flags.get(key) ?? 0) | flags);
}

function add(sheet: Sheet, into: Sheet): void {
  for (const [key, flags] of sheet.flags) into.flags.set(key, (into.flags.get(key) ?? 0) | flags);
  for (const kind of ['generating', 'painting', 'untouchable'] as const)
    into[kind] = [...into[kind], ...sheet[kind]];
  into.all |= sheet.all;
  into.isUnreadable ||= sheet.isUnreadable;
}

const nest = (selector: string, parent: string): string =>
  selector.includes('&') ? selector.replaceAll('&', `:is(${parent})`) : `:is(${parent}) ${selector}`;

/** The elements whose pseudo-elements a list of selectors gives text. */
const hostSelectors = (list: string): string[] =>
  splitSelectors(list)
    .filter((selector) => PSEUDO.test(selector))
    .map((selector) => selector.slice(0, PSEUDO.exec(selector)?.index).trim())
    .map((selector) => (selector === '' || /[>+~]$/.test(selector) ? `${selector} *` : selector));

export function* selectAll(root: ParentNode, selectors: readonly string[]): Generator<Element> {
  try {
    yield* root.querySelectorAll(selectors.join(','));
  } catch {
    if (selectors.length === 1) return;
    for (const selector of selectors) yield* selectAll(root, [selector]);
  }
}

/** Sheets already combined before. */
const together = new WeakMap<Node, { readonly parts: readonly Sheet[]; readonly whole: Sheet }>();

function readAll(root: Document | ShadowRoot): Sheet {
  const sheets = [...root.styleSheets, ...root.adoptedStyleSheets].filter(({ disabled }) => !disabled);
  const parts = sheets.map(readSheet);
  const before = together.get(root);
  if (before?.parts.length === parts.length && parts.every((part, at) => part === before.parts[at]))
    return before.whole;
  const whole = new Sheet();
  for (const part of parts) add(part, whole);
  // In quirks mode class names ignore case.
  if ((isDocument(root) ? root : root.ownerDocument).compatMode === 'BackCompat')
    for (const [key, flags] of [...whole.flags]) addFlags(flags, [key.toLowerCase()], whole);
  together.set(root, { parts, whole });
  return whole;
}

/** Reads the style sheets of a tree, adopted ones included. */
export function readStyles(root: Document | ShadowRoot): TreeStyles {
  const { flags, generating, painting, untouchable, all, isUnreadable } = readAll(root);
  const animated = animatedIn(root);
  const isPlain = [generating, untouchable].every(({ length }) => length === 0);
  if (all === 0 && isPlain && animated.size === 0) return NO_STYLES;
  const hosts = new Set(generating.length === 0 ? [] : selectAll(root, generating));
  let painted: ReadonlySet<Element> | null = null;
  return {
    all: animated.size === 0 ? all : all | STYLE.cover,
    isUnreadable,
    kinds: new Kind(),
    host: flags.get(':host') ?? 0,
    monospaced: isUnreadable ? null : monospacedKeys(flags),
    // Where rules cannot be read, only this answer counts: {@link ALL_STYLE}.
    of: isUnreadable && animated.size === 0 && !hasAll(flags) ? () => 0 : flagsBy(flags, animated, root),
    paintsBox: (el) =>
      isUnreadable || (painted ??= new Set(painting.length === 0 ? [] : selectAll(root, painting))).has(el),
    untouchable,
    generates: (el) => hosts.has(el) || (isUnreadable && generatesText(el)),
    generatesOnHost: isUnreadable || generating.some((selector) => selector.includes(':host')),
  };
}

/** The other flags together are never all of them. */
const hasAll = (flags: ReadonlyMap<string, number>): boolean => [...flags.values()].includes(ALL_STYLE);

/** Elements whose current style does not follow from rules. */
function animatedIn(root: Document | ShadowRoot): Set<Element> {
  const effects = root.getAnimations().map(({ effect }) => effect);
  return new Set(
    effects.map((effect) => (isOfElement(effect) ? effect.target : null)).filter((el) => el !== null),
  );
}

function monospacedKeys(flags: ReadonlyMap<string, number>): string[] | null {
  const keys = [...flags].filter(([, flag]) => (flag & STYLE.monospace) !== 0).map(([key]) => key);
  if (keys.includes('*') || keys.includes('html') || keys.includes('body')) return null;
  return keys.filter((key) => !key.includes(':')).map(asSelector);
}

function asSelector(key: string): string {
  const sign = /^[.#[]/.exec(key)?.[0] ?? '';
  return `${sign}${CSS.escape(key.slice(sign.length))}${sign === '[' ? ']' : ''}`;
}

/** Lists of class names that are cached. */
const MAX_LISTS = 5_000;

function flagsBy(
  table: ReadonlyMap<string, number>,
  animated: ReadonlySet<Element>,
  root: Document | ShadowRoot,
): TreeStyles['of'] {
  const isQuirky = (isDocument(root) ? root : root.ownerDocument).compatMode === 'BackCompat';
  const get = (key: string): number => table.get(isQuirky ? key.toLowerCase() : key) ?? 0;
  const any = get('*');
  const attributes = [...table]
    .filter(([key, flags]) => key.startsWith('[') && (flags & ~any) !== 0)
    .map(([key, flags]) => [key.slice(1), flags] as const);
  const lists = new Map<string, number>();
  const ofClasses = (classes: string): number => {
    let flags = lists.get(classes);
    if (flags !== undefined) return flags;
    flags = 0;
    for (const name of classes.split(/\s+/)) flags |= get(`.${name}`);
    if (lists.size > MAX_LISTS) lists.clear();
    lists.set(classes, flags);
    return flags;
  };
  return (el, tag, isAttributed) => {
    if (animated.size > 0 && animated.has(el)) return ALL_STYLE;
    let flags = any | (table.get(tag) ?? 0);
    if (!isAttributed) return flags;
    const classes = el.getAttribute('class');
    if (classes !== null) flags |= ofClasses(classes);
    const id = el.getAttribute('id');
    if (id !== null) flags |= get(`#${id}`);
    for (const [name, more] of attributes) if ((more & ~flags) !== 0 && el.hasAttribute(name)) flags |= more;
    return flags;
  };
}

/** The last result: names of many elements are computed one after another. */
const recent = new Map<Node, TreeStyles>();

/** Whether style may put text before or after an element's content. */
export function mayGenerate(el: Element): boolean {
  if (el.localName === 'q' || recentStyles(el.getRootNode()).generates(el)) return true;
  // Asking every element for a closed tree takes longer than the rest of its name.
  const shadow = el.localName.includes('-') ? shadowRootOf(el, true) : el.shadowRoot;
  return shadow !== null && recentStyles(shadow).generatesOnHost;
}

function recentStyles(root: Node): TreeStyles {
  // Styles cannot change before this code has returned.
  if (recent.size === 0) queueMicrotask(() => recent.clear());
  return valueIn(recent, root, () => (isDocument(root) || isShadowRoot(root) ? readStyles(root) : NO_STYLES));
}

/** A unique kind for an element with its own style. */
export const ownKind = (el: Element, tag: string): Kind =>
  new Kind(flagsOfStyle(getComputedStyle(el), tag), generatesText(el));

export function resolveStyleKind(el: Element, tag: string, isAttributed: boolean, parent: Kind): Kind {
  return valueIn(parent.below, elementKindKey(el, tag, isAttributed), () => ownKind(el, tag));
}

function elementKindKey(el: Element, tag: string, isAttributed: boolean): string {
  const place = el.previousElementSibling === null ? 1 : 0;
  const both = place + (el.nextElementSibling === null ? 2 : 0);
  if (!isAttributed) return both === 0 ? tag : `${both}${tag}`;
  return `${tag}${both}.${el.getAttribute('class') ?? ''}#${el.getAttribute('id') ?? ''}[${el.getAttributeNames().join()}]`;
}

/** The properties that an inline style sets, as {@link STYLE}. */
function flagsOfStyle(style: CSSStyleDeclaration, tag: string): number {
  const bits = tagBits(tag);
  const { display, position } = style;
  const isOut = position === 'absolute' || position === 'fixed';
  const has: readonly (readonly [boolean, number])[] = [
    [style.opacity !== '1', STYLE.opacity | STYLE.box],
    [style.filter !== 'none' || style.mixBlendMode !== 'normal', STYLE.filter | STYLE.box],
    [style.visibility !== 'visible', STYLE.visibility | STYLE.box],
    [
      [style.clipPath, style.clip, style.maskImage].some((value) => !/^(?:none|auto)$/.test(value)),
      STYLE.clip | STYLE.box,
    ],
    [Number.parseFloat(style.textIndent) < 0, STYLE.indent | STYLE.box],
    [style.contentVisibility !== 'visible', STYLE.skip | STYLE.box],
    [position !== 'static', STYLE.position | STYLE.box],
    [style.overflow !== 'visible' || style.contain !== 'none', STYLE.overflow | STYLE.position | STYLE.box],
    [isWarped(style) || style.backfaceVisibility === 'hidden', STYLE.warp | STYLE.box],
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
        flowOf(display, { tag, bits }, false) !== flowOfTag(bits),
      STYLE.display,
    ],
    [style.whiteSpace !== 'normal', STYLE.space],
    [/[1-9]/.test(style.margin) || /[1-9]/.test(style.padding), STYLE.margin],
    [style.cursor === 'pointer', STYLE.cursor],
    [style.textTransform !== 'none' || style.unicodeBidi.endsWith('override'), STYLE.transform],
    [style.textDecorationLine.includes('line-through'), STYLE.strike],
    [MONOSPACED.test(style.fontFamily), STYLE.monospace],
  ];
  let flags: number = STYLE.colour;
  for (const [is, flag] of has) if (is) flags |= flag;
  return flags;
}
