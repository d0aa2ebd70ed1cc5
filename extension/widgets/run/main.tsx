import { startWidget } from '../common/start.tsx';
import { Crawl } from '../../crawl/panel/face.tsx';
import { RUN_RENDERS } from '../../runs/panel/view.ts';

/** A run from its start to its last page. */
startWidget('run', { crawl: Crawl, ...RUN_RENDERS });
