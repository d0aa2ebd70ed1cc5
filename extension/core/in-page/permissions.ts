/**
 * The permissions that the browser has denied this document since the last call; the first call begins to listen. The
 * page runs this function alone, so it uses nothing outside.
 */
export async function deniedPermissions(): Promise<readonly string[]> {
  const key = Symbol.for('spillway.permissions');
  const known: unknown = Reflect.get(globalThis, key);
  if (Array.isArray(known)) return known.splice(0).map(String);
  const denied: string[] = [];
  Reflect.set(globalThis, key, denied);
  const listen = async (name: string): Promise<void> => {
    // The types lack the clipboard's names.
    const asked = Object.assign({ name: 'notifications' as const }, { name });
    const status = await navigator.permissions.query(asked);
    status.addEventListener('change', () => status.state === 'denied' && denied.push(name));
  };
  const names = 'notifications geolocation camera microphone clipboard-read clipboard-write midi local-fonts';
  await Promise.allSettled(names.split(' ').map(listen));
  return [];
}
