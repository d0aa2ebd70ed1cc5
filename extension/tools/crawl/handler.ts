import { SpillwayError } from '../../../shared/errors.ts';
import type { Handlers, WorkerServices } from '../../background/handler.ts';

const notYet = (method: string): Promise<never> =>
  Promise.reject(new SpillwayError('api_not_found', `This extension does not serve ${method} yet.`));

/** The methods of `crawl`. */
export function createCrawlHandlers(
  _services: WorkerServices,
): Pick<Handlers, 'crawl.page' | 'crawl.resource' | 'crawl.release'> {
  return {
    'crawl.page': () => notYet('crawl.page'),
    'crawl.resource': () => notYet('crawl.resource'),
    'crawl.release': () => notYet('crawl.release'),
  };
}
