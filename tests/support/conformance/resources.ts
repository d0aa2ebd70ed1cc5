import type { Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import type { AdapterResource } from '../../../server/adapters/mcp/session.ts';
import { PNG } from './tools.ts';

type Body = { readonly text: string } | { readonly blob: string };

const fixed = (uri: string, mimeType: string, body: Body): AdapterResource => {
  const resource: Resource = { uri, name: uri, mimeType };
  return {
    resource,
    matches: (asked) => asked === uri,
    read: async () => [{ uri, mimeType, ...body }],
  };
};

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;
const template: ResourceTemplate = {
  uriTemplate: 'test://template/{id}/data',
  name: 'Template',
  mimeType: 'application/json',
};

/** The suite's fixed resources. */
export const ownResources: readonly AdapterResource[] = [
  fixed('test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' }),
  fixed('test://static-binary', 'image/png', { blob: PNG }),
  {
    ...fixed('test://watched-resource', 'text/plain', { text: 'Watched.' }),
    // The suite asks for a subscription and its end, and for no update in between.
    onUpdate: () => () => undefined,
  },
  {
    template,
    matches: (uri) => TEMPLATE.test(uri),
    read: async (uri) => {
      const [, id = ''] = TEMPLATE.exec(uri) ?? [];
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return [{ uri, mimeType: 'application/json', text }];
    },
  },
];
