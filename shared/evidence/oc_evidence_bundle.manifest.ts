import { z } from 'zod';
import type { Risk } from '../core/policy/risks.ts';
import { tabField, obvious, defineTool } from '../core/tools/manifest.ts';

export const EvidencePart = z.enum([
  'screenshot',
  'full_page',
  'mhtml',
  'html',
  'markdown',
  'snapshot',
  'network',
  'console',
  'cookies',
  'storage',
  'performance',
  'facts',
]);
export type EvidencePart = z.infer<typeof EvidencePart>;

const FailedPart = z.object({ part: z.string(), code: z.string(), message: z.string().optional() });

const label = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !/\p{Cc}/u.test(text), 'takes one line');

const EVIDENCE: readonly Risk[] = ['read'];
const EVIDENCE_OF_RELOAD: readonly Risk[] = [...EVIDENCE, 'navigate', 'capture_network'];

export const ocEvidenceBundle = defineTool({
  name: 'oc_evidence_bundle',
  title: 'Evidence bundle',
  category: 'capture',
  tier: 2,
  order: 70,
  risk: 'reads_page',
  risksOf: ({ reload }) =>
    (reload === true ? EVIDENCE_OF_RELOAD : EVIDENCE).map((risk) => ({ risk, step: null })),
  does: 'Captures a page in one archive with hashes.',
  use: 'Use output_mode handle for proof.',
  avoid: 'Not for reading.',
  keywords: 'proof archive preserve mhtml legal forensic record',
  input: z.strictObject({
    tab: tabField.optional(),
    include: z.array(EvidencePart).min(1).optional().describe('Such as mhtml, network, cookies; default all'),
    reload: z.boolean().optional().meta(obvious('Reload first')),
    captured_by: label.optional().meta(obvious('Who captures')),
    case_reference: label.optional().meta(obvious('Case id')),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  shown: {
    value: z.object({
      url: z.string(),
      created_at: z.string(),
      captured_by: z.string().nullable(),
      case_reference: z.string().nullable(),
      parts: z.array(
        z.object({
          name: z.string(),
          type: z.string(),
          size_bytes: z.int(),
          sha256: z.string(),
          redacted: z.object({ secrets: z.record(z.string(), z.int()) }).nullable(),
          notes: z.array(z.string()),
        }),
      ),
      failed: z.array(FailedPart),
      parts_sha256: z.string(),
    }),
    state: z.object({
      url: z.string(),
      parts: z.array(z.string()),
      failed: z.array(FailedPart),
      parts_sha256: z.string(),
      archive_sha256: z.string().nullable(),
      timestamp: z.object({ time: z.string().optional() }).nullable(),
    }),
  },
  spills: true,
  tasks: 'optional',
});

export const manifests = [ocEvidenceBundle] as const;
