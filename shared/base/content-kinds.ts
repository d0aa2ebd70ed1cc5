/** Kinds of page. */
export const CONTENT_KINDS = [
  'article',
  'collection',
  'documentation',
  'forum',
  'listing',
  'product',
  'service',
] as const;
export type ContentKind = (typeof CONTENT_KINDS)[number];
