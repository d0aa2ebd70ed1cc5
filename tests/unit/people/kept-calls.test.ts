import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../server/core/clock.ts';
import { sha256 } from '../../../server/machine/digest.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { codeOf } from '../../support/code-of.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';
import { temporaryHome } from '../../support/home.ts';
import { PATIENCE } from '../../support/patience.ts';
import {
  ARGS,
  fakeBrowser,
  filesOf,
  leftCall,
  question,
  server,
  session,
  signal,
  textOf,
} from './kept-rig.ts';

const MINUTES = 60_000;

describe('a call that is kept', () => {
  it('is on the disk before the browser knows, for its user alone, and the browser has a hash of its key', async () => {
    const home = await temporaryHome();
    const { bridge, kept: known } = fakeBrowser();
    let atTelling: string[] = [];
    bridge.answer({
      'question.keep': async ({ id, key_hash: hash }) => {
        atTelling = filesOf(home);
        known.set(id, hash);
        return { kept: true };
      },
    });
    const { kept } = server(home, { bridge });
    await kept.keep(question(), session());
    expect(atTelling).toHaveLength(1);
    const [name = ''] = filesOf(home);
    expect(statSync(join(home, 'pending', name)).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, 'pending')).mode & 0o777).toBe(0o700);
    const record = JSON.parse(textOf(home)) as Record<string, unknown>;
    expect(record).toMatchObject({ tool: 'interact', args: ARGS, client: sha256('codex'), question: 'q_1' });
    expect(known.get('q_1')).toBe(sha256(String(record['key'])));
    expect(bridge.calls.at(-1)?.params).not.toHaveProperty('key');
  });

  it.each([
    ['were redacted', question({ steps: ['type [secret]'] }, { isEditable: false }), true],
    ['are too large to show', question(null), true],
    ['nobody has looked at for secrets', question(), false],
  ])(
    'is a stub where its arguments %s, and its question ends with the server',
    async (_what, raised, isRedacting) => {
      const home = await temporaryHome();
      const { bridge, kept: known } = fakeBrowser();
      const first = server(home, { bridge, isRedacting });
      await first.kept.keep(raised, session());
      expect(JSON.parse(textOf(home))).toMatchObject({ args: null });
      expect(known.size).toBe(0);
      first.kept.leave();
      expect(first.kept.staysOpen('call-1')).toBe(false);
      await expect(server(home, { bridge }).kept.adopt('call-1', session(), signal)).rejects.toMatchObject({
        code: 'approval_expired',
        message: expect.stringContaining('held a secret') as unknown,
      });
      expect(filesOf(home)).toEqual([]);
    },
  );

  it('is gone from the disk before it is performed', async () => {
    const home = await temporaryHome();
    const { kept } = server(home, fakeBrowser());
    await kept.keep(question(), session());
    await kept.take('call-1');
    expect(filesOf(home)).toEqual([]);
  });

  it('is not performed by a server that is leaving once another one has it', async () => {
    const { first, adopt } = await leftCall();
    expect(first.staysOpen('call-1')).toBe(true);
    expect(await adopt()).not.toBeNull();
    expect(await codeOf(first.take('call-1'))).toBe('cancelled');
  });

  it('that has ended is removed, and a server that leaves removes nothing', async () => {
    const home = await temporaryHome();
    const { bridge } = fakeBrowser();
    const { kept } = server(home, { bridge });
    await kept.keep(question(), session());
    kept.forget('call-1');
    await vi.waitFor(() => expect(filesOf(home)).toEqual([]), PATIENCE);
    await kept.keep(question(ARGS, { id: 'b1:q_2' }), session());
    kept.leave();
    kept.forget('call-1');
    await kept.keep(question(ARGS, { id: 'b1:q_2' }), session());
    expect(filesOf(home)).toHaveLength(1);
  });

  it('ends with its server where the disk takes nothing, and the server says so', async () => {
    const home = await temporaryHome();
    const { bridge, kept: known } = fakeBrowser();
    // A file where the folder would be: no user may write there, root neither.
    writeFileSync(join(home, 'pending'), '');
    const { kept, warned } = server(home, { bridge });
    await kept.keep(question(), session());
    expect(warned.join()).toContain('ends with this server');
    expect(known.size).toBe(0);
    kept.leave();
    expect(kept.staysOpen('call-1')).toBe(false);
  });

  it('ends with its server where the extension knows of no such questions, and says nothing', async () => {
    const home = await temporaryHome();
    const bridge = new FakeBridge();
    const unknown = () => Promise.reject(new SpillwayError('api_not_found', 'No such method.'));
    bridge.answer({ 'question.keep': unknown, 'question.adopt': unknown });
    bridge.addBrowser();
    const { kept, warned } = server(home, { bridge });
    await kept.keep(question(), session());
    expect(warned).toEqual([]);
    kept.leave();
    expect(kept.staysOpen('call-1')).toBe(false);
    const adopting = server(home, { bridge }).kept.adopt('call-1', session(), signal);
    expect(await codeOf(adopting)).toBe('approval_expired');
  });

  it('is one of 64 at most', async () => {
    const home = await temporaryHome();
    const { bridge } = fakeBrowser();
    const { kept, warned } = server(home, { bridge });
    for (let one = 0; one < 65; one += 1) {
      const raised = question();
      const call = { ...raised.scope.call, call_id: `call-${one}` };
      await kept.keep({ id: `b1:q_${one}`, scope: { ...raised.scope, call } }, session());
    }
    expect(filesOf(home)).toHaveLength(64);
    expect(warned).toHaveLength(1);
  });
});

describe('the folder', () => {
  let shift = 0;
  const clock = { now: () => systemClock.now() + shift, monotonic: () => systemClock.monotonic() + shift };
  beforeEach(() => void (shift = 0));

  it('is not made before a call waits or is resumed', async () => {
    const home = await temporaryHome();
    server(home, fakeBrowser());
    expect(readdirSync(home)).not.toContain('pending');
  });

  it('has nothing that is over, damaged, or half written', async () => {
    const home = await temporaryHome();
    const { bridge } = fakeBrowser();
    const folder = join(home, 'pending');
    const first = server(home, { bridge, clock });
    await first.kept.keep(question(), session());
    const [name = ''] = filesOf(home);
    const other = (digit: string): string => join(folder, name.replace(/^[\da-f]{32}/, digit.repeat(32)));
    writeFileSync(other('f'), '{"version":1,"call_id":"x"');
    writeFileSync(other('e'), 'x'.repeat(300_000));
    await first.kept.keep(question(ARGS, { id: 'b1:q_2' }), session());
    expect(filesOf(home)).toEqual([name]);
    writeFileSync(join(folder, 'half.tmp'), '{');
    shift = 11 * MINUTES;
    const next = server(home, { bridge, clock });
    bridge.change(...bridge.browsers());
    await vi.waitFor(() => expect(filesOf(home)).toEqual([]), PATIENCE);
    expect(await next.kept.adopt('call-1', session(), signal)).toBeNull();
  });

  it('does not give a call whose ten minutes are over', async () => {
    const { home, adopt } = await leftCall(question(), { clock });
    shift = 10 * MINUTES;
    expect(await codeOf(adopt())).toBe('approval_expired');
    expect(filesOf(home)).toEqual([]);
  });

  it('gives nothing of a file that is damaged', async () => {
    const { home, adopt } = await leftCall();
    const [name = ''] = filesOf(home);
    writeFileSync(join(home, 'pending', name), textOf(home).slice(0, -20));
    expect(await adopt()).toBeNull();
    expect(filesOf(home)).toEqual([]);
  });
});
