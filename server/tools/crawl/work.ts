import type { RunWorker } from '../../core/runs.ts';
import type { Bridge, Clock } from '../../core/services.ts';
import { browserLine, browserSource, startsOf } from '../../toolkit/crawl-source.ts';
import { CrawlArgs } from './address.ts';
import { Crawl } from './crawl.ts';
import { expectToCrawl, AddressGuard } from '../../toolkit/redirects.ts';

/** The work of the runs of `crawl`. */
export function createWorker({
  bridge,
  clock,
}: {
  readonly bridge: Bridge;
  readonly clock: Clock;
}): RunWorker {
  return {
    async admit(stored, by) {
      const args = CrawlArgs.parse(stored);
      const line = browserLine({ bridge, instance: args.instance });
      await expectToCrawl(bridge, await line.browser(by.signal), startsOf(args), by);
    },
    run(stored, scope) {
      const args = CrawlArgs.parse(stored);
      const { render, format, main_content_only: mainContentOnly, instance } = args;
      const guard = new AddressGuard(startsOf(args));
      const line = browserLine({ bridge, instance, onLost: (event) => scope.log(event, {}) });
      const source = browserSource({
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
