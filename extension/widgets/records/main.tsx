import { startWidget } from '../common/start.tsx';
import { Records } from '../../panel/tools/own/extract-data.tsx';
import { Network } from '../../panel/tools/own/network.tsx';
import { rendersOf } from '../../panel/tools/blocks.tsx';
import { RUN_VIEWS } from '../../panel/tools/views/runs.ts';

/** Records of a page, a stored output or the network, and the run that collects them. */
startWidget('records', {
  extract_data: Records,
  network: Network,
  ...rendersOf(RUN_VIEWS),
});
