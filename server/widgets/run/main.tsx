import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { AnyResult } from '../common/view/result.tsx';

/** A run from its start to its last page. */
startWidget('run', AnyResult);
