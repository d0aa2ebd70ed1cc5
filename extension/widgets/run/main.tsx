import { startWidget } from '../common/start.tsx';
import { Crawl } from '../../crawl/panel/face.tsx';
import { rendersOf } from '../../ui/faces/blocks.tsx';
import { RUN_VIEWS } from '../../runs/panel/view.ts';

/** A run from its start to its last page. */
startWidget('run', { crawl: Crawl, ...rendersOf(RUN_VIEWS) });
