import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { runUpstreamLogin, runUpstreamLogout } from '../../../server/cli/upstream-login.ts';
import { codeOf } from '../../support/code-of.ts';
import { temporaryHome } from '../../support/home.ts';
import { OAuthUpstream } from '../../support/oauth-upstream.ts';

let upstream: OAuthUpstream;
let home: string;
let written: string;
const io = { write: (text: string) => void (written += text), isTerminal: false };
beforeEach(async () => {
  upstream = await OAuthUpstream.start();
  onTestFinished(() => upstream.close());
  home = await temporaryHome();
  written = '';
});

const write = (...upstreams: readonly object[]): void =>
  writeFileSync(join(home, 'spillway.json'), JSON.stringify({ upstreams }));
const kept = (): readonly string[] =>
  existsSync(join(home, 'sign-ins')) ? readdirSync(join(home, 'sign-ins')) : [];

const signIn = (more: Partial<Parameters<typeof runUpstreamLogin>[0]> = {}): Promise<number> =>
  runUpstreamLogin(
    { home, id: 'far', open: (address) => fetch(address), onLine: () => () => undefined, ...more },
    io,
  );

it('signs in by the browser that it opens, and out again', async () => {
  write({ id: 'far', url: upstream.url });
  expect(await signIn()).toBe(0);
  expect(written).toContain(`Sign in to far at ${new URL(upstream.url).host}.`);
  expect(written).toContain(`Signed in to far by ${upstream.origin}. It allows: read.`);
  expect(kept()).toHaveLength(1);
  expect(await runUpstreamLogout({ home, id: 'far' }, io)).toBe(0);
  expect(written).toContain('Its service has taken the tokens back.');
  expect([kept(), upstream.revoked]).toEqual([[], 1]);
  expect(await runUpstreamLogout({ home, id: 'far' }, io)).toBe(0);
  expect(written).toContain('Nobody was signed in to far.');
});

it('takes the address at which a browser of another machine ends', async () => {
  write({ id: 'far', url: upstream.url });
  let type: (line: string) => void = () => undefined;
  const open = async (address: string): Promise<void> => {
    const { headers } = await fetch(address, { redirect: 'manual' });
    type('http://127.0.0.1/callback?code=x');
    type(`  ${headers.get('location') ?? ''}`);
  };
  const onLine = (listener: typeof type) => {
    type = listener;
    return () => undefined;
  };
  expect(await signIn({ open, onLine })).toBe(0);
  expect(written).toContain('That is not the answer to this sign-in');
});

const url = 'https://a.test/mcp';
const oauth = { grant: 'client_credentials', clientId: 'a', clientSecret: 'b', issuer: 'https://a.test' };
it.each([
  ['an id that there is not', { id: 'near', url }],
  ['a command', { id: 'far', command: 'npx' }],
  ['a header of its own', { id: 'far', url, headers: { Authorization: 'Bearer x' } }],
  ['a client of its own', { id: 'far', url, oauth }],
])('refuses %s', async (_what, entry) => {
  write(entry);
  expect(await codeOf(signIn())).toBe('invalid_argument');
  expect(await codeOf(runUpstreamLogout({ home, id: 'far' }, io))).toBe('invalid_argument');
});
