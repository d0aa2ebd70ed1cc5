import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { Records } from '../../../extension/panel/tools/own/extract-data.tsx';
import { Network } from '../../../extension/panel/tools/own/network.tsx';
import { Fetched } from '../../../extension/panel/tools/own/output-page.tsx';
import { RUN_RENDERS } from '../../../extension/panel/tools/own/runs.tsx';

/** Records: of a page, of a stored output, of the network; and the run that looks for them. */
startWidget('records', { extract_data: Records, network: Network, oc_output_fetch: Fetched, ...RUN_RENDERS });
