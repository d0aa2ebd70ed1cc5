import { startWidget } from '../common/start.tsx';
import { rendersOf } from '../../panel/tools/blocks.tsx';
import { PAGE_VIEWS } from '../../panel/tools/views/page.tsx';

/** A page that was read. */
startWidget('page', rendersOf(PAGE_VIEWS));
