import { describe, expect, it, vi } from 'vitest';
import { SpillwayError } from '../../../shared/errors.ts';
import { browserState } from '../../support/fake-bridge.ts';
import { temporaryHome } from '../../support/home.ts';
import { PATIENCE } from '../../support/patience.ts';
import { ARGS, codeOf, fakeBrowser, filesOf, kill, question, server, session, signal } from './kept-rig.ts';

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
    expect(await codeOf(server(home, { bridge }).kept.adopt('call-1', session(), signal))).toBe(
      'call_not_pending',
    );
    expect(adopted).toEqual([]);
    expect(filesOf(home)).toHaveLength(1);
  });

  it('finds nothing for another client, and leaves the call to its own', async () => {
    const home = await temporaryHome();
    const { bridge } = fakeBrowser();
    const first = server(home, { bridge });
    await first.kept.keep(question(), session());
    first.kept.leave();
    const { kept } = server(home, { bridge });
    expect(await kept.adopt('call-1', session('claude-code'), signal)).toBeNull();
    expect(await kept.adopt('call-2', session(), signal)).toBeNull();
    expect(await kept.adopt('call-1', session(), signal)).not.toBeNull();
  });

  it('is one server’s of several', async () => {
    const home = await temporaryHome();
    const { bridge } = fakeBrowser();
    const first = server(home, { bridge });
    await first.kept.keep(question(), session());
    first.kept.leave();
    const ends = await Promise.all(
      Array.from({ length: 5 }, () =>
        server(home, { bridge })
          .kept.adopt('call-1', session(), signal)
          .catch(() => null),
      ),
    );
    expect(ends.filter((end) => end !== null)).toHaveLength(1);
  });

  it('happens once in one server, too', async () => {
    const home = await temporaryHome();
    const { bridge } = fakeBrowser();
    const first = server(home, { bridge });
    await first.kept.keep(question(), session());
    first.kept.leave();
    const { kept } = server(home, { bridge });
    const ends = await Promise.all([
      kept.adopt('call-1', session(), signal),
      kept.adopt('call-1', session(), signal),
    ]);
    expect(ends.filter((end) => end !== null)).toHaveLength(1);
    expect(await kept.adopt('call-1', session(), signal)).toBeNull();
  });

  it('can be tried again where the browser went in its midst', async () => {
    const home = await temporaryHome();
    const { bridge } = fakeBrowser();
    const first = server(home, { bridge });
    await first.kept.keep(question(), session());
    first.kept.leave();
    const { kept } = server(home, { bridge });
    let hasFailed = false;
    bridge.answer({
      'question.adopt': async () => {
        if (hasFailed) return { adopted: true };
        hasFailed = true;
        throw new SpillwayError('browser_disconnected', 'It has gone.');
      },
    });
    expect(await codeOf(kept.adopt('call-1', session(), signal))).toBe('browser_disconnected');
    expect(await kept.adopt('call-1', session(), signal)).not.toBeNull();
  });

  it('says that a browser has gone, or has forgotten the question', async () => {
    const home = await temporaryHome();
    const { bridge, kept: known } = fakeBrowser();
    const first = server(home, { bridge });
    await first.kept.keep(question(), session());
    first.kept.leave();
    known.clear();
    expect(await codeOf(server(home, { bridge }).kept.adopt('call-1', session(), signal))).toBe(
      'approval_expired',
    );
    expect(filesOf(home)).toEqual([]);
  });

  it('waits for the browser that was asked, and takes no other', async () => {
    const home = await temporaryHome();
    const { bridge } = fakeBrowser();
    const first = server(home, { bridge });
    await first.kept.keep(question({ steps: ['click e1'] }), session());
    first.kept.leave();
    const other = fakeBrowser();
    const asked = browserState({ id: 'b2', instance: 'instance-b1' });
    other.bridge.change(browserState({ id: 'b1', instance: 'another-one' }));
    const adopting = server(home, { bridge: other.bridge }).kept.adopt('call-1', session(), signal);
    other.bridge.answer({ 'question.adopt': async () => ({ adopted: true }) });
    // By then it listens.
    await vi.waitFor(() => expect(other.bridge.listening).toBeGreaterThan(1), PATIENCE);
    other.bridge.change(browserState({ id: 'b1', instance: 'another-one' }), asked);
    expect(await adopting).toMatchObject({ question: 'b2:q_1' });
  });

  it('is refused where the arguments name a browser that has another name now', async () => {
    const home = await temporaryHome();
    const { bridge } = fakeBrowser();
    const first = server(home, { bridge });
    await first.kept.keep(question(), session());
    first.kept.leave();
    bridge.change(
      browserState({ id: 'b1', instance: 'another-one' }),
      browserState({ id: 'b2', instance: 'instance-b1' }),
    );
    expect(await codeOf(server(home, { bridge }).kept.adopt('call-1', session(), signal))).toBe(
      'approval_expired',
    );
  });
});
