import { EXTENSION_ID } from '../../shared/core/bridge/wire.ts';

/** Opens the panel's page in a window of its own. */
export async function createPanel(pipe) {
  const url = `chrome-extension://${EXTENSION_ID}/ui/frame/panel.html`;
  const window = { width: 380, height: 900, newWindow: true };
  const { targetId } = await pipe.send('Target.createTarget', { url, ...window });
  return { targetId, session: await pipe.attachTo(targetId) };
}
