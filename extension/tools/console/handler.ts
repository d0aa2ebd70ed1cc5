import { SpillwayError } from '../../../shared/errors.ts';
import type { Handlers, WorkerServices } from '../../background/handler.ts';

const notYet = (method: string): Promise<never> =>
  Promise.reject(new SpillwayError('api_not_found', `This extension does not serve ${method} yet.`));

/** The methods of `console`. */
export function createConsoleHandlers(_services: WorkerServices): Pick<Handlers, 'page.console'> {
  return {
    'page.console': () => notYet('page.console'),
  };
}
