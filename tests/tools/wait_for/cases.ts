import { ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [ok('wait_for', 'waits', { tab: 'b1:1', text: 'sails' })];
