import { ok, type ToolCase, type OutputCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [ok('oc_connection_health', 'describes the browsers', {})];
export const outputCases: readonly OutputCase[] = [{ tool: 'oc_connection_health', has: 'browsers' }];
