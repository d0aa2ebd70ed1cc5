import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import { personRig, type PersonRig } from '../../support/person-rig.ts';
import { secretsFolder } from '../../support/test-folder.ts';

/* The examples of docs/captures.md for tools that are called by name. */

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/captures.md'), 'utf8');
const EXAMPLES = page.split(/^## /m).flatMap((section) => {
  const [tool = '', ...lines] = section.split('\n');
  return lines
    .filter((line) => line.startsWith('    { '))
    .map((line): [string, string] => [tool, line.trim()]);
});

const { folder, secrets } = secretsFolder('STATE_KEY=four-sails-in-the-wind\nINTRANET=mill-race-4\n');
mkdirSync(join(folder, 'reports'));

const PAGE = `<title>Shop</title><a id=save href="/may.csv" download>May</a>
  <table aria-label=Orders>${'<tr><td>4'.repeat(12)}</table><script>sessionStorage.step = '1';</script>`;

let rig: PersonRig;
beforeAll(async () => {
  rig = await personRig(
    ({ url = '' }, response) => {
      response.setHeader('content-type', url.endsWith('.csv') ? 'text/csv' : 'text/html; charset=utf-8');
      response.end(url.endsWith('.csv') ? 'mill,4\n' : PAGE);
    },
    ...['--secrets', secrets, '--download-root', folder],
  );
  await rig.setRules([{ id: 'all', effect: 'allow' }]);
  await rig.server.call('navigate', { url: rig.at('shop.test') });
});

it('has examples of each tool', () => {
  const tools = 'evaluate inspect emulate storage clipboard intercept downloads record_video trace audit';
  expect([...new Set(EXAMPLES.map(([tool]) => tool))].join(' ')).toBe(tools);
});

/** It loads the page twice, for ten seconds. */
const isLong = ([tool, example]: readonly string[]): boolean =>
  tool === 'trace' && JSON.parse(example ?? '').cache === 'both';

it.each(EXAMPLES.filter((each) => !isLong(each)))('%s %s', ask);
itDeep.each(EXAMPLES.filter(isLong))('%s %s', ask);

async function ask(tool: string, example: string): Promise<void> {
  let text = example;
  if (text.includes('"r17"')) {
    await rig.server.call('network', { action: 'start' });
    await rig.server.call('navigate', { action: 'reload' });
    const slice = await rig.server.call('network', { action: 'slice' });
    text = text.replace('r17', slice.json<{ _id: string }[]>()[0]?._id ?? '');
  }
  if (text.includes('e13')) {
    const found = await rig.server.call('find', { css: 'table' });
    text = text.replace('e13', /\be\d+\b/.exec(found.text)?.[0] ?? '');
  }
  if (tool === 'downloads') await rig.server.call('interact', { steps: ['click css=#save'] });
  if (text.includes('"id": 7')) {
    const { downloads } = (await rig.server.call('downloads', {})).json<{ downloads: { id: number }[] }>();
    text = text.replace('7', String(downloads[0]?.id));
  }
  await rig.ok(tool, JSON.parse(text) as Record<string, unknown>);
}
