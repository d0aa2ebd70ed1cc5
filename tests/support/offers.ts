import { Lineage, type UpstreamOffers } from '../../server/core/upstreams.ts';

/** Resources and prompts of another server; omitted members are empty. */
export const testOffers = (offers: Partial<UpstreamOffers>): UpstreamOffers => ({
  lineage: new Lineage({ id: 'test', home: 'home', isVisitor: false }),
  resources: () => [],
  templates: () => [],
  prompts: () => [],
  read: async () => null,
  follow: async () => null,
  prompt: async () => null,
  complete: async () => null,
  onChange: () => () => undefined,
  ...offers,
});

export const offered = (answer: object) => ({ answer: answer as never, untrustedFrom: null });
