import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { PageResult } from '../common/view/page-result.tsx';

/** A page as it was read. */
startWidget('page', PageResult);
