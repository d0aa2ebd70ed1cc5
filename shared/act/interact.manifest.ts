import { z } from 'zod';
import { risksOfInteract, stepLines } from '../core/policy/call-risks.ts';
import { plainStep } from './parse-step.ts';
import { isObject } from '../base/json.ts';
import { jsonIn } from '../base/json-schema.ts';
import { FieldValue, STEPS_MAX } from './steps.ts';
import { textField, tabField, obvious, pageState, defineTool } from '../core/tools/manifest.ts';
import { Show } from './interact.methods.ts';

/** In a list's form, with a third of the tokens: the runtime parses a step by its own schema. */
const StepInput = z.union([
  // No line begins with a brace: this one is an object as JSON text.
  textField(100_000).transform((line) => (line.startsWith('{') ? stepIn(line) : line)),
  z.looseObject({}).describe('{do, target, value, to}').transform(plainStep),
]);

const stepIn = (text: string) => {
  const step = jsonIn(text);
  return isObject(step) ? plainStep(step) : text;
};

export const interact = defineTool({
  name: 'interact',
  title: 'Interact',
  category: 'act',
  tier: 2,
  order: 40,
  risk: 'acts_on_page',
  risksOf: risksOfInteract,
  stepsOf: stepLines,
  does: 'Fills fields and runs steps: click, double_click, right_click, tap, hover, fill, type, press, select, check, uncheck, drag, scroll, wheel, pinch, upload, focus, clear, submit, wait.',
  use: 'Steps are lines: "click e6", "fill e4 text", "select label=Country France", "press ControlOrMeta+A". Targets: a ref, css=, text=, role=button[name="Save"], label=, placeholder=, testid=, xpath=. Alone: "dialog accept", "dialog dismiss".',
  avoid: 'Returns what changed: do not read the page again.',
  keywords:
    'click type into a field press a button form input fill submit select drag scroll hover upload keyboard mouse act',
  input: z.strictObject({
    tab: tabField.optional(),
    fields: z.record(textField(2_000), FieldValue).optional().describe('{label: value}'),
    steps: z.array(StepInput).max(STEPS_MAX).optional().meta(obvious('Lines, or objects')),
    show: Show.default('diff').meta(obvious('What the receipt shows of the page')),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  shown: {
    state: z.object({
      ...pageState,
      did: z.array(z.object({ step: z.string(), note: z.string().nullable() })),
    }),
  },
  faces: { panel: ['Inspector', 'Render', 'Intervention'] },
  systemRole: 'Act on a page with interact.',
});

export const manifests = [interact] as const;
