import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import type { ProvidedRuntime, ProvidedTool } from '../../../server/core/registry/definition.ts';
import { defer } from '../../../shared/base/async.ts';
import { Json } from '../../../shared/base/json-schema.ts';
import { upstream } from './tools.ts';

// Tools of another server that ask the client: the question is sent on the stream of their call.

type Schema = ElicitRequestFormParams['requestedSchema'];
type Properties = Schema['properties'];
type Run = ProvidedRuntime;

const saying = (value: string) => ({ passed: { content: [{ type: 'text', text: value }], isError: false } });

const samplingOf =
  (given?: string): Run =>
  async ({ prompt = given }: { prompt?: string }, { sample, signal }) => {
    const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
    const answer = await sample?.({ messages, maxTokens: 100 }, signal);
    return saying(`LLM response: ${JSON.stringify(answer?.['content'])}`);
  };

const eliciting =
  (says: string, form: Omit<Schema, 'type'>): Run =>
  async ({ message = says }: { message?: string }, { askPerson, signal }) => {
    const schema = Json.parse({ type: 'object', ...form });
    const reply = await askPerson?.({ message, schema: schema as never }, signal);
    return saying(`${says}: action=${reply?.action}, content=${JSON.stringify(reply?.content)}`);
  };

const USER: Properties = {
  username: { type: 'string', description: "User's response" },
  email: { type: 'string', description: "User's email address" },
};

const DEFAULTS: Properties = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const titled = (word: string): { const: string; title: string }[] =>
  ['First', 'Second', 'Third'].map((title, at) => ({ const: `value${at + 1}`, title: `${title} ${word}` }));
const OPTIONS = ['option1', 'option2', 'option3'];

const ENUMS: Properties = {
  untitledSingle: { type: 'string', enum: OPTIONS },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
  titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
};

const asking =
  (says: string, ...fields: readonly string[]): Run =>
  async (_args, { askPerson, signal }) => {
    const answers: unknown[] = [];
    for (const field of fields) {
      const schema = Json.parse({ type: 'object', properties: { [field]: { type: 'string' } } });
      answers.push(await askPerson?.({ message: says, schema: schema as never }, signal));
    }
    return saying(`${says}: ${JSON.stringify(answers)}`);
  };

/** The response to the latest request: while a call runs, its own. */
let newest: { readonly response: ServerResponse; readonly hasBegun: Promise<void> } | undefined;
subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  if (request.method !== 'POST') return;
  const begun = defer<void>();
  const write = response.write.bind(response) as (chunk: unknown) => boolean;
  response.write = (chunk: unknown): boolean => {
    begun.resolve();
    return write(chunk);
  };
  newest = { response, hasBegun: begun.promise };
});

/** Disconnects its client during the call, once it knows where to reconnect for the answer. */
const reconnection: Run = async () => {
  if (newest !== undefined) {
    const { response, hasBegun } = newest;
    await hasBegun;
    const closed = once(response, 'close');
    response.end();
    await closed;
  }
  return saying('Reconnection test completed successfully.');
};

const strings = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

export const speakingTools: readonly ProvidedTool[] = [
  upstream('test_sampling', samplingOf(), { ...strings('prompt'), required: ['prompt'] }),
  upstream(
    'test_elicitation',
    eliciting('User response', { properties: USER, required: Object.keys(USER) }),
    strings('message'),
  ),
  upstream(
    'test_elicitation_sep1034_defaults',
    eliciting('Elicitation completed', { properties: DEFAULTS }),
    strings('message'),
  ),
  upstream(
    'test_elicitation_sep1330_enums',
    eliciting('Elicitation completed', { properties: ENUMS }),
    strings('message'),
  ),
  upstream('test_reconnection', reconnection),
  upstream('test_input_required_result_elicitation', asking('What is your name?', 'name')),
  upstream('test_input_required_result_request_state', asking('state-ok', 'ok')),
  upstream('test_input_required_result_tampered_state', asking('Confirm', 'ok')),
  upstream('test_input_required_result_multi_round', asking('Two steps', 'name', 'color')),
  upstream('test_input_required_result_sampling', samplingOf('What is the capital of France?')),
  upstream('test_input_required_result_capabilities', samplingOf('Hello')),
];
