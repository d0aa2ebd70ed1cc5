import { SpillwayError } from '../../../shared/errors.ts';
import type { ToolRuntime } from '../../core/runtime.ts';
import type { Bridge } from '../../core/services.ts';

/** `oc_evidence_bundle` is not served yet. */
export function createEvidenceBundle(_services: { readonly bridge: Bridge }): ToolRuntime {
  return {
    run: () => Promise.reject(new SpillwayError('api_not_found', 'oc_evidence_bundle is not served yet.')),
  };
}
