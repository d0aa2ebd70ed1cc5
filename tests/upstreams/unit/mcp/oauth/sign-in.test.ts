import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { withFileLock } from '../../../../../server/core/machine/files.ts';
import { parseEntry, type RemoteEntry } from '../../../../../server/upstreams/index.ts';
import { login, type LoginOptions, logout } from '../../../../../server/upstreams/mcp/oauth/login.ts';
import { readRecord, recordPath, StoredSession } from '../../../../../server/upstreams/mcp/oauth/sessions.ts';
import { defer } from '../../../../../shared/base/async.ts';
import { codeIn, codeOf } from '../../../../support/code-of.ts';
import { temporaryHome } from '../../../../support/home.ts';
import { OAuthUpstream } from '../../../../support/oauth-upstream.ts';
import { PATIENCE } from '../../../../support/patience.ts';
import { startUpstreams } from '../../../../support/upstream-rig.ts';

const NEVER = new AbortController().signal;
let upstream: OAuthUpstream;
let home: string;
beforeEach(async () => {
  upstream = await OAuthUpstream.start();
  home = await temporaryHome();
});

const entryOf = (more: object = {}): RemoteEntry =>
  parseEntry({ id: 'far', url: upstream.url, ...more }, 'far') as RemoteEntry;
const key = () => ({ home, id: 'far', url: upstream.url });
function signIn(more: Partial<LoginOptions> = {}): ReturnType<typeof login> {
  return login({
    home,
    id: 'far',
    entry: entryOf(),
    signal: AbortSignal.timeout(PATIENCE.timeout),
    show: (address) => void fetch(address).catch(() => undefined),
    ...more,
  });
}

describe('a sign-in', () => {
  it('is kept for this user alone, and says who gave it', async () => {
    expect(await signIn()).toEqual({ server: upstream.origin, scope: 'read' });
    const folder = join(home, 'sign-ins');
    const [file = ''] = readdirSync(folder);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readRecord(key())?.tokens?.access_token).toBe([...upstream.live][0]);
    expect(readRecord({ ...key(), url: `${upstream.url}2` })).toBe(null);
  });

  it.each([
    [{ error: 'access_denied', error_description: 'not today', code: '' }, 'access_denied: not today'],
    [{ code: '' }, 'gave no code'],
    [{ iss: 'https://evil.test' }, 'a different service'],
    [{ iss: '' }, 'a different service'],
  ])('fails with the answer %j', async (back, said) => {
    upstream.back = back;
    const failure = await signIn().catch((thrown: unknown) => thrown);
    expect(codeIn(failure)).toBe('upstream_error');
    expect(String(failure)).toContain(said);
    expect(readRecord(key())).toBe(null);
  });

  it('takes an answer of its own request only, also by paste', async () => {
    const pasted: boolean[] = [];
    const result = await signIn({
      show: (address, paste) => {
        const answer = (state: string): string =>
          `http://127.0.0.1:1/callback?code=stolen&state=${state}&iss=${upstream.origin}`;
        pasted.push(paste('nonsense'), paste(answer('guessed')));
        void fetch(address, { redirect: 'manual' }).then((response) =>
          pasted.push(paste(response.headers.get('location') ?? '')),
        );
      },
    });
    expect(result.scope).toBe('read');
    expect(pasted).toEqual([false, false, true]);
  });

  it('listens on loopback until it has ended, and shows a page that runs nothing', async () => {
    const seen: Response[] = [];
    let back = '';
    let unused: Socket | undefined;
    await signIn({
      show: (address) =>
        void (async () => {
          const { headers } = await fetch(address, { redirect: 'manual' });
          back = headers.get('location') ?? '';
          unused = connect(Number(new URL(back).port), '127.0.0.1');
          const { origin } = new URL(back);
          for (const odd of ['/callback?code=x&state=wrong', '//', '/callback'])
            seen.push(await fetch(`${origin}${odd}`));
          seen.push(await fetch(back));
        })(),
    });
    await vi.waitFor(() => expect(seen).toHaveLength(4), PATIENCE);
    expect(new URL(back).hostname).toBe('127.0.0.1');
    expect(seen.map(({ status }) => status)).toEqual([404, 404, 404, 200]);
    expect(seen[3]?.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await seen[3]?.text()).toContain('Signed in');
    await vi.waitFor(() => expect(unused?.readyState).toBe('closed'), PATIENCE);
    await expect(fetch(back)).rejects.toThrow();
  });

  it('sends nothing in the clear to another machine', async () => {
    upstream.server = 'http://service.invalid';
    await expect(signIn()).rejects.toThrow('leads to http://service.invalid, which is not https');
    upstream.server = upstream.origin;
    upstream.authorize = 'http://service.invalid/authorize';
    const show = vi.fn();
    await expect(signIn({ show })).rejects.toThrow('signs people in at http://service.invalid');
    expect(show).not.toHaveBeenCalled();
  });
});

const session = (): StoredSession => new StoredSession(key());
const tokenOf = (): string => readRecord(key())?.tokens?.access_token ?? '';
const signedIn = async (): Promise<string> => {
  await signIn();
  return tokenOf();
};

