import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { cut } from '../../../shared/base/cut.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { ServerMethods } from '../../../shared/core/bridge/server-methods.ts';
import type { BidiSession } from './bidi.ts';

const Destroyed = z.object({ context: z.string() });
const Field = z.object({ result: z.object({ sharedId: z.string().optional() }) });

/**
 * Runs in a sandbox. The page's script of the extension hears the first event and sends the second from its field, which
 * may be in a closed root.
 */
const FIND_FIELD = `(name) => {
  const answer = name + ' field';
  let field = null;
  const hear = (event) => {
    event.stopImmediatePropagation();
    field = event.originalTarget;
  };
  window.addEventListener(answer, hear, true);
  window.dispatchEvent(new CustomEvent(name));
  window.removeEventListener(answer, hear, true);
  return field;
}`;

/**
 * Gives files to file fields. Firefox reads them from a disk, also later: a tab's files stay until the tab is closed.
 * @param folder private; the browser's end removes it
 * @param tabOf the tab of a context that was announced, as a context
 */
export async function bidiFiles(
  bidi: BidiSession,
  folder: string,
  tabOf: (context: string) => string,
): Promise<Pick<ServerMethods, 'input.stage' | 'input.files'>> {
  /** Folders of tabs, by their contexts. */
  const folders = new Map<string, string>();
  /** By their ids. */
  const paths = new Map<string, string>();
  const folderOf = (tab: string): string => {
    const known = folders.get(tab) ?? join(folder, 'uploads', String(folders.size));
    folders.set(tab, known);
    return known;
  };
  await bidi.subscribe('browsingContext.contextDestroyed', (params) => {
    const gone = folders.get(Destroyed.safeParse(params).data?.context ?? '');
    if (gone !== undefined) void rm(gone, { recursive: true, force: true }).catch(() => undefined);
  });
  return {
    'input.stage': async ({ context, file, name, data }) => {
      if (basename(name) !== name || ['.', '..'].includes(name) || name.includes('\0'))
        throw new SpillwayError('upload_refused', `${cut(name, 40)} cannot be the name of a file.`);
      // A folder of its own preserves the name.
      const path = paths.get(file) ?? join(folderOf(tabOf(context)), randomUUID(), name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await appendFile(path, Buffer.from(data, 'base64'), { mode: 0o600 });
      paths.set(file, path);
      return {};
    },
    'input.files': async ({ context, name, files }) => {
      const staged = files.flatMap((file) => paths.get(file) ?? []);
      for (const file of files) paths.delete(file);
      const found = await bidi.send('script.callFunction', {
        functionDeclaration: FIND_FIELD,
        arguments: [{ type: 'string', value: name }],
        target: { context, sandbox: 'spillway' },
        awaitPromise: false,
      });
      const { sharedId } = Field.parse(found).result;
      if (sharedId === undefined || staged.length < files.length)
        throw new SpillwayError('page_changed', 'The file field is gone.');
      await bidi.send('input.setFiles', { context, element: { sharedId }, files: staged });
      return {};
    },
  };
}
