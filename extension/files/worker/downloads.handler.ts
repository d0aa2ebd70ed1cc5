import { DOWNLOADS_NAMED } from '../../../shared/core/downloads.ts';
import { cut } from '../../../shared/base/cut.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { siteOf } from '../../../shared/core/policy/sites.ts';
import type { SavedFile } from '../../../shared/files/downloads.methods.ts';
import { boundUrl, type TabDownloads } from './download-watch.ts';
import { findSaved } from '../../platform/chromium/downloads.ts';
import type { Create, WorkerServices } from '../../core/handler.ts';
import { getReadableTab } from '../../core/pages/targets.ts';
import { topOf } from '../../core/policy/documents.ts';
import type { CallPolicy } from '../../core/policy/call-policy.ts';

const NAME_UNITS = 200;
const STATES = { in_progress: 'in_progress', complete: 'completed', interrupted: 'interrupted' } as const;

interface FoundDownload {
  readonly file: SavedFile;
  readonly item: chrome.downloads.DownloadItem | null;
}

/** The methods of `downloads`. The browser's list includes the person's own: the agent sees none of those. */
export const createHandlers: Create<'downloads.list' | 'downloads.take'> = ({ downloads, chosen }) => ({
  'downloads.list': async ({ tab_id: tabId }, { policy }) => {
    const { url = '' } = await getReadableTab(tabId);
    const all = await filesOf(downloads, tabId);
    const files: SavedFile[] = [];
    for (const { file } of all)
      if (
        siteOf(file.url) === null ||
        (await policy.allows({ url: file.url, tabId, documentId: null }, ['read']))
      )
        files.push(file);
    return { url, downloads: files, left_out: all.length - files.length };
  },
  'downloads.take': async ({ tab_id: tabId, id, asks_folder: asksFolder }, { policy }) => {
    if (asksFolder !== true) await policy.expectTab(tabId, ['download']);
    const found = (await filesOf(downloads, tabId)).find(({ file }) => file.id === id);
    if (found?.item == null)
      throw new SpillwayError('download_refused', `No act in tab ${tabId} began download ${id}.`);
    const { file, item } = found;
    const folder = asksFolder === true ? await askFolder(tabId, policy, chosen) : undefined;
    // Without a site of its own, it comes from the tab's.
    const page = siteOf(file.url) ? null : await topOf(tabId);
    await policy.expect(page ?? { url: file.url, tabId, documentId: null }, ['download']);
    return { file, path: item.filename, danger: item.danger, exists: item.exists, folder };
  },
});

/** The folder that the person names on the card. Undefined without a page. @throws SpillwayError `save_refused` */
async function askFolder(
  tabId: number,
  policy: CallPolicy,
  chosen: WorkerServices['chosen'],
): Promise<string | undefined> {
  const page = await topOf(tabId);
  if (page === null) return undefined;
  const by = await policy.expect(page, ['download'], { isAlone: true, chosen: [0] });
  if (by.kind !== 'grant')
    throw new SpillwayError(
      'save_refused',
      'Only a person can name a folder, and this browser asks nobody.',
      {
        hint: 'Ask the person to start the server with --download-root, or to let the browser ask.',
      },
    );
  const [folder] = chosen.take(by.id);
  if (folder !== undefined) return folder.name;
  const why = 'The folder that the person named is gone: the extension has restarted since.';
  throw new SpillwayError('save_refused', why, { hint: 'Call again.' });
}

async function filesOf(downloads: TabDownloads, tabId: number): Promise<readonly FoundDownload[]> {
  const taken = new Set<number>();
  const found: FoundDownload[] = [];
  for (const { startedAtMs, facts } of downloads.kept(tabId).slice(-DOWNLOADS_NAMED)) {
    const item = await findSaved((url) => boundUrl(url) === facts.url, startedAtMs, taken);
    if (item !== null) taken.add(item.id);
    const saved = item === null ? { id: null, mime_type: '' } : savedFacts(item);
    found.push({ file: { ...facts, ...saved }, item });
  }
  return found;
}

function savedFacts({ id, filename, mime, state, bytesReceived, totalBytes }: chrome.downloads.DownloadItem) {
  const name = filename.split(/[/\\]/).at(-1) ?? '';
  return {
    id,
    mime_type: cut(mime, NAME_UNITS).toWellFormed(),
    state: STATES[state],
    received_bytes: bytesReceived,
    total_bytes: totalBytes < 0 ? null : totalBytes,
    ...(name !== '' && { name: cut(name, NAME_UNITS).toWellFormed() }),
  };
}
