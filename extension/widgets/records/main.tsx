import { startWidget } from '../common/start.tsx';
import { Records } from '../../extract/panel/face.tsx';
import { Network } from '../../network/panel/face.tsx';
import { RUN_RENDERS } from '../../runs/panel/view.ts';

/** Records of a page, a stored output or the network, and the run that collects them. */
startWidget('records', {
  extract_data: Records,
  network: Network,
  ...RUN_RENDERS,
});
