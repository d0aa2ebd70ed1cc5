import { beforeEach, describe, expect, it } from 'vitest';
import { itemsPayload, produce } from '../../support/payloads.ts';
import { MODES } from '../../../server/core/modes/loader.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { offered, testOffers } from '../../support/offers.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';
import { testTools, type Work } from '../../support/test-tool.ts';

/** Keys of each mode, of none, and of the protocol. */
const FOREIGN = {
  ui: { resourceUri: 'ui://elsewhere/x.html' },
  'ui/resourceUri': 'ui://elsewhere/x.html',
  'openai/outputTemplate': 'ui://elsewhere/x.html',
  'openai/widgetAccessible': true,
  'acme/colour': 'red',
  'io.modelcontextprotocol/related': { kept: true },
};

const WIDGETS_OF_OTHERS = [
  { uri: 'ui://elsewhere/x.html', mimeType: 'text/html', text: '<p>' },
  { uri: 'https://elsewhere.test/x', mimeType: 'text/html+skybridge', text: '<p>' },
  { uri: 'https://elsewhere.test/x', mimeType: 'text/html;profile=mcp-app', text: '<p>' },
].map((resource) => ({ ...resource, _meta: FOREIGN }));

const BLOCKS = [
  { type: 'text' as const, text: 'kept', _meta: FOREIGN },
  { type: 'resource' as const, resource: { uri: 'test://kept', text: 'kept', _meta: FOREIGN } },
  ...WIDGETS_OF_OTHERS.map((resource) => ({ type: 'resource' as const, resource })),
  ...WIDGETS_OF_OTHERS.map(({ uri, mimeType }) => ({
    type: 'resource_link' as const,
    name: 'x',
    uri,
    mimeType,
  })),
];

/** A server's own tool whose runtime also tries. */
const own: Work = async () => ({
  ...produce(itemsPayload([{ _meta: FOREIGN }])),
  ...{ _meta: FOREIGN, meta: FOREIGN },
});

const upstream = testProvider('elsewhere', [
  testTool({
    name: 'elsewhere_tool',
    kind: 'upstream',
    tier: 3,
    run: async () => ({ passed: { content: BLOCKS, isError: false, meta: FOREIGN } }),
  }),
]);

const CONTENTS: Readonly<Record<string, readonly object[]>> = {
  ...Object.fromEntries(WIDGETS_OF_OTHERS.map(({ uri }) => [uri, WIDGETS_OF_OTHERS])),
  'test://kept': [{ uri: 'test://kept', text: 'kept', _meta: FOREIGN }],
  'test://kept/too': [{ uri: 'test://kept/too', text: 'kept' }],
};
const offers = testOffers({
  resources: () => [
    ...WIDGETS_OF_OTHERS.map(({ uri, mimeType }) => ({ uri, name: 'x', mimeType, _meta: FOREIGN })),
    { uri: 'test://kept', name: 'kept', _meta: FOREIGN },
    { uri: 'test://kept/too', name: 'kept too' },
  ],
  templates: () => [
    { uriTemplate: 'test://{kept}', name: 'kept', _meta: FOREIGN },
    { uriTemplate: 'ui://elsewhere/{name}.html', name: 'x', mimeType: 'text/html' },
  ],
  prompts: () => [{ name: 'their_prompt', _meta: FOREIGN }],
  read: async (uri) => (CONTENTS[uri] === undefined ? null : offered({ contents: CONTENTS[uri] })),
  prompt: async (name) =>
    name === 'their_prompt'
      ? offered({ messages: BLOCKS.map((content) => ({ role: 'user', content })), _meta: FOREIGN })
      : null,
});

/** Every `_meta` of an answer, every type and every address of a widget, anywhere. */
function leavesOf(answer: unknown): { metaKeys: string[]; uris: string[]; types: string[] } {
  const found = { metaKeys: [] as string[], uris: [] as string[], types: [] as string[] };
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key === '_meta') found.metaKeys.push(...Object.keys(member as object));
      if (typeof member === 'string' && /^ui:/i.test(member)) found.uris.push(member);
      if (key === 'mimeType') found.types.push(String(member));
      visit(member);
    }
  };
  visit(answer);
  return found;
}

