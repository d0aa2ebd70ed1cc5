import { expect, it } from 'vitest';
import { actingRig } from './rig.ts';

/* A tab that is acted on is cast, and so is one of which a picture is taken: Chromium casts a tab once. */
const rig = actingRig((name) =>
  name === 'page'
    ? `<a href="/page">Go on</a><button onclick="this.textContent = 'Pressed'">Press</button><div style="height: 3000px"></div>`
    : null,
);

it.each([
  ['in front', true],
  ['hidden', false],
])('a tab %s gives pictures between two acts', async (_where, front) => {
  const tab = await rig.open('page', { front });
  for (const args of [{}, { area: 'full_page' }]) {
    const acted = await rig.act(tab, 'click role=link', 'click role=button');
    expect(acted.isError, acted.text).toBe(false);
    const taken = await rig.server.call('screenshot', { tab, ...args });
    expect(taken.isError, taken.text).toBe(false);
  }
  expect(await rig.text(tab)).toContain('Pressed');
  await rig.close(tab);
});
