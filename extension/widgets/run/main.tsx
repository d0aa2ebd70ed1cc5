import { startWidget } from '../common/start.tsx';
import { Crawl } from '../../panel/tools/own/crawl.tsx';
import { rendersOf } from '../../panel/tools/blocks.tsx';
import { RUN_VIEWS } from '../../panel/tools/views/runs.ts';

/** A run from its start to its last page. */
startWidget('run', { crawl: Crawl, ...rendersOf(RUN_VIEWS) });
