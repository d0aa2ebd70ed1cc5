import * as z from 'zod/mini';
import type { ArticleFacts } from '../../shared/core/bridge/page.ts';
import { CONTENT_KINDS } from '../../shared/base/content-kinds.ts';

/** Facts of an article, sent by a content script or the offscreen document. */
export const Article = z.object({
  kind: z.optional(z.enum(CONTENT_KINDS)),
  title: z.optional(z.string()),
  byline: z.optional(z.string()),
  published: z.optional(z.string()),
  site: z.optional(z.string()),
}) satisfies z.ZodMiniType<ArticleFacts>;
