import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  type CallToolResult,
  type ElicitRequestFormParams,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { AdapterTool } from '../../../server/adapters/mcp/session.ts';

// Tools that speak the protocol themselves: what they ask the client goes over the stream of their call.

type Schema = ElicitRequestFormParams['requestedSchema'];
type Properties = Schema['properties'];

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });

const sampling: AdapterTool = {
  tool: {
    name: 'test_sampling',
    description: 'Asks the model of its client.',
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
  },
  call: async (args, { sendRequest }) => {
    const { prompt } = z.object({ prompt: z.string() }).parse(args);
    const params = {
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }],
      maxTokens: 100,
    };
    const answer = await sendRequest({ method: 'sampling/createMessage', params }, CreateMessageResultSchema);
    return text(`LLM response: ${JSON.stringify(answer.content)}`);
  },
};

/** A tool that asks a person to fill in a form. */
function eliciting(name: string, says: string, form: Omit<Schema, 'type'>): AdapterTool {
  return {
    tool: {
      name,
      description: 'Asks a person to fill in a form.',
      inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
    },
    call: async (args, { sendRequest }) => {
      const { message = name } = z.object({ message: z.string().optional() }).parse(args);
      const requestedSchema: Schema = { type: 'object', ...form };
      const request = { method: 'elicitation/create' as const, params: { message, requestedSchema } };
      const { action, content } = await sendRequest(request, ElicitResultSchema);
      return text(`${says}: action=${action}, content=${JSON.stringify(content)}`);
    },
  };
}

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
  ['First', 'Second', 'Third'].map((title, index) => ({
    const: `value${index + 1}`,
    title: `${title} ${word}`,
  }));
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

/** Sends its client away in the middle of the call, to come back for the answer. */
const reconnection: AdapterTool = {
  tool: {
    name: 'test_reconnection',
    description: 'Closes the stream of its call early.',
    inputSchema: { type: 'object' },
  },
  call: async (_args, { closeSSEStream }) => {
    closeSSEStream?.();
    return text('Reconnection test completed successfully.');
  },
};

export const ownTools: readonly AdapterTool[] = [
  sampling,
  eliciting('test_elicitation', 'User response', { properties: USER, required: Object.keys(USER) }),
  eliciting('test_elicitation_sep1034_defaults', 'Elicitation completed', { properties: DEFAULTS }),
  eliciting('test_elicitation_sep1330_enums', 'Elicitation completed', { properties: ENUMS }),
  reconnection,
];
