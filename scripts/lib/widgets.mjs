import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The widgets there are: folders of `server/widgets` with a `main.tsx`.
 * @param {string} root of the checkout
 */
export const widgetNames = (root) => {
  const room = join(root, 'server/widgets');
  return readdirSync(room).filter((name) => existsSync(join(room, name, 'main.tsx')));
};
