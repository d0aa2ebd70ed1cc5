/* Run manually (`npx tsx tests/read/e2e/update-goldens.ts`) after an intended change; review the diff. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { serveFixtures } from '../../../fixtures/serve.ts';
import { CASES, EXPECTED, PAGES_FOLDER, expectedFile, formatsOf, openCase, readMasked } from './goldens.ts';
import { startRig } from './rig.ts';

const rig = await startRig();
const server = await serveFixtures({ root: PAGES_FOLDER });
try {
  mkdirSync(EXPECTED, { recursive: true });
  const page = await rig.context.newPage();
  for (const name of CASES) {
    for (const format of formatsOf(name)) {
      await openCase(page, server.port, name);
      writeFileSync(expectedFile(name, format), await readMasked(rig, page, { format }));
    }
  }
} finally {
  await rig.context.close();
  await server.close();
}
