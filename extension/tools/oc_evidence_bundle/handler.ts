import { SpillwayError } from '../../../shared/errors.ts';
import type { Handlers, WorkerServices } from '../../background/handler.ts';

const notYet = (method: string): Promise<never> =>
  Promise.reject(new SpillwayError('api_not_found', `This extension does not serve ${method} yet.`));

/** The methods of `oc_evidence_bundle`. */
export function createEvidenceHandlers(
  _services: WorkerServices,
): Pick<Handlers, 'page.mhtml' | 'page.facts'> {
  return {
    'page.mhtml': () => notYet('page.mhtml'),
    'page.facts': () => notYet('page.facts'),
  };
}
