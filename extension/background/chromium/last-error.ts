/** Why the browser closed a native port. Only readable while `onDisconnect` is being handled. */
export const lastError = (): string | undefined => chrome.runtime.lastError?.message;

/**
 * Calls back when the other end of a port is gone. A page that the browser keeps for Back says why in `lastError`; unread,
 * it is an error of the extension, with a red button in chrome://extensions.
 */
export function onGone(
  port: { readonly onDisconnect: { addListener(listener: () => void): void } },
  listener: () => void,
): void {
  port.onDisconnect.addListener(() => {
    lastError();
    listener();
  });
}
