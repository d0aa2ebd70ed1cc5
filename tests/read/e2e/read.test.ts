import { beforeEach, describe, expect, test } from 'vitest';
import { itDeep, sample } from '../../support/depth.ts';
import { PAGES_FOLDER, renumber, openCase } from './goldens.ts';
import { openFixtures } from './rig.ts';

const { rig, server, page } = await openFixtures(PAGES_FOLDER);
beforeEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

/** Serves one document, and others under further host names, without a file each. */
async function show(html: string, others: Record<string, string> = {}): Promise<void> {
  await page.route(
    () => true,
    async (route) => {
      const { hostname, pathname } = new URL(route.request().url());
      if (pathname === '/held') return;
      const body = others[hostname] ?? (hostname === 'page.test' && pathname === '/' ? html : undefined);
      if (body === undefined) await route.fulfill({ status: 404, body: '' });
      else await route.fulfill({ contentType: 'text/html; charset=utf-8', body: `<!doctype html>${body}` });
    },
  );
  await page.goto('http://page.test/');
}

const INNER = '<body style="margin:0"><h2>Inner</h2><a href="/x">inner link</a></body>';

test('frames of other origins are in place, nested ones too', async () => {
  await show('<p>before</p><iframe src="http://middle.test/"></iframe><p>after</p>', {
    'middle.test':
      '<p>middle</p><blockquote><iframe title="Pay &amp; go" src="http://inner.test/"></iframe></blockquote><p>rest</p>',
    'inner.test': INNER,
  });
  const { text, result } = await rig.read(page);
  expect(text.replace(/^>$/gm, '')).toBe(
    [
      'before',
      '[frame http://middle.test]',
      'middle',
      '> [frame http://inner.test]',
      '> ## Inner',
      '> [inner link](http://inner.test/x)',
      '> [end of frame http://inner.test]',
      'rest',
      '[end of frame http://middle.test]',
      'after\n',
    ].join('\n\n'),
  );
  expect(result).toMatchObject({ coverage: [], page: { frames: 3 } });
  const snapshot = await rig.read(page, { format: 'snapshot' });
  expect(renumber(snapshot.text)).toContain(
    '@frame http://inner.test "Pay & go"\n## Inner\nf1f1e1 inner link\n@end of frame http://inner.test\n',
  );
});

const inShadowTrees = (first: string, second: string): string =>
  `<div id="a"></div><div id="b"></div><script>
      for (const [id, src] of [['b', '${second}'], ['a', '${first}']])
        document.getElementById(id).attachShadow({ mode: 'closed' }).innerHTML =
          '<p>place ' + id + '</p><iframe name="' + id + '" src="http://inner.test/' + src + '"></iframe>';
      window.heard = 0;
      window.addEventListener('message', () => { window.heard += 1; });
    </script>`;
const NAMED = '<p id="p"></p><script>p.textContent = "frame of " + name</script>';

test('frames of another origin in shadow trees are distinguished by their addresses, which the page does not see', async () => {
  await show(inShadowTrees('?1', '?2'), { 'inner.test': NAMED });
  await expect.poll(() => page.frames().length).toBe(3);
  const { text, result } = await rig.read(page, { format: 'text' });
  expect(result?.coverage).toEqual([]);
  expect(text).toMatch(/place a[^]*frame of a[^]*place b[^]*frame of b/);
  expect(await page.evaluate('window.heard')).toBe(0);
});

test('frames that do not answer become a note, and the page is read', async () => {
  await show('<p>before</p><iframe src="http://stuck.test/"></iframe><p>after</p>', {
    'stuck.test': '<p>stuck</p>',
  });
  const stuck = page.frames()[1];
  const holding = page.waitForRequest('**/held');
  void stuck
    ?.evaluate("const held = new XMLHttpRequest(); held.open('GET', '/held', false); held.send()")
    .catch(() => undefined);
  await holding;
  const { text, result } = await rig.read(page, {}, { how: 'hasty' });
  expect(text).toBe('before\n\nafter\n');
  expect(result?.coverage).toEqual([
    { kind: 'closed_frame', detail: 'Frame http://stuck.test/ could not be read.' },
  ]);
});

