import { join } from 'node:path';
import { HomeDatabase } from '../../server/core/home/database.ts';

/* A process that writes to one new home after another: `FOLDER HOMES`. Others do the same at the same time. */

const [folder = '', homes = '0'] = process.argv.slice(2);
for (let home = 0; home < Number(homes); home += 1) {
  const database = new HomeDatabase(join(folder, String(home)));
  database.write(() => undefined);
  database.close();
}
