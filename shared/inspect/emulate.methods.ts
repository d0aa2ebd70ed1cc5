import { z } from 'zod';
import { textField } from '../core/tools/manifest.ts';
import { Caller } from '../core/policy/call-facts.ts';

/** Emulated properties; each member is independent. */
export const Emulated = z.strictObject({
  viewport: z
    .strictObject({
      width: z.int().min(1).max(10_000),
      height: z.int().min(1).max(10_000),
      scale: z.number().min(0.1).max(10).default(1),
      mobile: z.boolean().default(false),
    })
    .describe('In CSS pixels; scale: screen pixels for each'),
  touch: z.boolean().describe('A touch screen'),
  color_scheme: z.enum(['dark', 'light']).describe('What the person prefers'),
  reduced_motion: z.boolean().describe('The person prefers less motion'),
  reduced_data: z.boolean().describe('The person saves data: saveData and Save-Data'),
  contrast: z.enum(['more', 'less', 'no_preference']).describe('What the person prefers'),
  forced_colors: z.boolean().describe('The system limits pages to a few colours, as in high contrast'),
  print: z.boolean().describe('Styles for print'),
  locale: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,4}$/, 'takes a locale such as de-CH')
    .describe('de-CH; of dates and of what requests ask for'),
  timezone: z.string().min(1).max(100).describe('Europe/Zurich'),
  geolocation: z
    .strictObject({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      accuracy: z.number().min(0).max(1e6).default(10).describe('In metres'),
    })
    .describe('Where the device is'),
  user_agent: z.string().min(1).max(1_000).describe('What the browser calls itself'),
  network: z
    .enum(['online', 'offline', 'slow_3g', 'fast_3g', 'slow_4g'])
    .describe('How fast it is; online ends this'),
  script: textField(20_000).describe(
    "Runs before the page's own, in all documents of its origin in the tab; a person is asked. The answer has that origin",
  ),
  proxy: z
    .string()
    .regex(
      /^(?:https?|socks[45]):\/\/[\w.-]{1,253}:\d{1,5}$/,
      'takes http, https, socks4 or socks5, a host and a port, such as http://proxy.example:3128',
    )
    .describe('http://proxy.example:3128; Firefox only; a person is asked'),
  cpu_slowdown: z.number().min(1).max(100).describe('4: four times as slow'),
});
export type Emulated = z.infer<typeof Emulated>;

export const methods = {
  /** Adds to a session's emulation in a tab, and returns all of it. */
  'tab.emulate': {
    policy: { judged: 'tab', risks: ['navigate'] },
    params: z.object({
      tab_id: z.int(),
      caller: Caller,
      /** Ends earlier emulation first. */
      reset: z.boolean(),
      set: Emulated.partial(),
    }),
    result: z.object({ emulates: Emulated.partial() }),
  },
} as const;
