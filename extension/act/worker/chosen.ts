import type { MethodParams } from '../../../shared/core/bridge/methods.ts';
import { risksOfAct } from '../../../shared/core/policy/call-risks.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { base64Bytes } from '../../core/ports/base64.ts';
import type { ServerPort, WorkerServices } from '../../core/handler.ts';
import type { CallPolicy } from '../../core/policy/call-policy.ts';
import { topOf } from '../../core/policy/documents.ts';
import type { ChosenFile } from '../../people/worker/chosen-files.ts';
import type { Uploads } from './files.ts';

type Params = MethodParams<'act.run'>;

interface ChoosingParts extends Pick<WorkerServices, 'chosen'> {
  readonly uploads: Uploads;
  readonly policy: CallPolicy;
  readonly server: ServerPort;
  readonly signal: AbortSignal;
}

const refused = (why: string, hint?: string): SpillwayError =>
  new SpillwayError('upload_refused', why, { hint });

/** The last part of a path. */
const nameOf = (path: string): string => path.split(/[/\\]/).at(-1) ?? '';

/**
 * An act with the files that a person chose for it, whom it asks before it begins.
 * @throws SpillwayError `upload_refused`, and those of `CallPolicy.expect`
 */
export async function withChosen(params: Params, parts: ChoosingParts): Promise<Params> {
  const { policy, chosen, uploads, server, signal } = parts;
  const steps = params.files.flatMap(({ asked }) => asked ?? []);
  const place = steps.length === 0 ? null : await topOf(params.tab_id);
  if (place === null) return params;
  const by = await policy.expect(place, risksOfAct(params), { isAlone: true, chosen: steps });
  if (by.kind !== 'grant')
    throw refused(
      'Only a person can choose these files, and this browser asks nobody.',
      'Ask the person to start the server with --upload-root, or to let the browser ask.',
    );
  const given = chosen.take(by.id);
  const files = params.files.flatMap((file): Params['files'] => {
    if (file.asked === undefined) return [file];
    const own = given.filter(({ step }) => step === file.asked);
    if (own.length === 0)
      throw refused(
        'The files that the person chose are gone: the extension has restarted since.',
        'Call again.',
      );
    return own.map((one) => ({ ...file, ...stage(one, uploads), refused: null }));
  });
  const named = new Set(params.files.flatMap(({ path }) => path.split('\n').map(nameOf)));
  const names = given.map(({ name }) => name).filter((name) => !named.has(name));
  // Before the page can show them.
  if (names.length > 0) await server.request('files.chosen', { names }, signal);
  return { ...params, files };
}

function stage({ name, mime, chunks }: ChosenFile, uploads: Uploads) {
  const file = crypto.randomUUID();
  let offset = 0;
  for (const data of chunks) {
    uploads.take({ file, offset, data });
    offset += base64Bytes(data);
  }
  return { file, name, mime };
}
