/** The normal window that had the focus last, or null when none is open. */
export async function lastFocusedWindow(): Promise<number | null> {
  try {
    // Without `windowTypes` this could be a window of developer tools or an application.
    const found = await chrome.windows.getLastFocused({ windowTypes: ['normal'] });
    if (found.id !== undefined && found.type === 'normal') return found.id;
  } catch {
    // Chrome rejects when there is no such window; another normal one may still be open.
  }
  const [first] = await chrome.windows.getAll({ windowTypes: ['normal'] });
  return first?.id ?? null;
}
