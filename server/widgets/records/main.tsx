import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { Records } from '../../../extension/panel/tools/own/extract-data.tsx';
import { Network } from '../../../extension/panel/tools/own/network.tsx';
import { rendersOf, RUN_APIS } from '../../../extension/panel/tools/renders.ts';

/** Records: of a page, of a stored output, of the network; and the run that looks for them. */
startWidget('records', {
  extract_data: Records,
  network: Network,
  ...rendersOf('oc_output_fetch', ...RUN_APIS),
});
