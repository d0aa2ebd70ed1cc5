import { beforeAll, expect, it } from 'vitest';
import type { Traced } from '../../../shared/trace/trace.manifest.ts';
import { analyse } from '../../../server/trace/analysis.ts';
import { personRig, type PersonRig } from '../../support/person-rig.ts';
import { fetchAll } from '../../evidence/e2e/unpack.ts';

const SECRET = 'ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789';
const PAGE = `<title>Mill</title><link rel="stylesheet" href="/mill.css">
<h1 style="font-size: 60px">Four sails</h1><script>
  function grind(ms) { const end = performance.now() + ms; while (performance.now() < end); }
  grind(120);
  fetch('/flour?access_token=${SECRET}', { headers: { authorization: 'Bearer ${SECRET}' } });
  performance.mark('${SECRET}'); console.time('${SECRET}'); console.timeEnd('${SECRET}'); console.timeStamp('${SECRET}');
  // Only painted content can shift.
  const painted = new Promise((done) => new PerformanceObserver(done).observe({ type: 'largest-contentful-paint', buffered: true }));
  setTimeout(() => painted.then(() => document.body.prepend(Object.assign(document.createElement('div'), { style: 'height: 200px' }))), 700);
  if (location.pathname === '/other-tab') setInterval(() => grind(5), 50);
  // A trace of the load ends only after this answer.
  else new PerformanceObserver(() => fetch('/shifted')).observe({ type: 'layout-shift' }), fetch('/until-shifted');
</script><button onclick="grind(150)">Grind</button><a href="/other-tab" target="_blank" rel="opener">Other</a>`;

/** As the page itself measures its last load. */
const OWN_LCP = `() => new Promise((done) =>
  new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true }))`;

let rig: PersonRig;
const whenShifted: (() => void)[] = [];
beforeAll(async () => {
  rig = await personRig(({ url }, response) => {
    if (url === '/mill.css') response.setHeader('content-type', 'text/css').end('body { margin: 0 }');
    else if (url === '/until-shifted') whenShifted.push(() => response.end());
    else response.end(PAGE);
    if (url === '/shifted') for (const answer of whenShifted.splice(0)) answer();
  });
  await rig.setRules([{ id: 'all', effect: 'allow' }]);
});

const open = (): Promise<string> => rig.openTab(rig.at('mill.test'));
const call = (args: object) => rig.server.call('trace', { ...args });

it('measures a load and names its causes, of this tab only, without secrets', async () => {
  const tab = await open();
  await rig.server.call('interact', { tab, steps: ['click text=Other'] });
  const answer = await rig.ok('trace', { tab, cache: 'both' });
  const { cold, warm, compared } = answer.json<Record<'cold' | 'warm', Traced> & { compared: object }>();
  const own = (await rig.server.call('evaluate', { tab, code: OWN_LCP })).json<number>();
  expect(Math.abs(Number(Reflect.get(Object(warm.lcp), 'ms')) - own)).toBeLessThan(10);
  expect(compared).toMatchObject({ lcp: expect.stringMatching(/^[\d.]+ → [\d.]+$/) });
  expect(cold).toMatchObject({
    lcp: { element: 'h1', verdict: expect.any(String) },
    cls: { shifts: [expect.stringMatching(/^0\.\d+ at [\d.]+ ms, h1/)] },
    render_blocking: [expect.stringMatching(/^\/mill\.css,/)],
    inp: expect.stringContaining('not measured'),
    notes: [expect.stringMatching(/^Redacted in the trace: \d/)],
  });
  expect(cold.costly_functions?.join('\n')).toContain('grind');
  const { resources } = await rig.server.client.listResources();
  expect(resources.map(({ uri }) => uri).join()).toContain(cold.trace);
  const trace = (await fetchAll(rig.server, cold.trace)).toString('utf8');
  expect(trace).toContain('/flour');
  for (const text of [answer.text, trace]) expect(text).not.toContain(SECRET);
  expect(trace).not.toContain('/other-tab');
  expect(cold).toMatchObject(await analyse(JSON.parse(trace), 'chrome-extension://'));
});

it('measures the acts between start and stop, on the page of another site too', async () => {
  const tab = await open();
  expect((await call({ tab, ms: 1_000 })).text).toContain('still busy when the time was over');
  expect((await call({ tab, action: 'stop' })).code()).toBe('capture_not_running');
  await call({ tab, action: 'start' });
  expect((await call({ tab, action: 'start' })).text).toMatch(/tab_busy.* is traced for session/s);
  await rig.server.call('interact', { tab, steps: ['click text=Grind'] });
  const acts = (await call({ tab, action: 'stop' })).json<{ acts: Traced }>();
  expect(acts.acts).toMatchObject({
    inp: { ms: expect.any(Number), event: expect.stringMatching(/ on button at /) },
    lcp: expect.stringContaining('not measured'),
  });
  await call({ tab, action: 'start' });
  await rig.server.call('navigate', { tab, url: rig.at('other.test') });
  await rig.server.call('wait_for', { tab, text: 'Four sails' });
  // The browser may begin to trace the site's new process after its first load began.
  await rig.server.call('navigate', { tab, action: 'reload' });
  // The text may be there long before it is painted.
  await rig.ok('evaluate', { tab, code: OWN_LCP, timeout_ms: 30_000 });
  const there = (await call({ tab, action: 'stop' })).json<{ acts: Traced }>();
  expect(there.acts).toMatchObject({ lcp: { element: 'h1' }, tbt: expect.any(Object) });
});
