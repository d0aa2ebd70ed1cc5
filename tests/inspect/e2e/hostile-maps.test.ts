import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { beforeAll, expect, it, vi } from 'vitest';
import { PATIENCE } from '../../support/patience.ts';
import { personRig, type PersonRig } from '../../support/person-rig.ts';

/** Attacks of pages and their source maps. `mill.test` is the page's host, and `localhost` the person's machine. */

const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
const HUGE_BYTES = 200 * 1024 * 1024;
const LINES = 'AAAA;AACA;AACA;AACA';
const MAPS: Readonly<Record<string, string>> = {
  good: JSON.stringify({ version: 3, sources: ['src/mill.ts'], names: [], mappings: LINES }),
  secret: JSON.stringify({ version: 3, sources: [`src/mill.ts?token=${TOKEN}`], names: [], mappings: LINES }),
  text: '<!doctype html><title>Sign in</title>',
  list: '[1, 2]',
  deep: `${'{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(20_000)}`,
};

let rig: PersonRig;
const asked: string[] = [];
/** The response of 200 MB, which its reader has to leave. */
let isLeft = false;

const addressOf = (name: string): string =>
  ({
    foreign: rig.at('other.test', '/good.map'),
    local: rig.at('localhost', '/good.map'),
    file: 'file:///etc/passwd',
    away: '/away.map',
  })[name] ?? `/${name}.map`;

beforeAll(async () => {
  rig = await personRig((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const [, name = '', kind = ''] = /^\/(\w*)(?:\.(\w+))?$/.exec(pathname) ?? [];
    asked.push(`${request.headers.host?.replace(/:.*/, '')}${pathname}`);
    if (kind === 'js') {
      response.setHeader('content-type', 'text/javascript');
      return void response.end(
        `function grind() {\n  throw new Error('${name} stuck');\n}\ngrind();\n//# sourceMappingURL=${addressOf(name)}`,
      );
    }
    if (kind !== 'map')
      return void response.end(
        `<title>Mill</title><button>Grind</button><script src="/${name}.js"></script>`,
      );
    response.setHeader('content-type', 'application/json');
    if (name === 'away')
      return void response.writeHead(302, { location: rig.at('localhost', '/good.map') }).end();
    if (name === 'missing') return void response.writeHead(404).end();
    if (name !== 'huge') return void response.end(MAPS[name]);
    response.writeHead(200, { 'content-length': String(HUGE_BYTES) });
    const piece = Buffer.alloc(64 * 1024, 'A');
    const pieces = function* (): Generator<Buffer> {
      for (let left = HUGE_BYTES; left > 0; left -= piece.length) yield piece;
    };
    pipeline(Readable.from(pieces()), response).catch(() => (isLeft = true));
  });
});

async function errorOf(name: string) {
  asked.length = 0;
  await rig.ok('navigate', { url: rig.at('mill.test', `/${name}`) });
  return vi.waitFor(async () => {
    const answer = await rig.ok('console', { text: `${name} stuck`, sources: true });
    const [item] = answer.json<{ stack: string[] }[]>();
    return { stack: item?.stack ?? expect.fail(answer.text), answer };
  }, PATIENCE);
}

it('reads a map of the page', async () => {
  const { stack, answer } = await errorOf('good');
  expect(stack).toEqual(['grind (src/mill.ts:2:1)', 'src/mill.ts:4:1']);
  expect(answer.notes).not.toContain('.js:');
});

it.each([
  ['foreign', "is not on the page's host, mill.test"],
  ['local', "is not on the page's host, mill.test"],
  ['file', "is not on the page's host, mill.test"],
  ['away', 'is not read for a page of mill.test'],
  ['huge', 'is larger than 33554432 bytes'],
  ['missing', 'answered with HTTP 404'],
  ['text', 'Its source map cannot be read'],
  ['list', 'Its source map cannot be read'],
  ['deep', 'Its source map cannot be read'],
])('leaves out a map that is %s, and says why', async (name, why) => {
  const { stack, answer } = await errorOf(name);
  expect(stack[0]).toBe(`grind (${rig.at('mill.test', `/${name}.js`)}:2:9)`);
  expect(answer.notes).toContain(why);
  expect(
    asked.filter((one) => one !== 'mill.test/favicon.ico' && !one.startsWith(`mill.test/${name}`)),
  ).toEqual([]);
});

it('leaves a large response', () => expect.poll(() => isLeft, PATIENCE).toBe(true));

it('reads nothing that a page only names in a text', async () => {
  await errorOf('good');
  asked.length = 0;
  const code = `() => console.error('at ${rig.at('localhost', '/good.js')}:1:1')`;
  await rig.setRules([{ id: 'all', effect: 'allow' }]);
  await rig.ok('evaluate', { code, world: 'page' });
  const { notes } = await rig.ok('console', { text: 'localhost', sources: true });
  expect(notes).toContain("is not on the page's host, mill.test");
  expect(asked.filter((one) => one.startsWith('localhost'))).toEqual([]);
});

it('redacts a secret in the name of a source', async () => {
  const { answer } = await errorOf('secret');
  expect(answer.text).toContain('src/mill.ts');
  expect(answer.text).not.toContain(TOKEN);
});

it('ends where a page leads in circles, and finds nothing where it throws', async () => {
  await rig.setRules([{ id: 'all', effect: 'allow' }]);
  await rig.ok('navigate', { url: rig.at('mill.test', '/good') });
  const ref = /\be\d+\b/.exec((await rig.ok('find', { query: 'Grind' })).text)?.[0] ?? '';
  const circle = `(el) => { const one = { type: { name: 'Ring' } }; one.parent = one; el.__vueParentComponent = one; }`;
  await rig.ok('evaluate', { code: circle, ref, world: 'page' });
  const rings = (await rig.ok('inspect', { ref })).json<{ components: unknown[] }>().components;
  expect(rings).toHaveLength(20);
  const trap = `(el) => void Object.defineProperty(el, '__vueParentComponent', { get() { throw new Error('no'); } })`;
  await rig.ok('evaluate', { code: trap, ref, world: 'page' });
  const nothing = await rig.ok('inspect', { ref });
  expect(nothing.json()).toMatchObject({ components: [] });
  expect(nothing.notes).toContain('No component');
});
