import type { JsonObject } from '../../../shared/base/json.ts';
import type { ClientSession } from '../../../server/core/context.ts';
import type { Flows } from '../../../server/core/flows.ts';
import type { ToolResult } from '../../../server/core/result.ts';
import { createFlows } from '../../../server/flows/index.ts';

export const SECRET =
  'The board meets on Thursday to discuss the sale of the northern branch to Halvorsen & Sons.';
export const MAIL = 'https://mail.example';
export const SESSION = { id: 's1', name: 'test' } as ClientSession;

let calls = 0;

/** An agent that was given a text of a site. */
export function given(
  text: string,
  { flows = createFlows({ mode: 'ask' }), session = SESSION, site = MAIL, isPrivate = true } = {},
) {
  const callId = `c${++calls}`;
  const facts = {
    call_id: callId,
    tool: 'read_page',
    title: '',
    args: {},
    is_editable: false,
    args_hash: '',
  };
  flows.heard({ caller: { session: session.id, name: 'test' }, call: facts }, [
    { site, is_private: isPrivate },
  ]);
  const result = { ok: true, content: [{ type: 'text', text }], state: {} } as unknown as ToolResult;
  flows.arrived({ callId, tool: 'read_page', args: {}, session }, result);
  return flows;
}

export async function sourcesOf(flows: Flows, tool: string, args: JsonObject, session = SESSION) {
  await flows.ready(session);
  return flows.sourcesOf({ callId: 'x', tool, args, session }, args);
}

export const base64 = (text: string, as: BufferEncoding = 'base64') => Buffer.from(text).toString(as);
export const rot13 = (text: string) =>
  text.replaceAll(/[a-z]/gi, (one) =>
    String.fromCharCode(one.charCodeAt(0) + (one.toLowerCase() < 'n' ? 13 : -13)),
  );
export const parts = (text: string, count: number) =>
  text.match(new RegExp(`.{1,${Math.ceil(text.length / count)}}`, 'gs')) ?? [];