const ALL_WIDGETS = new Set(
  MODES.flatMap(({ widgets }) => widgets?.names.map((name) => widgets.uri(name)) ?? []),
);
const WIDGET_TYPES = new Set(MODES.map(({ widgets }) => widgets?.mimeType));

let server: MemoryServer;

/** Everything that a client can request, and that anyone may have added to. */
async function answersOf({ client }: MemoryServer): Promise<unknown[]> {
  const { resources } = await client.listResources();
  const { prompts } = await client.listPrompts();
  const call = (name: string) => client.callTool({ name, arguments: {} });
  return [
    await client.listTools(),
    { resources },
    await client.listResourceTemplates(),
    { prompts },
    await client.getPrompt({ name: 'their_prompt' }),
    await client.readResource({ uri: 'test://kept' }),
    await client.readResource({ uri: 'ui://elsewhere/x.html' }),
    ...(await Promise.all(resources.map(({ uri }) => client.readResource({ uri })))),
    ...(await Promise.all(['own_tool', 'elsewhere_tool', 'run_status', 'crawl'].map(call))),
  ];
}

describe.each(MODES)('in the mode $name', (mode) => {
  beforeEach(async () => {
    server = await startMemoryServer(
      { mode: mode.name, tools: ['default', 'own_tool', 'elsewhere_tool'] },
      {
        ...testTools({ own_tool: own }),
        providers: [upstream],
        widgets: { read: async () => '<!doctype html>' },
        offers,
      },
    );
  });

  it('no key and no widget of another mode is sent, regardless of its author', async () => {
    const { widgets } = mode;
    const allowed = (key: string): boolean =>
      key.startsWith('io.modelcontextprotocol/') ||
      (widgets?.metaKeys ?? []).some((each) => (each.endsWith('/') ? key.startsWith(each) : key === each));
    const found = (await answersOf(server)).map(leavesOf);
    expect(found.flatMap(({ metaKeys }) => metaKeys).filter((key) => !allowed(key))).toEqual([]);
    expect(new Set(found.flatMap(({ uris }) => uris))).toEqual(
      new Set(widgets?.names.map((name) => widgets.uri(name))),
    );
    const widgetTypes = found.flatMap(({ types }) => types).filter((type) => WIDGET_TYPES.has(type));
    expect(new Set(widgetTypes)).toEqual(new Set(widgets === null ? [] : [widgets.mimeType]));
  });

  it('what is public stays: the blocks, and the keys of the protocol', async () => {
    const answer = await server.client.callTool({ name: 'elsewhere_tool', arguments: {} });
    const blocks = answer.content as { type: string; _meta?: Record<string, unknown> }[];
    expect(blocks).toHaveLength(BLOCKS.length);
    expect(blocks[0]).toMatchObject({ type: 'text', text: 'kept' });
    expect(blocks[1]).toMatchObject({ type: 'resource', resource: { uri: 'test://kept', text: 'kept' } });
    expect(answer._meta).toHaveProperty(['io.modelcontextprotocol/related']);
    expect(blocks[0]?._meta).toHaveProperty(['io.modelcontextprotocol/related']);
    // In no mode can another server decide how a host shows it.
    expect([...new Set(leavesOf(answer).metaKeys)]).toEqual(['io.modelcontextprotocol/related']);
    expect((await server.call('own_tool')).json()).toEqual([{ _meta: FOREIGN }]);
  });

  it('a widget is listed and read in a mode that names it, and in no other', async () => {
    const { widgets } = mode;
    const { resources } = await server.client.listResources();
    const own = widgets?.names.map((name) => widgets.uri(name)) ?? [];
    expect(resources.map(({ uri }) => uri).filter((uri) => ALL_WIDGETS.has(uri))).toEqual(own);
    for (const uri of ALL_WIDGETS)
      if (!own.includes(uri))
        await expect(server.client.readResource({ uri })).rejects.toMatchObject({ code: -32_002 });
    for (const name of widgets?.names ?? []) {
      const widget = {
        uri: widgets?.uri(name),
        mimeType: widgets?.mimeType,
        _meta: widgets?.resourceMeta(name),
      };
      expect(resources.find(({ uri }) => uri === widget.uri)).toMatchObject(widget);
      const { contents } = await server.client.readResource({ uri: String(widget.uri) });
      expect(contents).toEqual([{ ...widget, text: '<!doctype html>' }]);
    }
  });
});
