import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { MethodParams } from '../../../shared/bridge/methods.ts';
import type { CallContext } from '../../core/context.ts';
import type { Bridge, BrowserId, StagedFile, Uploads } from '../../core/services.ts';
import type { Plan } from './parse-args.ts';

type Files = MethodParams<'act.run'>['files'];

/** A path in a field: only the page knows whether the field takes files. */
const PATH = /^(?:[/\\]|[A-Za-z]:[/\\])/;

const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

/**
 * Copies the files that a plan names, and sends them to the worker, from where the page gets them: an
 * extension may not open files by their paths unless a person allows it.
 *
 * @throws SpillwayError `upload_refused` for a file of an upload step
 */
export async function stageUploads(
  { fields, steps }: Plan,
  {
    bridge,
    uploads,
    browser,
  }: { readonly bridge: Bridge; readonly uploads: Uploads; readonly browser: BrowserId },
  context: CallContext,
): Promise<Files> {
  const inSteps = steps.flatMap((step) => (step.do === 'upload' ? listOf(step.value) : []));
  const inFields = fields.flatMap(({ value }) => listOf(value)).filter((text) => PATH.test(text));
  const wanted = [...new Set(inSteps)];
  const staged = await uploads.stage(wanted, context.session);
  const files: Files = [];
  for (const file of staged) files.push(await send(file, { bridge, browser, context }));
  for (const path of new Set(inFields.filter((one) => !wanted.includes(one)))) {
    const [file, refused] = await uploads.stage([path], context.session).then(
      ([one]) => [one, ''] as const,
      (thrown: unknown) => [undefined, refusalOf(thrown, path)] as const,
    );
    files.push(
      file === undefined
        ? { path, file: null, name: '', mime: '', refused }
        : await send(file, { bridge, browser, context }),
    );
  }
  return files;
}

/** Why a file is not given to a field, should that turn out to take files. */
function refusalOf(thrown: unknown, path: string): string {
  if (!(thrown instanceof SpillwayError) || thrown.code !== 'upload_refused') throw thrown;
  return thrown.message.replace(`${path}: `, '').replace(/\.$/, '');
}

async function send(
  { source, path, name, mime }: StagedFile,
  {
    bridge,
    browser,
    context,
  }: { readonly bridge: Bridge; readonly browser: BrowserId; readonly context: CallContext },
): Promise<Files[number]> {
  const file = randomUUID();
  const opened = await open(path);
  try {
    const chunk = Buffer.alloc(LIMITS.uploadChunkBytes);
    for (let offset = 0; ;) {
      const { bytesRead } = await opened.read(chunk, 0, chunk.length, offset);
      if (bytesRead === 0) return { path: source, file, name, mime, refused: null };
      const data = chunk.subarray(0, bytesRead).toString('base64');
      await bridge.request(
        browser,
        'act.stage',
        { file, offset, data },
        { call: context.call, signal: context.signal },
      );
      offset += bytesRead;
    }
  } finally {
    await opened.close();
  }
}
