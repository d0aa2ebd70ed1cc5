import { VIDEO_BYTES } from '../../../shared/base/limits.ts';
import type { VideoFormat } from '../../../shared/pictures/record_video.methods.ts';
import { createTabHolds, runningIn, startHold } from '../../platform/chromium/debugger/tab-holds.ts';
import { beginFilm } from '../../files/worker/fetch-address.ts';
import type { Handlers, HandlerServices } from '../../core/handler.ts';
import { getReadableTab } from '../../core/pages/targets.ts';
import { look } from './concealed.ts';
import { Recording } from './record-video/recording.ts';

interface State {
  recording: Recording | null;
  format: VideoFormat;
}

const createHolds = createTabHolds<State>({
  tool: 'record_video',
  does: 'is recorded',
  begin: () => ({ recording: null, format: 'webm' }),
  show: ({ format }) => [format],
  undo: async ({ state }) => {
    const { recording } = state;
    state.recording = null;
    await recording?.drop();
  },
  resume: async ({ lease, state }) => state.recording?.attach(lease),
});

type VideoServices = Pick<
  HandlerServices,
  'debuggers' | 'channels' | 'refBook' | 'personTabs' | 'closed' | 'sessionEnds'
>;

/** The methods of `record_video`. */
export function createHandlers(services: VideoServices): Pick<Handlers, 'video.start' | 'video.stop'> {
  const holds = createHolds(services);
  const { personTabs, closed } = services;
  return {
    'video.start': async ({ tab_id: tabId, caller, format, fps, width }, { signal, policy }) => {
      await getReadableTab(tabId);
      await policy.expectFrames(tabId, ['read']);
      await startHold(holds, { tabId, agent: caller, signal }, async (hold) => {
        const film = await beginFilm(
          { is: 'begin', at: Date.now(), format, width, maxBytes: VIDEO_BYTES },
          signal,
        );
        const recording = new Recording({
          ...{ tabId, fps, width, film },
          look: () => look({ ...services, tabId, policy, signal: closed }),
          hasPerson: () => personTabs.has(tabId),
        });
        Object.assign(hold.state, { recording, format });
        await recording.begin(hold.lease, signal);
      });
      return {};
    },
    'video.stop': async ({ tab_id: tabId, caller: { session } }, { signal, policy }, sink) => {
      runningIn(holds, 'recording', { tabId, session });
      const { url = '' } = await getReadableTab(tabId);
      // A person may be asked first: recording continues until the call that may read it.
      await policy.expectFrames(tabId, ['read']);
      // After a person had the tab, it may still be resuming.
      await runningIn(holds, 'recording', { tabId, session }).hold.started?.catch(() => undefined);
      const { hold, recording } = runningIn(holds, 'recording', { tabId, session });
      hold.state.recording = null;
      try {
        const recorded = await recording.write((text) => sink.write(text), signal);
        return { url, format: hold.state.format, ...recorded };
      } finally {
        await recording.drop();
        await holds.end(tabId, hold);
      }
    },
  };
}
