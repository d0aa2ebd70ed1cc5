import { z } from 'zod';
import { obvious, RunAnswerFields, runField, defineTool, textField } from '../core/tools/manifest.ts';
import { RunFields, RunListFields, RunLogFields, RunPageFields, statusField } from './output.ts';

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Part of the texts of every tool for runs. */
const common = {
  identifier: 'runs',
  category: 'runs',
  risk: 'none',
  faces: { panel: ['Inspector', 'Render', 'Streaming'] },
} as const;

export const runStatus = defineTool({
  ...common,
  name: 'run_status',
  title: 'Run status',
  tier: 2,
  order: 110,
  does: "Shows a run's progress.",
  use: 'Use it to follow a run.',
  avoid: 'Not for its items: use run_output.',
  keywords: 'progress how far is the crawl or extraction',
  input: z.strictObject({ run_id: runField }),
  output: RunFields,
  shown: { state: RunFields },
  annotations: READS,
});

export const runOutput = defineTool({
  ...common,
  name: 'run_output',
  title: 'Run output',
  tier: 2,
  order: 120,
  does: 'Reads the items of a run, even while it is running.',
  use: 'Follow next_offset.',
  avoid: 'Not for handles.',
  keywords: 'items results of a crawl or extraction',
  input: z.strictObject({
    run_id: runField,
    offset: z.int().min(0).optional().meta(obvious('First item')),
    limit: z.int().min(1).optional().describe('Item limit (200)'),
  }),
  output: RunPageFields,
  shown: { value: RunPageFields.extend({ status: statusField }) },
  annotations: READS,
  needs: ['oc_output_fetch'],
  systemRole: 'A long call returns a run_id: read its items with run_output, even while it is running.',
});

export const runCancel = defineTool({
  ...common,
  name: 'run_cancel',
  title: 'Cancel run',
  order: 140,
  does: 'Cancels a run; its items stay readable.',
  use: 'Use it for a run that is no longer needed.',
  avoid: 'Not for a pending call: cancel that call.',
  keywords: 'stop abort end kill halt a crawl or extraction',
  input: z.strictObject({ run_id: runField }),
  output: RunFields,
  shown: { state: RunFields },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  flags: { runtimeManaged: 'has_run', unbudgeted: true },
});

export const runResume = defineTool({
  ...common,
  name: 'run_resume',
  title: 'Resume run',
  order: 150,
  does: 'Resumes an interrupted, cancelled or failed run.',
  use: 'No work is lost or repeated.',
  avoid: 'Not for a completed run.',
  keywords: 'continue restart retry a crawl, extraction or program',
  input: z.strictObject({
    run_id: runField,
    outcome: z.enum(['retry', 'skip']).optional().describe('Failed call of a program: repeat or skip it'),
    result: z.unknown().optional().describe('With skip: answer in its place'),
    async: z.boolean().optional().describe('Return the run_id immediately'),
  }),
  output: RunAnswerFields,
  shown: { value: RunFields, state: RunFields },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  runs: true,
  flags: { runtimeManaged: 'has_run' },
});

export const runList = defineTool({
  ...common,
  name: 'run_list',
  title: 'List runs',
  order: 160,
  does: 'Lists runs, newest first.',
  use: 'Use it to find a run again.',
  avoid: 'Not for its items: use run_output.',
  keywords: 'my crawls extractions earlier',
  input: z.strictObject({
    status: statusField.optional().describe('Only this status'),
    count: z.int().min(1).max(100).default(20).describe('Run limit'),
  }),
  output: RunListFields,
  annotations: READS,
});

export const runLog = defineTool({
  ...common,
  name: 'run_log',
  title: 'Run log',
  order: 170,
  does: "Shows the last lines of a run's log.",
  use: 'Use it to see why pages failed.',
  avoid: 'Not for its items: use run_output.',
  keywords: 'crawl errors failed pages debug',
  input: z.strictObject({
    run_id: runField,
    count: z.int().min(1).max(500).default(50).describe('Line limit'),
    since: textField(64).optional().describe('ISO time or age: 15m, 2h, 1d'),
  }),
  output: RunLogFields,
  annotations: READS,
});

export const manifests = [runStatus, runOutput, runCancel, runResume, runList, runLog] as const;
