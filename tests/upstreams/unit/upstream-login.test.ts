import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runUpstreamLogin, runUpstreamLogout } from '../../../server/upstreams/command.ts';
import { temporaryHome } from '../../support/home.ts';
import { OAuthUpstream } from '../../support/oauth-upstream.ts';

let upstream: OAuthUpstream;
let home: string;
let written: string;
const io = { write: (text: string) => void (written += text), isTerminal: false };
beforeEach(async () => {
  upstream = await OAuthUpstream.start();
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
