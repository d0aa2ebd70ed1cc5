import * as z from 'zod/mini';
import type { CodePlace } from '../../../shared/inspect/inspect.methods.ts';
import { hear } from './debugger/exchange.ts';
import type { DebuggerLease } from './debugger/sessions.ts';
import type { Scope } from './evaluate.ts';

/** Sends a command to the session of an element. */
export type Send = (method: string, params?: object) => Promise<Record<string, unknown>>;

/** A rule that matches an element, or a `style` attribute. */
export interface MatchedRule {
  readonly selector: string;
  /** Whether it is the browser's own, or an extension's. */
  readonly isForeign: boolean;
  readonly isLayered: boolean;
  readonly conditions: readonly string[];
  /** 1 for the parent; null for the element's own. */
  readonly inherited: number | null;
  /** If its style sheet names one. */
  readonly file: string | null;
  readonly place: CodePlace | null;
  readonly declarations: readonly Declaration[];
}

export interface Declaration {
  readonly text: string;
  /** Of the properties that it sets: a shorthand sets several. */
  readonly names: readonly string[];
  readonly value: string;
  readonly isImportant: boolean;
}

const Range = z.object({ startLine: z.int(), startColumn: z.int() });
const Texts = z._default(z.array(z.object({ text: z.string() })), []);
const Property = z.object({
  name: z.string(),
  value: z.string(),
  important: z._default(z.boolean(), false),
  parsedOk: z._default(z.boolean(), true),
  disabled: z._default(z.boolean(), false),
  /** Only of what somebody wrote. */
  range: z.optional(Range),
  longhandProperties: z._default(z.array(z.object({ name: z.string() })), []),
});
const Style = z.object({ styleSheetId: z.optional(z.string()), cssProperties: z.array(Property) });
const Rule = z.object({
  styleSheetId: z.optional(z.string()),
  origin: z.string(),
  selectorList: z.object({ text: z.string(), selectors: z.array(z.object({ range: z.optional(Range) })) }),
  style: Style,
  media: Texts,
  supports: Texts,
  containerQueries: Texts,
  layers: Texts,
});
type Rule = z.infer<typeof Rule>;
const Level = z.object({
  inlineStyle: z.optional(Style),
  matchedCSSRules: z._default(z.array(z.object({ rule: Rule })), []),
});
const Matched = z.extend(Level, { inherited: z._default(z.array(Level), []) });
const Sheet = z.object({
  styleSheetId: z.string(),
  sourceURL: z.string(),
  sourceMapURL: z._default(z.string(), ''),
  ownerNode: z.optional(z.int()),
  startLine: z.number(),
  startColumn: z.number(),
});
const Added = z.object({ header: Sheet });
type Sheet = z.infer<typeof Sheet> & { readonly file: string | null };
const Requested = z.object({ nodeId: z.int() });
const Owner = z.object({ node: z.object({ attributes: z._default(z.array(z.string()), []) }) });

/** The rules that match an element, the weakest first. @throws SpillwayError as `DebuggerLease.send` */
export async function readRules(lease: DebuggerLease, scope: Scope, send: Send): Promise<MatchedRule[]> {
  const found: z.infer<typeof Sheet>[] = [];
  const stop = hear(lease, 'CSS.styleSheetAdded', Added, ({ header }, session) => {
    if (session === scope.session) found.push(header);
  });
  try {
    await send('DOM.enable');
    await send('CSS.enable');
    await send('DOM.getDocument', { depth: 0 });
    const objectId = scope.element ?? scope.within;
    const { nodeId } = Requested.parse(await send('DOM.requestNode', { objectId }));
    const matched = Matched.parse(await send('CSS.getMatchedStylesForNode', { nodeId }));
    const sheets = await Promise.all(found.map(async (one) => ({ ...one, file: await fileOf(one, send) })));
    return rulesIn(matched, new Map(sheets.map((sheet) => [sheet.styleSheetId, sheet])));
  } finally {
    stop();
    // Only enabling reports the style sheets, and nothing else uses these domains.
    for (const domain of ['CSS', 'DOM']) send(`${domain}.disable`).catch(() => undefined);
  }
}

/** Vite writes the file of a style sheet that its script makes into the element. */
async function fileOf({ ownerNode, sourceURL }: z.infer<typeof Sheet>, send: Send): Promise<string | null> {
  if (ownerNode === undefined || sourceURL !== '') return null;
  const described = await send('DOM.describeNode', { backendNodeId: ownerNode }).catch(() => null);
  const attributes = Owner.safeParse(described).data?.node.attributes ?? [];
  const at = attributes.indexOf('data-vite-dev-id');
  return at < 0 ? null : (attributes[at + 1] ?? null);
}

type Sheets = ReadonlyMap<string, Sheet>;

/** The farthest ancestor's first, and of each the rules before its `style`, as the browser orders them. */
function rulesIn({ inherited, ...own }: z.infer<typeof Matched>, sheets: Sheets): MatchedRule[] {
  const levels = [own, ...inherited].map(({ matchedCSSRules: matches, inlineStyle }, level) => {
    const rules = matches.map(({ rule }) => ruleOf(rule, level, sheets));
    const inline = inlineStyle === undefined ? [] : declarationsOf(inlineStyle);
    const plain = { isForeign: false, isLayered: false, conditions: [], file: null, place: null };
    const style = {
      ...plain,
      selector: 'style',
      inherited: level === 0 ? null : level,
      declarations: inline,
    };
    return inline.length === 0 ? rules : [...rules, style];
  });
  return levels.toReversed().flat();
}

function ruleOf(rule: Rule, level: number, sheets: Sheets): MatchedRule {
  const { media, supports, containerQueries, layers } = rule;
  const lists = Object.entries({ media, supports, container: containerQueries, layer: layers });
  const sheet = sheets.get(rule.styleSheetId ?? '');
  const isForeign = rule.origin !== 'regular';
  return {
    selector: rule.selectorList.text,
    isForeign,
    isLayered: layers.length > 0,
    conditions: lists.flatMap(([name, list]) => list.map(({ text }) => `@${name} ${text}`)),
    inherited: level === 0 ? null : level,
    file: sheet?.file ?? null,
    place: placeIn(sheet, rule.selectorList.selectors[0]?.range),
    declarations: declarationsOf(rule.style, isForeign),
  };
}

function placeIn(sheet: Sheet | undefined, range: z.infer<typeof Range> | undefined): CodePlace | null {
  if (sheet === undefined || range === undefined) return null;
  const { startLine, startColumn, sourceURL: url, sourceMapURL } = sheet;
  const column = range.startColumn + (range.startLine === 0 ? startColumn : 0) + 1;
  return {
    url,
    line: range.startLine + startLine + 1,
    column,
    // A style sheet with an address is read with its map.
    ...(url === '' && sourceMapURL !== '' && { map_url: sourceMapURL }),
  };
}

const declarationsOf = ({ cssProperties }: z.infer<typeof Style>, isForeign = false): Declaration[] =>
  cssProperties
    .filter(({ range, parsedOk, disabled }) => (range !== undefined || isForeign) && parsedOk && !disabled)
    .map(({ name, value, important: isImportant, longhandProperties: parts }) => ({
      text: `${name}: ${value.replace(/\s*!important$/, '')}${isImportant ? ' !important' : ''}`,
      names: parts.length === 0 ? [name] : parts.map((part) => part.name),
      value,
      isImportant,
    }));
