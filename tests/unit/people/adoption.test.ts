import { describe, expect, it, vi } from 'vitest';
import { SpillwayError } from '../../../shared/errors.ts';
import { codeOf } from '../../support/code-of.ts';
import { browserState } from '../../support/fake-bridge.ts';
import { temporaryHome } from '../../support/home.ts';
import { PATIENCE } from '../../support/patience.ts';
import { ARGS, fakeBrowser, filesOf, kill, leftCall, question, server, session, signal } from './kept-rig.ts';

describe('an adoption', () => {
  it.each(['left', 'died'])(
    'has the call of a server that has %s, for the session and its tab',
    async (how) => {
      const home = await temporaryHome();
      const { bridge, adopted } = fakeBrowser();
      const first = server(home, { bridge });
      const before = session();
      before.currentTab = 'b1:7';
      await first.kept.keep(question(), before);
      if (how === 'left') first.kept.leave();
      else kill(home);
      const after = session('codex', 's2');
      expect(await server(home, { bridge }).kept.adopt('call-1', after, signal)).toEqual({
        tool: 'interact',
        args: ARGS,
        question: 'b1:q_1',
      });
      expect(adopted).toEqual([{ id: 'q_1', session: 's2' }]);
      expect(after.currentTab).toBe('b1:7');
      expect(filesOf(home)).toHaveLength(1);
    },
  );

  it('is refused while the server is there', async () => {
    const home = await temporaryHome();
    const { bridge, adopted } = fakeBrowser();
    await server(home, { bridge }).kept.keep(question(), session());
    const adopting = server(home, { bridge }).kept.adopt('call-1', session(), signal);
    expect(await codeOf(adopting)).toBe('call_not_pending');
    expect(adopted).toEqual([]);
    expect(filesOf(home)).toHaveLength(1);
  });

  it('finds nothing for another client, and leaves the call to its own', async () => {
    const { next, adopt } = await leftCall();
    const kept = next();
    expect(await adopt(session('claude-code'), kept)).toBeNull();
    expect(await kept.adopt('call-2', session(), signal)).toBeNull();
    expect(await adopt(session(), kept)).not.toBeNull();
  });

  it.each(['several servers', 'one server'])('happens once in %s', async (where) => {
    const { next, adopt } = await leftCall();
    const one = next();
    const adopting = Array.from({ length: 5 }, () =>
      adopt(session(), where === 'one server' ? one : next()).catch(() => null),
    );
    expect((await Promise.all(adopting)).filter((end) => end !== null)).toHaveLength(1);
    if (where === 'one server') expect(await adopt(session(), one)).toBeNull();
  });

  it('can be tried again where the browser went in its midst', async () => {
    const { bridge, next, adopt } = await leftCall();
    const kept = next();
    let hasFailed = false;
    bridge.answer({
      'question.adopt': async () => {
        if (hasFailed) return { adopted: true };
        hasFailed = true;
        throw new SpillwayError('browser_disconnected', 'It has gone.');
      },
    });
    expect(await codeOf(adopt(session(), kept))).toBe('browser_disconnected');
    expect(await adopt(session(), kept)).not.toBeNull();
  });

  it('says that a browser has forgotten the question, or has another name than the arguments say', async () => {
    const forgotten = await leftCall();
    forgotten.kept.clear();
    expect(await codeOf(forgotten.adopt())).toBe('approval_expired');
    expect(filesOf(forgotten.home)).toEqual([]);
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
    // By then it listens.
    await vi.waitFor(() => expect(bridge.listening).toBeGreaterThan(1), PATIENCE);
    bridge.change(another, browserState({ id: 'b2', instance: 'instance-b1' }));
    expect(await adopting).toMatchObject({ question: 'b2:q_1' });
  });
});
