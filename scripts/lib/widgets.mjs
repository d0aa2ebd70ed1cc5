import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The widgets there are: folders of `extension/widgets` with a `main.tsx`.
 * @param {string} root of the checkout
 */
export const widgetNames = (root) => {
  const room = join(root, 'extension/widgets');
  return readdirSync(room).filter((name) => existsSync(join(room, name, 'main.tsx')));
};
