import type { UpstreamOffers } from '../../../server/core/upstreams.ts';
import { offered } from '../offers.ts';
import { PNG } from './tools.ts';

const FIXED: readonly { readonly uri: string; readonly mimeType: string; readonly [body: string]: string }[] =
  [
    {
      uri: 'test://static-text',
      mimeType: 'text/plain',
      text: 'This is the content of the static text resource.',
    },
    { uri: 'test://static-binary', mimeType: 'image/png', blob: PNG },
    { uri: 'test://watched-resource', mimeType: 'text/plain', text: 'Watched.' },
  ];
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

/** The suite's fixed resources. */
export const resources: Pick<UpstreamOffers, 'resources' | 'templates' | 'read' | 'follow'> = {
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
