import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { RaisedQuestion } from '../../../server/core/people.ts';
import { sha256 } from '../../../server/core/machine/files.ts';
import { codeOf } from '../../support/code-of.ts';
import { browserState } from '../../support/fake-bridge.ts';
import { temporaryHome } from '../../support/home.ts';
import {
  ARGS,
  endServers,
  fakeBrowser,
  leftCall,
  question,
  recordsOf,
  server,
  session,
} from '../../support/kept-call.ts';
import { PATIENCE } from '../../support/patience.ts';

const { signal } = new AbortController();

describe('a call that is kept', () => {
  it('is on the disk before the browser knows, for its user alone, and the browser has a hash of its key', async () => {
    const home = await temporaryHome();
    const { bridge, kept: known } = fakeBrowser();
    let atTelling: string[] = [];
    bridge.answer({
      'question.keep': async ({ id, key_hash: hash }) => {
        atTelling = recordsOf(home);
        known.set(id, hash);
        return { kept: true };
      },
    });
    const { kept } = server(home, { bridge });
    const asked = vi.spyOn(bridge, 'request');
    await kept.keep(question(), session());
    expect(atTelling).toHaveLength(1);
    expect(asked.mock.lastCall?.[3]).not.toHaveProperty('idleTimeoutMs');
    expect(statSync(join(home, 'home.db')).mode & 0o777).toBe(0o600);
    const record = JSON.parse(recordsOf(home).join()) as Record<string, unknown>;
    expect(record).toMatchObject({ tool: 'interact', args: ARGS, client: sha256('codex'), question: 'q_1' });
    expect(known.get('q_1')).toBe(sha256(String(record['key'])));
    expect(bridge.calls.at(-1)?.params).not.toHaveProperty('key');
  });

  it.each<[string, RaisedQuestion, boolean]>([
    ['were redacted', question({ steps: ['type [secret]'] }, { isEditable: false }), true],
    ['are too large to show', question(null), true],
    ['nobody has looked at for secrets', question(), false],
  ])('is a stub where its arguments %s, and ends with the server', async (_what, raised, isRedacting) => {
    const home = await temporaryHome();
    const { bridge, kept: known } = fakeBrowser();
    const first = server(home, { bridge, isRedacting });
    await first.kept.keep(raised, session());
    expect(JSON.parse(recordsOf(home).join())).toMatchObject({ args: null });
    expect(known.size).toBe(0);
    first.kept.leave();
    expect(first.kept.staysOpen('call-1')).toBe(false);
    await expect(server(home, { bridge }).kept.adopt('call-1', session(), signal)).rejects.toMatchObject({
      code: 'approval_expired',
      message: expect.stringContaining('held a secret') as unknown,
    });
    expect(recordsOf(home)).toEqual([]);
  });

  it('is not performed by a server that is leaving once another one has it', async () => {
    const { first, adopt } = await leftCall();
    expect(first.staysOpen('call-1')).toBe(true);
    expect(await adopt()).not.toBeNull();
    expect(await codeOf(first.take('call-1'))).toBe('cancelled');
  });

  it('that has ended or is performed is removed, and a server that leaves removes nothing', async () => {
    const home = await temporaryHome();
    const { bridge } = fakeBrowser();
    const { kept } = server(home, { bridge });
    await kept.keep(question(), session());
    kept.forget('call-1');
    await vi.waitFor(() => expect(recordsOf(home)).toEqual([]), PATIENCE);
    await kept.keep(question(), session());
    await kept.take('call-1');
    expect(recordsOf(home)).toEqual([]);
    await kept.keep(question(ARGS, { id: 'b1:q_2' }), session());
    kept.leave();
    kept.forget('call-1');
    await kept.keep(question(ARGS, { id: 'b1:q_2' }), session());
    expect(recordsOf(home)).toHaveLength(1);
  });

  it('ends with its server where the disk takes nothing, and the server says so', async () => {
    const home = await temporaryHome();
    const { bridge, kept: known } = fakeBrowser();
    // A folder in place of the file: nobody, not even root, can write there.
    mkdirSync(join(home, 'home.db'));
    const { kept, warned } = server(home, { bridge });
    await kept.keep(question(), session());
    expect(warned.join()).toContain('ends with this server');
    expect(known.size).toBe(0);
    kept.leave();
    expect(kept.staysOpen('call-1')).toBe(false);
  });
});

it('the next server knows whose text a call has, and the home has none of it', async () => {
  const raised = question();
  const source = {
    site: 'https://mail.example',
    group: 'mail.example',
    is_private: true,
    how: 'text',
  } as const;
  const sources = [{ ...source, passages: 1, characters: 40, marks: ['The board meets'] }];
  const call = { ...raised.scope.call, sources };
  const { home, adopt } = await leftCall({ ...raised, scope: { ...raised.scope, call } });
  expect(recordsOf(home).join()).not.toContain('The board');
  expect(await adopt()).toMatchObject({ sources: [{ site: 'https://mail.example', marks: [] }] });
});

describe('an adoption', () => {
  it.each(['left', 'died'])('has the call of a server that has %s, for session and tab', async (how) => {
    const home = await temporaryHome();
    const { bridge, adopted } = fakeBrowser();
    const first = server(home, { bridge });
    const before = session();
    before.currentTab = 'b1:7';
    await first.kept.keep(question(), before);
    if (how === 'left') first.kept.leave();
    else endServers(home);
    const after = session('codex', 's2');
    expect(await server(home, { bridge }).kept.adopt('call-1', after, signal)).toEqual({
      tool: 'interact',
      args: ARGS,
      question: 'b1:q_1',
    });
    expect(adopted).toEqual([{ id: 'q_1', session: 's2' }]);
    expect(after.currentTab).toBe('b1:7');
    expect(recordsOf(home)).toHaveLength(1);
  });

  it('says that a browser has forgotten the question, or has another name than the arguments say', async () => {
    const forgotten = await leftCall();
    forgotten.kept.clear();
    expect(await codeOf(forgotten.adopt())).toBe('approval_expired');
    expect(recordsOf(forgotten.home)).toEqual([]);
    const renamed = await leftCall();
    renamed.bridge.change(
      browserState({ id: 'b1', instance: 'another-one' }),
      browserState({ id: 'b2', instance: 'instance-b1' }),
    );
    expect(await codeOf(renamed.adopt())).toBe('approval_expired');
  });

  it('waits for the browser that was asked, and takes no other', async () => {
    const { next, adopt } = await leftCall(question({ steps: ['click e1'] }));
    const { bridge } = fakeBrowser();
    const another = browserState({ id: 'b1', instance: 'another-one' });
    bridge.change(another);
    const adopting = adopt(session(), next(bridge));
    bridge.answer({ 'question.adopt': async () => ({ adopted: true }) });
    await vi.waitFor(() => expect(bridge.listening).toBeGreaterThan(1), PATIENCE);
    bridge.change(another, browserState({ id: 'b2', instance: 'instance-b1' }));
    expect(await adopting).toMatchObject({ question: 'b2:q_1' });
  });
});
