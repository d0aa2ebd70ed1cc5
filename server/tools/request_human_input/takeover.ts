import type { HumanInputRequest } from '../../../shared/human/request.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { Json } from '../../../shared/json-schema.ts';
import { MIME } from '../../../shared/mime.ts';
import { TAKEOVER_MS } from '../../../shared/policy/takeover.ts';
import type { CallContext } from '../../core/context.ts';
import type { Produced } from '../../core/result.ts';
import type { Bridge } from '../../core/services.ts';
import type { TakeoverEnd, Takeovers } from '../../core/people.ts';
import { formatTabId, onTab, requireTab } from '../../core/targets.ts';

export interface TakeoverServices {
  readonly bridge: Bridge;
  readonly takeovers: Takeovers;
}

/**
 * Asks a person to do something in a tab. The browser shows it, so the client need not be able to ask anyone.
 *
 * @throws SpillwayError of {@link Takeovers.takeOver}, `no_current_tab`, `tab_not_found`, `page_forbidden`
 */
export async function takeOver(
  { message, until, tab, timeout_ms: limitMs = TAKEOVER_MS.byDefault }: HumanInputRequest,
  context: CallContext,
  { bridge, takeovers }: TakeoverServices,
): Promise<Produced> {
  const { call, session, signal, syncWaitMs } = context;
  const target = await requireTab(bridge, { tab }, context);
  const request = {
    target,
    message,
    ask: null,
    until: until ?? null,
    limitMs,
    call,
    sessionSignal: session.signal,
  };
  const end = await onTab(target, context, () =>
    takeovers.takeOver(request, { timeoutMs: syncWaitMs, signal }),
  );
  const name = formatTabId(target);
  const value: JsonObject =
    end === null
      ? {
          summary: 'The person has not finished. Call again with the same arguments to wait on.',
          outcome: 'waiting',
          question: message,
          tab: name,
        }
      : answerOf(end, { message, tab: name, limitMs });
  return {
    payload: { kind: 'json', mimeType: MIME.json, value: Json.parse(JSON.parse(JSON.stringify(value))) },
    done: Promise.resolve({ state: { tab: name }, coverage: end === null ? [] : [coverageOf(end)] }),
  };
}

interface Asked {
  readonly message: string;
  readonly tab: string;
  readonly limitMs: number;
}

function answerOf(end: TakeoverEnd, asked: Asked): JsonObject {
  const { outcome, by, where, reason, origin } = end;
  const now = origin === null ? '' : `; the page is now at ${origin}`;
  return {
    summary: `${summaryOf(end, asked)}${outcome === 'tab_closed' ? '' : now}.`,
    outcome,
    ...(by === null ? {} : { by }),
    ...(where === null ? {} : { where }),
    question: asked.message,
    tab: asked.tab,
    ...(origin === null ? {} : { origin }),
    ...(reason === null ? {} : { reason }),
  };
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;

function summaryOf({ outcome, by, where, reason, from, to }: TakeoverEnd, { limitMs }: Asked): string {
  const place = where === 'side_panel' ? 'the side panel' : 'the window of the extension';
  switch (outcome) {
    case 'done':
      return by === 'page' ? 'The page shows what was waited for' : `A person finished in ${place}`;
    case 'declined':
      return `A person declined in ${place}${reason === null ? '' : `: ${reason}`}`;
    case 'timeout':
      return `A person looked at it, and did not finish within ${seconds(limitMs)}`;
    case 'nobody_there':
      return `Nobody acted on the request or turned to the tab within ${seconds(to - from)}`;
    case 'tab_closed':
      return 'The tab was closed';
  }
}

function coverageOf({ from, to }: TakeoverEnd): string {
  const [since, until] = [from, to].map((at) => new Date(at).toISOString());
  return `person_has_tab: nothing of the tab was recorded from ${since} to ${until}, while a person had it.`;
}
