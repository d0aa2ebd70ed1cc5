import { startWidget } from '../common/start.tsx';
import { rendersOf } from '../../ui/faces/blocks.tsx';
import { PAGE_VIEWS } from '../../read/panel/view.tsx';

/** A page that was read. */
startWidget('page', rendersOf(PAGE_VIEWS));
