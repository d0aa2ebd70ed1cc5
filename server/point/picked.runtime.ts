import { each } from '../../shared/base/queue.ts';
import { invalidArgument } from '../../shared/base/errors.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { manifest } from '../../shared/point/picked.manifest.ts';
import { pickToShow, type CallContext, type SessionPicks } from '../core/context.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Produced } from '../core/result.ts';

type PickedArgs = ArgsOf<typeof manifest>;

export const createRuntimes = (): ToolRuntimes => ({
  picked: async (
    { wait_ms: waitMs, all, picture }: PickedArgs,
    { session: { picks }, signal }: CallContext,
  ) => {
    if (picture !== undefined) return pictureOf(picks, picture);
    const fresh = await picks.take(waitMs, signal);
    const shown = all ? picks.all() : fresh;
    const left = picks.all().length - shown.length;
    const coverage = [
      ...(shown.length === 0
        ? ['The person has pointed at nothing new: ask them to press Pick an element in the side panel.']
        : []),
      ...(left === 0 ? [] : [`${left} earlier: call picked with all.`]),
    ];
    return {
      payload: { kind: 'json', mimeType: MIME.json, value: { picks: shown.map(pickToShow) } },
      outcome: () => ({ state: {}, coverage }),
      untrustedFrom: () => shown[0]?.url,
    };
  },
});

/** @throws SpillwayError `invalid_argument` */
function pictureOf(picks: SessionPicks, id: string): Produced {
  const found = picks.all().find((pick) => pick.id === id);
  if (found === undefined || found.picture === null)
    throw invalidArgument(`picture: no pick ${id} has one.`, 'Call picked with all for the ids.');
  return {
    payload: { kind: 'bytes', mimeType: MIME.webp, chunks: each([Buffer.from(found.picture, 'base64')]) },
    outcome: () => ({ state: { id, url: found.url }, coverage: [] }),
    untrustedFrom: () => found.url,
  };
}
