import type { z } from 'zod';
import { each } from '../../../shared/async/queue.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { MIME } from '../../../shared/mime.ts';
import type { manifest } from '../../../shared/tools/picked/manifest.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/definition.ts';
import { shownPick, type SessionPicks } from '../../core/picks.ts';
import type { Produced } from '../../core/result.ts';

type Args = z.output<typeof manifest.input>;

export const createRuntimes = (): ToolRuntimes => ({ picked: createPicked() });

function createPicked(): ToolRuntime<Args> {
  return {
    async run({ wait_ms: waitMs, all, picture }, { session: { picks }, signal }) {
      if (picture !== undefined) return pictureOf(picks, picture);
      const fresh = await picks.take(waitMs, signal);
      const shown = all ? picks.all() : fresh;
      const left = picks.all().length - shown.length;
      return {
        payload: { kind: 'json', mimeType: MIME.json, value: { picks: shown.map(shownPick) } },
        done: Promise.resolve({
          state: {},
          coverage: [
            ...(shown.length === 0
              ? ['The person has pointed at nothing new: ask them to press Pick in the side panel.']
              : []),
            ...(left === 0 ? [] : [`${left} earlier: call picked with all.`]),
          ],
        }),
        untrustedFrom: () => shown[0]?.url,
      };
    },
  };
}

/** @throws SpillwayError `invalid_argument` */
function pictureOf(picks: SessionPicks, id: string): Produced {
  const found = picks.all().find((pick) => pick.id === id);
  if (found === undefined || found.picture === null)
    throw new SpillwayError('invalid_argument', `picture: ${id} is no pick with a picture.`, {
      hint: 'Call picked with all for the ids.',
    });
  return {
    payload: { kind: 'bytes', mimeType: MIME.webp, chunks: each([Buffer.from(found.picture, 'base64')]) },
    done: Promise.resolve({ state: { id, url: found.url }, coverage: [] }),
    untrustedFrom: () => found.url,
  };
}
