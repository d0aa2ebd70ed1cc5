import { SpillwayError } from '../../../shared/errors.ts';
import type { Handlers, WorkerServices } from '../../background/handler.ts';

const notYet = (method: string): Promise<never> =>
  Promise.reject(new SpillwayError('api_not_found', `This extension does not serve ${method} yet.`));

/** The methods of `extract_data`. */
export function createExtractHandlers(_services: WorkerServices): Pick<Handlers, 'page.extract'> {
  return {
    'page.extract': () => notYet('page.extract'),
  };
}
