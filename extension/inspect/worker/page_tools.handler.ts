import { abortable } from '../../../shared/base/async.ts';
import { cut } from '../../../shared/base/cut.ts';
import type { MethodResult } from '../../../shared/core/bridge/methods.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { siteOf } from '../../../shared/core/policy/sites.ts';
import {
  PAGE_TOOL_LIMITS,
  PAGE_TOOL_RISKS,
  type ListedTool,
} from '../../../shared/inspect/page_tools.methods.ts';
import { cutToFrame, fittingFrame } from '../../core/link/frame-room.ts';
import type { Create, HandlerContext } from '../../core/handler.ts';
import { callTool, shownTool, toolsOf } from './page-tools/pages.ts';
import { getReadableTab } from '../../core/pages/targets.ts';
import type { PolicyPlace } from '../../core/policy/call-policy.ts';
import { framesOf } from '../../core/policy/documents.ts';

/** Documents of one tab that are asked. */
const MAX_FRAMES = 20;
const MESSAGE_UNITS = 1_000;
/** Well within the silence after which a session loses its tab. */
const RENEW_MS = 5_000;

const originOfPlace = ({ url, origin }: PolicyPlace): string => siteOf(origin ?? url)?.origin ?? 'null';

/** Tools of the documents that the call may read; the page's own first. */
async function listTools(
  tabId: number,
  { policy, signal }: HandlerContext,
): Promise<MethodResult<'page_tools.list'>> {
  await policy.expectTab(tabId, ['read']);
  const { url = '' } = await getReadableTab(tabId);
  const frames = (await framesOf(tabId)).slice(0, MAX_FRAMES);
  let silent = 0;
  // All at once: each may take as long as a page has to answer.
  const listed = await Promise.all(
    frames.map(async (place, at) => {
      const { documentId } = place;
      if (documentId === null || (at > 0 && !(await policy.allows(place, ['read'])))) return NONE;
      try {
        const found = await toolsOf({ tabId, documentId }, place.url, signal);
        const more = { origin: originOfPlace(place), document_id: documentId };
        return { ...found, tools: found.tools.map((tool) => ({ ...tool, ...more })) };
      } catch (thrown) {
        // A frame that goes, or that no script may enter, declares nothing.
        if (at === 0) throw thrown;
        if (toSpillwayError(thrown).code === 'page_unresponsive') silent += 1;
        return NONE;
      }
    }),
  );
  const tools = listed.flatMap((one): readonly ListedTool[] => one.tools);
  const left = listed.reduce((sum, { leftOut }) => sum + leftOut, 0);
  const kept = fittingFrame(tools.slice(0, PAGE_TOOL_LIMITS.tools));
  return { tools: kept, left_out: left + tools.length - kept.length, silent_frames: silent, url };
}

/** The methods of `page_tools` and `page_tool_call`. */
export const createHandlers: Create<'page_tools.list' | 'page_tools.call'> = ({ leases, closed }) => ({
  'page_tools.list': ({ tab_id: tabId }, context) => listTools(tabId, context),

  'page_tools.call': async (params, { signal, policy }) => {
    const { tab_id: tabId, document_id: documentId, name, input, timeout_ms: timeoutMs } = params;
    const lease = await leases.take(tabId, params.caller, { signal, closed, isAct: true });
    const alive = setInterval(() => lease.renew(), RENEW_MS);
    try {
      const place = (await framesOf(tabId)).find((one) => one.documentId === documentId);
      // The rules come first, even if there is nothing to call.
      if (place === undefined) await policy.expectTab(tabId, PAGE_TOOL_RISKS, { asks: false });
      const { tools, world } =
        place === undefined ? NONE : await toolsOf({ tabId, documentId }, place.url, signal);
      const tool = tools.find((one) => one.name === name);
      if (place === undefined || tool === undefined) throw absent(name);
      await policy.expect(place, PAGE_TOOL_RISKS, { isAlone: tool.consequential });
      await policy.asSeen(name, shownTool(tool));
      signal.throwIfAborted();
      policy.began();
      const end = await abortable(callTool({ tabId, documentId }, { world, name, input, timeoutMs }), signal);
      if (end.end === 'absent') throw absent(name);
      if (end.end === 'late') throw unknownOutcome(name, `did not answer within ${timeoutMs} ms`);
      if (end.end === 'left') throw unknownOutcome(name, 'had not answered when its page was left');
      if (end.end === 'failed')
        throw new SpillwayError(
          'page_tool_failed',
          `The page's tool ${JSON.stringify(name)} failed: ${cut(end.message, MESSAGE_UNITS).toWellFormed()}`,
        );
      const answer = cutToFrame(end.answer);
      return { answer, is_cut: answer.length < end.answer.length, url: place.url };
    } finally {
      clearInterval(alive);
      lease.release();
    }
  },
});

const NONE = { tools: [], leftOut: 0, world: 'ISOLATED' } as const;

const absent = (name: string): SpillwayError =>
  new SpillwayError('unknown_tool', `The page declares no tool ${JSON.stringify(cut(name, 100))} any more.`, {
    hint: 'Call page_tools to see what the page declares now.',
  });

const unknownOutcome = (name: string, what: string): SpillwayError =>
  new SpillwayError(
    'outcome_unknown',
    `The page's tool ${JSON.stringify(name)} ${what}. Its effect is unknown.`,
    { hint: 'Read the page to see its state before you call the tool again.' },
  );
