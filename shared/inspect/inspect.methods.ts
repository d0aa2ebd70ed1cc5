import { z } from 'zod';
import { READS_PAGE } from '../core/policy/risks.ts';
import { Caller } from '../core/policy/call-facts.ts';

/** A place in what the page loaded: lines and columns begin at 1. */
export const CodePlace = z.object({
  /** Empty for a style sheet that a script made. */
  url: z.string(),
  line: z.int().min(1),
  column: z.int().min(1),
  /** Of its source map, if only the browser knows it. */
  map_url: z.string().optional(),
});
export type CodePlace = z.infer<typeof CodePlace>;

export const Component = z.object({
  framework: z.string(),
  name: z.string().nullable(),
  /** As its compiler wrote it into the page. */
  file: z.string().nullable(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  /** Whether `file` or `place` is where the component begins, not where it writes the one before. */
  is_definition: z.boolean(),
  place: CodePlace.nullable(),
});
export type Component = z.infer<typeof Component>;

export const StyleRule = z.object({
  selector: z.string(),
  /** `@media (width > 600px)`, from the outermost. */
  conditions: z.array(z.string()),
  /** 1 for the parent; null for the element's own. */
  inherited: z.int().nullable(),
  file: z.string().nullable(),
  place: CodePlace.nullable(),
  declares: z.array(z.string()),
  /** Those that a stronger rule replaces. */
  overridden: z.array(z.string()),
});
export type StyleRule = z.infer<typeof StyleRule>;

export const methods = {
  /** The components that drew an element, the CSS rules that match it, the strongest first, and computed values. */
  'page.inspect': {
    policy: READS_PAGE,
    params: z.object({
      tab_id: z.int(),
      caller: Caller,
      ref: z.string(),
      styles: z.boolean(),
      computed: z.array(z.string()),
    }),
    result: z.object({
      /** Of the element's document. */
      url: z.string(),
      components: z.array(Component),
      rules: z.array(StyleRule),
      computed: z.record(z.string(), z.string()),
      /** Rules that did not fit. */
      left_out: z.int().min(0),
    }),
  },
} as const;
