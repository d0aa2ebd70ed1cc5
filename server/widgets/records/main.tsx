import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { RecordsResult } from '../common/view/records-result.tsx';

/** Records: of a page, of a stored output, of the network. */
startWidget('records', RecordsResult);
