/**
 * The stores of the page's IndexedDB databases with their keys, as JSON.
 *
 * Runs in a page through `scripting.executeScript`, which passes it on as text: it sees its arguments and
 * the page, and nothing else of the extension.
 */
export async function readDatabases(mostNames: number): Promise<string> {
  const settled = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('It failed.'));
    });
  const lines: object[] = [];
  for (const { name: database, version } of await indexedDB.databases()) {
    if (database === undefined) continue;
    const open = indexedDB.open(database);
    // Deleted since it was listed: what would be made now is not the page's.
    open.onupgradeneeded = () => open.transaction?.abort();
    try {
      const connection = await settled(open);
      try {
        if (connection.objectStoreNames.length === 0)
          lines.push({ kind: 'indexed_db', database, version, store: null, records: 0 });
        for (const store of connection.objectStoreNames) {
          const objects = connection.transaction(store, 'readonly').objectStore(store);
          const records = await settled(objects.count());
          const names = (await settled(objects.getAllKeys(null, mostNames))).map((key) =>
            typeof key === 'string' ? key : JSON.stringify(key),
          );
          lines.push({ kind: 'indexed_db', database, version, store, records, names });
        }
      } finally {
        connection.close();
      }
    } catch (thrown) {
      lines.push({ kind: 'not_read', what: 'indexed_db', database, message: String(thrown) });
    }
  }
  return JSON.stringify(lines);
}
