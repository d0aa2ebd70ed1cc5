import { SpillwayError } from '../../../shared/errors.ts';
import type { ToolRuntime } from '../../core/runtime.ts';
import type { Bridge } from '../../core/services.ts';

/** `extract_data` is not served yet. */
export function createExtractData(_services: { readonly bridge: Bridge }): ToolRuntime {
  return {
    run: () => Promise.reject(new SpillwayError('api_not_found', 'extract_data is not served yet.')),
  };
}
