import { z } from 'zod';
import { tabField } from '../fields.ts';
import { defineTool } from '../manifest.ts';
import { EvidencePart } from './parts.ts';

export const ocEvidenceBundle = defineTool({
  name: 'oc_evidence_bundle',
  title: 'Evidence bundle',
  category: 'capture',
  tier: 2,
  order: 70,
  risk: 'reads_page',
  description: {
    does: 'Captures the current page in one tar.gz with hashes.',
    use: 'Use it with output_mode "handle" as proof.',
    avoid: 'Not for reading: use read_page.',
  },
  keywords: 'proof archive preserve mhtml legal forensic record',
  input: z.strictObject({
    tab: tabField.optional(),
    include: z.array(EvidencePart).min(1).optional().describe('Parts; default all'),
    reload: z.boolean().default(false).describe('Reload first'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  spills: true,
  tasks: 'optional',
  faces: { extension: true },
});

export const manifests = [ocEvidenceBundle] as const;
