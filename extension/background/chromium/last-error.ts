/** Why the browser closed a native port. Only readable while `onDisconnect` is being handled. */
export const lastError = (): string | undefined => chrome.runtime.lastError?.message;
