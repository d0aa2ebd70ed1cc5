import { SpillwayError } from '../../../shared/errors.ts';
import type { Handlers, WorkerServices } from '../../background/handler.ts';

const notYet = (method: string): Promise<never> =>
  Promise.reject(new SpillwayError('api_not_found', `This extension does not serve ${method} yet.`));

/** The methods of `network`. */
export function createNetworkHandlers(
  _services: WorkerServices,
): Pick<Handlers, 'network.capture' | 'network.ready' | 'network.mark' | 'network.stop'> {
  return {
    'network.capture': () => notYet('network.capture'),
    'network.ready': () => notYet('network.ready'),
    'network.mark': () => notYet('network.mark'),
    'network.stop': () => notYet('network.stop'),
  };
}
