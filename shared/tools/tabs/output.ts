import { z } from 'zod';

const flag = z.literal(true).optional();

/** The open tabs, or what became of one. */
export const TabsFields = z.looseObject({
  tabs: z
    .array(
      z.looseObject({
        tab: z.string(),
        url: z.string(),
        title: z.string(),
        active: flag,
        current: flag,
        discarded: flag,
        loading: flag,
      }),
    )
    .optional(),
  /** Where there are several, or a person has named one. */
  browsers: z
    .array(z.object({ browser: z.string(), name: z.string(), label: z.string().optional() }))
    .optional(),
  opened: z.string().optional(),
  closed: z.string().optional(),
  activated: z.string().optional(),
  url: z.string().optional(),
  title: z.string().optional(),
});
