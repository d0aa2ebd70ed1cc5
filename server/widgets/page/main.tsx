import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { faces as page } from '../../../extension/panel/tools/read_page/render.tsx';

/** A page as it was read. */
startWidget('page', { ...page });
