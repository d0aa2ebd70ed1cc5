import { SpillwayError } from '../../../shared/errors.ts';
import type { ToolRuntime } from '../../core/runtime.ts';
import type { Bridge } from '../../core/services.ts';

/** `crawl` is not served yet. */
export function createCrawl(_services: { readonly bridge: Bridge }): ToolRuntime {
  return {
    run: () => Promise.reject(new SpillwayError('api_not_found', 'crawl is not served yet.')),
  };
}
