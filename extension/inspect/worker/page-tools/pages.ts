import browser, { type Scripting } from 'webextension-polyfill';
import { z } from 'zod';
import { defer, waitAtMost } from '../../../../shared/base/async.ts';
import { cut } from '../../../../shared/base/cut.ts';
import { PAGE_TOOL_LIMITS, PageTool } from '../../../../shared/inspect/page_tools.methods.ts';
import { listen } from '../../../platform/chromium/members.ts';
import { framesOf } from '../../../core/policy/documents.ts';
import { runInPage } from '../../../core/pages/targets.ts';
import { callDocumentTool, listDocumentTools } from '../../../core/in-page/page-tools.ts';
import type { ShownElement, ShownElements } from '../../../core/ports/shown-element.ts';
import type { Question } from '../../../people/worker/queue.ts';

const Told = z.array(z.looseObject({ description: z.string() })).nullable();
const End = z.object({
  absent: z.literal(true).optional(),
  late: z.literal(true).optional(),
  failure: z.string().optional(),
  answer: z.string().optional(),
});
/** How a call of a page's tool ended. */
type ToolEnd =
  | { readonly end: 'absent' }
  | { readonly end: 'late' }
  | { readonly end: 'left' }
  | { readonly end: 'failed'; readonly message: string }
  | { readonly end: 'answered'; readonly answer: string };

/** A document of a tab: its tools disappear with it. */
export interface ToolDocument {
  readonly tabId: number;
  readonly documentId: string;
}

type World = Scripting.ExecutionWorld;
/** The browser's own `modelContext` is asked in an isolated world, and a page's own in the page's world. */
const WORLDS: readonly World[] = ['ISOLATED', 'MAIN'];

const targetOf = ({ tabId, documentId }: ToolDocument) => ({ tabId, documentIds: [documentId] });

/**
 * The tools that a document declares, if their texts are within the limits.
 * @param url for messages
 * @throws SpillwayError as {@link runInPage}
 */
export async function toolsOf(
  document: ToolDocument,
  url: string,
  signal?: AbortSignal,
): Promise<{ readonly tools: readonly PageTool[]; readonly leftOut: number; readonly world: World }> {
  const target = targetOf(document);
  for (const world of WORLDS) {
    const result = await runInPage({ target, url, world, func: listDocumentTools, signal });
    const listed = Told.safeParse(result).data ?? null;
    if (listed === null || listed.length === 0) continue;
    const tools = listed.slice(0, PAGE_TOOL_LIMITS.tools).flatMap((one) => {
      const description = cut(one.description, PAGE_TOOL_LIMITS.description).toWellFormed();
      return PageTool.safeParse({ ...one, description }).data ?? [];
    });
    return { tools, leftOut: listed.length - tools.length, world };
  }
  return { tools: [], leftOut: 0, world: 'ISOLATED' };
}

/** Calls a tool of a document. `left`: the document has gone, so that nobody knows what the tool did. */
export async function callTool(
  document: ToolDocument,
  call: { readonly world: World; readonly name: string; readonly input: object; readonly timeoutMs: number },
): Promise<ToolEnd> {
  const { world, name, input, timeoutMs } = call;
  const asking = browser.scripting
    .executeScript({
      target: targetOf(document),
      injectImmediately: true,
      world,
      func: callDocumentTool,
      args: [name, input, timeoutMs],
    })
    .then(([first]) => End.safeParse(first?.result).data ?? {})
    .catch((): z.infer<typeof End> => ({}));
  const leaving = whenLeft(document);
  const report = await waitAtMost(Promise.race([asking, leaving.left]), timeoutMs).finally(leaving.stop);
  if (report === undefined || report.late) return { end: 'late' };
  if (report.absent) return { end: 'absent' };
  if (report.failure !== undefined) return { end: 'failed', message: report.failure };
  return report.answer === undefined ? { end: 'left' } : { end: 'answered', answer: report.answer };
}

/** The browser may keep a document that the tab has left; its script then neither answers nor ends. */
function whenLeft({ tabId, documentId }: ToolDocument): {
  readonly left: Promise<z.infer<typeof End>>;
  readonly stop: () => void;
} {
  const { promise: left, resolve } = defer<z.infer<typeof End>>();
  const look = async ({ tabId: changed }: { readonly tabId: number }): Promise<void> => {
    if (changed !== tabId) return;
    const frames = await framesOf(tabId);
    if (!frames.some((frame) => frame.documentId === documentId)) resolve({});
  };
  return {
    left,
    stop: listen(browser.webNavigation.onCommitted, (details) => void look(details).catch(() => undefined)),
  };
}

/** A tool as a card shows it, by which a change before the call is noticed. Undefined for one that the page lacks. */
export function shownTool(tool: PageTool | undefined): ShownElement {
  if (tool === undefined) return { line: '', leads: null };
  const { title, description, schema, ...flags } = tool;
  const { read_only: isReadOnly, consequential, untrusted } = flags;
  const marks = Object.entries({ 'read-only': isReadOnly, consequential, untrusted }).flatMap(([flag, is]) =>
    is ? ` (${flag})` : [],
  );
  const line = `${title === undefined ? '' : `${title}: `}${description}${marks.join('')}`;
  return { line, leads: null, ...(schema === null ? {} : { schema }) };
}

/** The page's description of the tool that a call names, for the card. Null for any other call. */
export async function shownPageTool(question: Question): Promise<ShownElements | null> {
  const { call, tab_id: tabId, document_id: documentId, url } = question;
  if (call.tool !== 'page_tool_call' || tabId === null || documentId === null) return null;
  const name = call.args?.['name'];
  if (typeof name !== 'string') return {};
  const { tools } = await toolsOf({ tabId, documentId }, url);
  // A page may hide a tool while the card is shown, and declare another one after the yes.
  return Object.fromEntries([[name, shownTool(tools.find((one) => one.name === name))]]);
}
