import type { InputRequest } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { JsonRecord } from '../../../../shared/json-schema.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { ToolCall } from '../../../core/calls/call.ts';
import type { PersonPage } from '../../../core/context.ts';
import type { Exchange } from './exchange.ts';
import type { Capabilities } from './sessions.ts';

/** A client may show the request to its person first. */
const SAMPLING_MS = 600_000;
const ANSWER_TOKENS = 1_000;

/** A request to the client, in the protocol's form. */
const Request = z.custom<InputRequest>();
const request = (method: InputRequest['method'], params: object): InputRequest =>
  Request.parse({ method, params });

const Reply = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: JsonRecord.optional(),
});
const Sampled = JsonRecord.refine(({ content }) => content !== undefined);
const Text = z.object({ content: z.object({ type: z.literal('text'), text: z.string() }) });

export const pageRequest = ({ message, url }: PersonPage): InputRequest =>
  request('elicitation/create', { mode: 'url', message, url });

/** Questions and requests that this request declares to support. */
export function asksOf(
  exchange: Exchange,
  { elicitation, sampling }: Capabilities,
): Pick<ToolCall, 'askPerson' | 'pages' | 'rank' | 'sample'> {
  const person = { response: Reply, timeoutMs: LIMITS.humanInputMs };
  const model = { response: Sampled, timeoutMs: SAMPLING_MS };
  const sample: ToolCall['sample'] = (params, signal) =>
    exchange.ask({ request: request('sampling/createMessage', params), ...model }, signal);
  // A client that names no mode shows forms.
  const hasForms =
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  return {
    ...(hasForms
      ? {
          askPerson: async ({ message, schema: requestedSchema }, signal) => {
            const params = { mode: 'form', message, requestedSchema };
            const form = { request: request('elicitation/create', params), ...person };
            const { action, content = {} } = await exchange.ask(form, signal);
            return { action, content };
          },
        }
      : {}),
    ...(elicitation?.url === undefined
      ? {}
      : {
          pages: {
            ask: async (page, signal) =>
              (await exchange.ask({ request: pageRequest(page), ...person }, signal)).action,
            require: (pages) => void (exchange.required = pages),
            // The protocol has no word for it: the client repeats the call.
            completed: () => undefined,
          },
        }),
    ...(sampling === undefined
      ? {}
      : {
          sample,
          rank: async (prompt, signal) => {
            const content = { type: 'text', text: prompt };
            const params = { messages: [{ role: 'user', content }], maxTokens: ANSWER_TOKENS };
            return Text.safeParse(await sample(params, signal)).data?.content.text ?? '';
          },
        }),
  };
}
