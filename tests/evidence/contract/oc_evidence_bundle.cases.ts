import { TAB, ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('oc_evidence_bundle', 'packs into bytes', { tab: TAB, include: ['markdown'] }),
  ok('oc_evidence_bundle', 'packs into a handle', {
    tab: TAB,
    include: ['screenshot', 'console'],
    output_mode: 'handle',
  }),
];
