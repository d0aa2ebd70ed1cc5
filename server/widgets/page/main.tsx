import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { rendersOf } from '../../../extension/panel/tools/renders.ts';

/** A page as it was read. */
startWidget('page', rendersOf('read_page'));
