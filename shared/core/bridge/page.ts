import { z } from 'zod';
import { CONTENT_KINDS } from '../../base/content-kinds.ts';

/** Units of an address and a title, where many tabs are shown. */
export const TAB_SHOWN = { url: 300, title: 120 };

/** A tab as the worker sees it. Its number becomes `b1:42` in the server. */
export const TabInfo = z.object({
  id: z.int(),
  window_id: z.int(),
  url: z.string(),
  title: z.string(),
  active: z.boolean(),
  status: z.enum(['loading', 'complete', 'unloaded']),
  discarded: z.boolean(),
  /** The name of its container, in Firefox. */
  container: z.string().max(100).optional(),
});
export type TabInfo = z.infer<typeof TabInfo>;

/** Unread content and the reason: becomes a coverage note. */
export const Coverage = z.object({
  /** `closed_frame`, `frame_loading`, `still_changing`, `background_tab`, `page_may_have_changed`, `no_main_content`, … */
  kind: z.string().max(64),
  detail: z.string().max(500),
});
export type Coverage = z.infer<typeof Coverage>;

/** Facts about an article, or a page of another kind, that the page states. */
export const ArticleFacts = z.object({
  /** Unless it is an article. */
  kind: z.enum(CONTENT_KINDS).optional(),
  title: z.string().optional(),
  /** Only names, separated by commas. */
  byline: z.string().optional(),
  /** In the page's form: ISO 8601 if it has a machine-readable one. */
  published: z.string().optional(),
  site: z.string().optional(),
});
export type ArticleFacts = z.infer<typeof ArticleFacts>;

/** Facts about the page. */
export const PageFacts = z.object({
  url: z.string(),
  title: z.string(),
  lang: z.string().nullable(),
  content_type: z.string(),
  ready_state: z.enum(['loading', 'interactive', 'complete']),
  frames: z.int().min(1),
  /** With `main_content_only`, if main content was found. */
  article: ArticleFacts.optional(),
});
export type PageFacts = z.infer<typeof PageFacts>;