describe('invariants', () => {
  itDeep('a read changes nothing and says nothing that the page could notice', async () => {
    await openCase(page, server.port, 'shadow--slots');
    const before = await page.evaluate(() => {
      const seen: string[] = [];
      Reflect.set(window, 'seen', seen);
      new MutationObserver((all) => all.forEach((one) => seen.push(one.type))).observe(document, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
      for (const type of ['message', 'focus', 'blur', 'scroll', 'resize', 'selectionchange', 'toggle'])
        window.addEventListener(type, () => seen.push(type), true);
      return document.documentElement.outerHTML;
    });
    for (const format of ['markdown', 'text', 'html', 'snapshot', 'nodes'] as const)
      await rig.readTab(tabId, { format, main_content_only: format === 'markdown' });
    expect(
      await page.evaluate(() => [document.documentElement.outerHTML, Reflect.get(window, 'seen')]),
    ).toEqual([before, []]);
  });

  let tabId: number;
  beforeEach(async () => (tabId = await rig.tabIdOf(page)));

  test('refs stay with their elements and are never given twice', async () => {
    await show('<button id="a">A</button><button id="b">B</button>');
    const first = await rig.read(page, { format: 'snapshot' });
    expect(first.error).toBeNull();
    expect(first.text).toMatch(/^e\d+ button A\ne\d+ button B\n$/);
    const [a, b] = [...first.text.matchAll(/^e(\d+)/gm)].map(([, number]) => Number(number));
    expect(b).toBe(Number(a) + 1);
    await page.evaluate(() => {
      document.getElementById('a')?.remove();
      document.body.insertAdjacentHTML('afterbegin', '<button>C</button>');
    });
    const second = await rig.read(page, { format: 'snapshot' });
    expect(second.text).toBe(`e${Number(b) + 1} button C\ne${b} button B\n`);
  });
});

test.each(sample(['snapshot', 'nodes'] as const, 2))(
  'a page with more elements than it is lent numbers at a time is read whole as %s, each number once',
  async (format) => {
    await show(
      `<body><script>for (let i = 0; i < 500; i++) document.body.append(Object.assign(document.createElement('button'), { textContent: 'b' + i }))</script>`,
    );
    const { text, result } = await rig.read(page, { format }, { how: 'lent few' });
    const refs = [...text.matchAll(/^e(\d+) button|"ref":"e(\d+)"/gm)].map(([, a, b]) => Number(a ?? b));
    expect(refs.length).toBeGreaterThanOrEqual(500);
    expect(new Set(refs).size).toBe(refs.length);
    expect(result?.coverage.map(({ kind }) => kind)).toContain('page_may_have_changed');
    expect((await rig.read(page, { format }, { how: 'lent few' })).text).toBe(text);
  },
);

itDeep('size a page beyond the buffer is read whole, and says that it may have changed', async () => {
  await show(
    '<script>for (let i = 0; i < 4000; i++) document.write("<p>paragraph " + i + " " + "word ".repeat(40) + "</p>")</script>',
  );
  const whole = await rig.read(page);
  const paused = await rig.read(page, {}, { how: 'small' });
  expect(whole.text.length).toBeGreaterThan(800_000);
  expect(paused.text).toBe(whole.text);
  expect(whole.result?.coverage).toEqual([]);
  expect(paused.result?.coverage).toMatchObject([{ kind: 'page_may_have_changed' }]);
});

test('size a cancelled read stops, and the next one works', async () => {
  await show(
    '<script>for (let i = 0; i < 8000; i++) document.write("<p>paragraph " + i + " " + "word ".repeat(40) + "</p>")</script>',
  );
  expect((await rig.read(page, {}, { abortAfter: 1 })).error?.code).toBe('cancelled');
  expect((await rig.read(page, { selector: 'p:last-of-type' })).text).toMatch(/^paragraph 7999/);
});
