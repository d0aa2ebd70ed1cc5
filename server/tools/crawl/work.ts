import type { RunWorker } from '../../core/runs.ts';
import type { Bridge, Clock } from '../../core/services.ts';
import { CrawlArgs } from './args.ts';
import { BrowserLine } from './browser-line.ts';
import { Crawl } from './crawl.ts';
import { BrowserSource } from './source.ts';
import { AddressGuard } from '../../toolkit/redirects.ts';

/** The work of the runs of `crawl`. */
export function createWorker({
  bridge,
  clock,
}: {
  readonly bridge: Bridge;
  readonly clock: Clock;
}): RunWorker {
  return {
    run(stored, scope) {
      const args = CrawlArgs.parse(stored);
      const { render, format, main_content_only: mainContentOnly, instance } = args;
      const starts = [args.url, ...(args.urls ?? []), args.sitemap].filter((start) => start !== undefined);
      const guard = new AddressGuard(starts);
      const line = new BrowserLine({ bridge, instance, onLost: (event) => scope.log(event, {}) });
      const source = new BrowserSource({
        bridge,
        line,
        crawl: scope.runId,
        call: scope.call,
        render,
        format,
        mainContentOnly,
        guard,
      });
      return new Crawl({ args, scope, source, clock, random: Math.random }).run();
    },
  };
}
