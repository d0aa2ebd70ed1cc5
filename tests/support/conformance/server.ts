import { randomBytes } from 'node:crypto';
import { serveHttp } from '../../../server/mcp/http/serve.ts';
import type { ProvidedTool } from '../../../server/core/registry/definition.ts';
import { startMemoryServer } from '../memory-client.ts';
import { testOffers, offered } from '../offers.ts';
import { testProvider } from '../test-provider.ts';
import { speakingTools } from './speaking-tools.ts';
import { fixedTools, manifests, runtimes, upstream, PNG } from './tools.ts';
import type { PromptMessage } from '@modelcontextprotocol/sdk/types.js';
import type { UpstreamOffers } from '../../../server/core/upstreams.ts';

const FIXED = [
  {
    uri: 'test://static-text',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  { uri: 'test://static-binary', mimeType: 'image/png', blob: PNG },
  { uri: 'test://watched-resource', mimeType: 'text/plain', text: 'Watched.' },
];
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

const resources: Pick<UpstreamOffers, 'resources' | 'templates' | 'read' | 'follow'> = {
  resources: () => FIXED.map(({ uri, mimeType }) => ({ uri, name: uri, mimeType })),
  templates: () => [
    { uriTemplate: 'test://template/{id}/data', name: 'Template', mimeType: 'application/json' },
  ],
  read: async (uri) => {
    const fixed = FIXED.find((each) => each.uri === uri);
    if (fixed !== undefined) return offered({ contents: [fixed] });
    const id = TEMPLATE.exec(uri)?.[1];
    if (id === undefined) return null;
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return offered({ contents: [{ uri, mimeType: 'application/json', text }] });
  },
  // The suite asks for a subscription and its end, and for no update in between.
  follow: async (uri) => (uri === 'test://watched-resource' ? () => undefined : null),
};

const user = (content: PromptMessage['content']): PromptMessage => ({ role: 'user', content });
const text = (value: string): PromptMessage => user({ type: 'text', text: value });
const required = (name: string, description: string) => ({ name, description, required: true });

type Given = Readonly<Record<string, string>>;

/** The suite's fixed prompts: name, arguments and content of each. */
const PROMPTS = [
  ['test_simple_prompt', [], (_given: Given) => [text('This is a simple prompt for testing.')]],
  [
    'test_prompt_with_arguments',
    [required('arg1', 'First test argument'), required('arg2', 'Second test argument')],
    ({ arg1 = '', arg2 = '' }: Given) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  ],
  [
    'test_prompt_with_embedded_resource',
    [required('resourceUri', 'URI of the resource to embed')],
    ({ resourceUri: uri = '' }: Given) => [
      user({
        type: 'resource',
        resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      }),
      text('Please process the embedded resource above.'),
    ],
  ],
  [
    'test_prompt_with_image',
    [],
    (_given: Given) => [
      user({ type: 'image', data: PNG, mimeType: 'image/png' }),
      text('Please analyze the image above.'),
    ],
  ],
] as const;

const prompts: Pick<UpstreamOffers, 'prompts' | 'prompt' | 'complete'> = {
  prompts: () =>
    PROMPTS.map(([name, given]) => ({ name, description: 'A prompt of the suite.', arguments: [...given] })),
  prompt: async (name, given) => {
    const [, , get] = PROMPTS.find(([known]) => known === name) ?? [];
    return get === undefined ? null : offered({ messages: get(given) });
  },
  complete: async ({ ref, argument: { value } }) => {
    if (ref.type !== 'ref/prompt' || ref.name !== 'test_prompt_with_arguments') return null;
    const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(value));
    return { values, hasMore: false };
  },
};

/** Spillway on HTTP, with the suite's fixed tools, resources and prompts in addition to its own. */
export async function startConformanceServer() {
  const tools = [...fixedTools, ...speakingTools];
  const change: ProvidedTool = upstream('test_trigger_tool_change', async () => {
    provider.offer([...tools, change, upstream(`test_changed_${Date.now()}`, [])]);
    return { passed: { content: [{ type: 'text', text: 'Changed.' }], isError: false } };
  });
  const provider = testProvider('conformance', [...tools, change]);
  const memory = await startMemoryServer(
    {},
    { manifests, runtimes, providers: [provider], offers: testOffers({ ...resources, ...prompts }) },
  );
  const token = randomBytes(24).toString('base64url');
  const http = await serveHttp({ ...memory.faces, port: 0, token, onClients: () => undefined });
  return { url: http.url, token, close: () => http.close().then(() => memory.close()) };
}
