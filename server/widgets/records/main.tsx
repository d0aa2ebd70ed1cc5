import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { faces as records } from '../../../extension/panel/tools/extract_data/render.tsx';
import { faces as requests } from '../../../extension/panel/tools/network/render.tsx';
import { faces as stored } from '../../../extension/panel/tools/oc_output_fetch/render.tsx';
import { faces as runs } from '../../../extension/panel/tools/runs/render.tsx';

/** Records: of a page, of a stored output, of the network; and the run that looks for them. */
startWidget('records', { ...records, ...requests, ...stored, ...runs });
