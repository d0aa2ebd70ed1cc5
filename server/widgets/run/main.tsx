import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { Crawl } from '../../../extension/panel/tools/own/crawl.tsx';
import { RUN_RENDERS } from '../../../extension/panel/tools/own/runs.tsx';

/** A run from its start to its last page. */
startWidget('run', { crawl: Crawl, ...RUN_RENDERS });
