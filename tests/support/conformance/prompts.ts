import type { PromptMessage } from '@modelcontextprotocol/sdk/types.js';
import type { UpstreamOffers } from '../../../server/core/upstreams.ts';
import { offered } from '../offers.ts';
import { PNG } from './tools.ts';

const user = (content: PromptMessage['content']): PromptMessage => ({ role: 'user', content });
const text = (value: string): PromptMessage => user({ type: 'text', text: value });
const required = (name: string, description: string) => ({ name, description, required: true });

type Given = Readonly<Record<string, string>>;

/** The suite's fixed prompts: what is listed of each, and what it says. */
const PROMPTS = [
  {
    name: 'test_simple_prompt',
    description: 'A prompt without arguments.',
    get: (_given: Given) => [text('This is a simple prompt for testing.')],
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments.',
    arguments: [required('arg1', 'First test argument'), required('arg2', 'Second test argument')],
    get: ({ arg1 = '', arg2 = '' }: Given) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt that holds a resource.',
    arguments: [required('resourceUri', 'URI of the resource to embed')],
    get: ({ resourceUri: uri = '' }: Given) => [
      user({
        type: 'resource',
        resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      }),
      text('Please process the embedded resource above.'),
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'A prompt that holds a picture.',
    get: (_given: Given) => [
      user({ type: 'image', data: PNG, mimeType: 'image/png' }),
      text('Please analyze the image above.'),
    ],
  },
];

export const prompts: Pick<UpstreamOffers, 'prompts' | 'prompt' | 'complete'> = {
  prompts: () => PROMPTS.map(({ get: _get, ...shown }) => shown),
  prompt: async (name, given) => {
    const found = PROMPTS.find((each) => each.name === name);
    return found === undefined ? null : offered({ messages: found.get(given) });
  },
  complete: async ({ ref, argument: { value } }) => {
    if (ref.type !== 'ref/prompt' || ref.name !== 'test_prompt_with_arguments') return null;
    const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(value));
    return { values, hasMore: false };
  },
};
