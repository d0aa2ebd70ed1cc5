import type { Storage } from 'webextension-polyfill';

/**
 * Calls back with a stored value, and on each change of it.
 * @returns ends that
 */
export function followStored(
  area: Storage.StorageArea,
  key: string,
  take: (value: unknown) => void,
): () => void {
  const look = (changes: Record<string, Storage.StorageChange>): void => {
    if (key in changes) take(changes[key]?.newValue);
  };
  area.onChanged.addListener(look);
  void area.get(key).then((stored) => take(stored[key]));
  return () => area.onChanged.removeListener(look);
}
