import type { PromptMessage } from '@modelcontextprotocol/sdk/types.js';
import type { AdapterPrompt } from '../../../server/adapters/mcp/session.ts';
import { PNG } from './tools.ts';

const user = (content: PromptMessage['content']): PromptMessage => ({ role: 'user', content });
const text = (value: string): PromptMessage => user({ type: 'text', text: value });
const named = (
  name: string,
  description: string,
): { readonly name: string; readonly description: string } => ({
  name,
  description,
});

/** The suite's fixed prompts. */
export const ownPrompts: readonly AdapterPrompt[] = [
  {
    prompt: named('test_simple_prompt', 'A prompt without arguments.'),
    get: async () => ({ messages: [text('This is a simple prompt for testing.')] }),
  },
  {
    prompt: {
      ...named('test_prompt_with_arguments', 'A prompt with two arguments.'),
      arguments: [
        { ...named('arg1', 'First test argument'), required: true },
        { ...named('arg2', 'Second test argument'), required: true },
      ],
    },
    get: async ({ arg1 = '', arg2 = '' }) => ({
      messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
    complete: async ({ value }) => ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
  },
  {
    prompt: {
      ...named('test_prompt_with_embedded_resource', 'A prompt that holds a resource.'),
      arguments: [{ ...named('resourceUri', 'URI of the resource to embed'), required: true }],
    },
    get: async ({ resourceUri: uri = '' }) => ({
      messages: [
        user({
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        }),
        text('Please process the embedded resource above.'),
      ],
    }),
  },
  {
    prompt: named('test_prompt_with_image', 'A prompt that holds a picture.'),
    get: async () => ({
      messages: [
        user({ type: 'image', data: PNG, mimeType: 'image/png' }),
        text('Please analyze the image above.'),
      ],
    }),
  },
];
