import { startWidget } from '../common/start.tsx';
import { PAGE_RENDERS } from '../../read/panel/view.tsx';

/** A page that was read. */
startWidget('page', PAGE_RENDERS);
