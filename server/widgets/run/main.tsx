import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { Crawl } from '../../../extension/panel/tools/own/crawl.tsx';
import { rendersOf, RUN_APIS } from '../../../extension/panel/tools/renders.ts';

/** A run from its start to its last page. */
startWidget('run', { crawl: Crawl, ...rendersOf(...RUN_APIS) });
