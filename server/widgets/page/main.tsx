import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { PageRead } from '../../../extension/panel/tools/own/page.tsx';

/** A page as it was read. */
startWidget('page', { read_page: PageRead });