it('tokens are renewed once, by whichever server is first', async () => {
  const refused = await signedIn();
  upstream.expire();
  const sessions = [session(), session(), session()];
  const fresh = await Promise.all([...sessions, ...sessions].map((each) => each.renew(refused, {}, NEVER)));
  expect(new Set(fresh)).toEqual(upstream.live);
  expect(upstream.refreshes).toBe(1);
});

it('tokens are renewed after another server has ended its renewal, and not after one that was killed', async () => {
  const refused = await signedIn();
  const lock = `${recordPath(key())}.lock`;
  writeFileSync(lock, '');
  const renewing = session().renew(refused, {}, NEVER);
  await fetch(upstream.origin);
  expect(upstream.refreshes).toBe(0);
  rmSync(lock);
  const fresh = await renewing;
  writeFileSync(lock, '');
  utimesSync(lock, new Date(0), new Date(0));
  // Another server is about to remove it.
  writeFileSync(`${lock}.stale`, '');
  const later = session().renew(fresh, {}, NEVER);
  await fetch(upstream.origin);
  expect(existsSync(lock)).toBe(true);
  rmSync(`${lock}.stale`);
  expect(await later).not.toBe(fresh);
  expect(existsSync(lock)).toBe(false);
  // Another server has taken the lock from one that slept.
  await withFileLock(lock, NEVER, async () => utimesSync(lock, new Date(), new Date(0)));
  expect(existsSync(lock)).toBe(true);
  rmSync(lock);
  const file = await open(recordPath(key()));
  onTestFinished(() => file.close());
  vi.spyOn(Object.getPrototypeOf(file), 'stat').mockRejectedValueOnce(new Error('EIO'));
  await expect(withFileLock(lock, NEVER, async () => undefined)).rejects.toThrow('EIO');
  expect(existsSync(lock)).toBe(false);
});

it('tokens are not lost to a call that needs more scopes at the same time', async () => {
  const refused = await signedIn();
  const [fresh, failure] = await Promise.all([
    session().renew(refused, {}, NEVER),
    session().wants('read write'),
    session().wants('read write'),
  ]);
  expect(failure.code).toBe('upstream_sign_in_required');
  expect(readRecord(key())).toMatchObject({ tokens: { access_token: fresh }, wanted_scope: 'read write' });
  expect((await signIn()).scope).toBe('read write');
  expect(readRecord(key())?.wanted_scope).toBe(undefined);
});

it('tokens are forgotten with a sign-out, or when the service no longer accepts them', async () => {
  const refused = await signedIn();
  await logout(key(), NEVER);
  expect(upstream.revoked).toBe(1);
  expect(await codeOf(session().renew(refused, {}, NEVER))).toBe('upstream_sign_in_required');
  const token = await signedIn();
  await fetch(`${upstream.origin}/revoke`, { method: 'POST' });
  await expect(session().renew(token, {}, NEVER)).rejects.toMatchObject({
    code: 'upstream_sign_in_required',
    hint: expect.stringContaining('spillway upstream login far'),
  });
  expect(readRecord(key())?.tokens).toBe(null);
});

it('an upstream connects when a person signs in during an attempt that was refused before', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const refused = defer<string>();
  const renew = vi.spyOn(StoredSession.prototype, 'renew').mockReturnValue(refused.promise);
  const listen = vi.spyOn(StoredSession.prototype, 'onChange');
  const starting = startUpstreams([entryOf()]);
  await expect.poll(() => renew.mock.calls).toHaveLength(1);
  upstream.live.add('of a person');
  vi.spyOn(StoredSession.prototype, 'token').mockResolvedValue('of a person');
  listen.mock.calls[0]?.[0]();
  // It is not tried again by time.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  refused.reject(new Error('It asks for a sign-in.'));
  const { upstreams } = await starting;
  vi.useRealTimers();
  await expect.poll(() => upstreams.report()[0]?.state).toBe('ready');
});

it('an upstream that asks for a sign-in says so, connects when a person has signed in, and its tokens are seen nowhere', async () => {
  const server = await startUpstreams([entryOf()]);
  const whoami = async (): Promise<string> => (await server.call('far_whoami')).text;
  const state = () => server.upstreams.report()[0];
  expect(state()).toMatchObject({ state: 'failed', problem: expect.stringContaining('asks for a sign-in') });
  expect((await server.call('far_whoami')).code()).toBe('upstream_sign_in_required');
  home = server.home;
  await signIn();
  await vi.waitFor(() => expect(state()?.state).toBe('ready'), PATIENCE);
  const first = [...upstream.live];
  expect(await whoami()).toMatch(/^You are «redacted/);

  upstream.expire();
  const answer = await whoami();
  expect(upstream.refreshes).toBe(1);
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .map((name) => join(home, name))
    .filter((path) => statSync(path).isFile() && !path.includes('sign-ins'));
  const seen = [answer, ...files.map((path) => readFileSync(path, 'latin1'))].join('\n');
  for (const secret of [...first, ...upstream.live]) expect(seen).not.toContain(secret);

  await fetch(`${upstream.origin}/revoke`, { method: 'POST' });
  const ended = await server.call('far_whoami');
  expect(ended.code()).toBe('upstream_sign_in_required');
  expect(ended.text).toContain('index.js upstream login far');
  await signIn();
  await vi.waitFor(async () => expect(await whoami()).toContain('You are'), PATIENCE);
});
