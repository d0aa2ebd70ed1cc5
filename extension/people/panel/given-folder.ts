import browser from 'webextension-polyfill';
import { isObject } from '../../../shared/base/json.ts';

/** How long a person gives a folder: for one card, until the browser ends, or until they take it back. */
export const KEEPING = ['once', 'session', 'always'] as const;

/** A folder that a person has picked, as the browser names it: nobody learns its path. */
export interface GivenFolder {
  readonly folder: FileSystemDirectoryHandle;
  readonly keeping: (typeof KEEPING)[number];
}

/* TypeScript does not declare these, and Firefox has none of them. */
declare global {
  interface Window {
    showDirectoryPicker?(options: { readonly id: string }): Promise<FileSystemDirectoryHandle>;
  }
  interface FileSystemDirectoryHandle {
    requestPermission(options: { readonly mode: 'read' }): Promise<PermissionState>;
  }
}

export const canGiveFolders = (): boolean => window.showDirectoryPicker !== undefined;

/** The browser asks for a folder. Undefined if the person picks none. */
export const pickFolder = async (): Promise<FileSystemDirectoryHandle | undefined> =>
  window.showDirectoryPicker?.({ id: 'uploads' }).catch(() => undefined);

const NAME = 'given_folder';

/** Only a database takes a handle. */
function stored<T>(work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise((done, fail) => {
    const opening = indexedDB.open(NAME);
    opening.onupgradeneeded = () => opening.result.createObjectStore(NAME);
    const failed = (): void => fail(new Error('The folder could not be stored.'));
    opening.onerror = failed;
    opening.onsuccess = () => {
      const request = work(opening.result.transaction(NAME, 'readwrite').objectStore(NAME));
      request.onerror = failed;
      request.onsuccess = () => done(request.result);
      opening.result.close();
    };
  });
}

/** Stores the folder for as long as the person gives it; null removes it. */
export async function keepFolder(given: GivenFolder | null): Promise<void> {
  if (given === null || given.keeping === 'once') await stored((store) => store.delete(NAME));
  else await stored((store) => store.put(given, NAME));
  await browser.storage.session.set({ [NAME]: true });
}

/** The folder that is still given; null without one. */
export async function findFolder(): Promise<GivenFolder | null> {
  const given: unknown = await stored((store) => store.get(NAME));
  const { [NAME]: isOfThisRun } = await browser.storage.session.get(NAME);
  if (!isObject(given) || !(given['folder'] instanceof FileSystemDirectoryHandle)) return null;
  const keeping = given['keeping'] === 'always' ? 'always' : 'session';
  return keeping === 'always' || isOfThisRun === true ? { folder: given['folder'], keeping } : null;
}

/**
 * A file by its name in a folder, such as `cv.pdf` or `letters/cv.pdf`. The browser refuses names that lead out, and
 * finds no links. It may ask the person again, for which this has to follow their press.
 * @throws DOMException, TypeError
 */
export async function fileIn({ folder }: GivenFolder, name: string): Promise<File> {
  await folder.requestPermission({ mode: 'read' });
  const [file = '', ...folders] = name.split('/').toReversed();
  let at = folder;
  for (const one of folders.toReversed()) at = await at.getDirectoryHandle(one);
  return (await at.getFileHandle(file)).getFile();
}
