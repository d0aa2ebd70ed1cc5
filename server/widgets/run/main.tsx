import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { faces as crawls } from '../../../extension/panel/tools/crawl/render.tsx';
import { faces as runs } from '../../../extension/panel/tools/runs/render.tsx';

/** A run from its start to its last page. */
startWidget('run', { ...crawls, ...runs });
