/**
 * How many bytes the origin of the page uses, as JSON.
 *
 * Runs in a page through `scripting.executeScript`, which passes it on as text: it sees its arguments and
 * the page, and nothing else of the extension.
 */
export async function readUsage(): Promise<string> {
  // Pages without TLS are not told.
  if (typeof navigator.storage === 'undefined') return '[]';
  const estimate = await navigator.storage.estimate();
  const details: unknown = Reflect.get(estimate, 'usageDetails');
  const usage = { kind: 'usage', usage_bytes: estimate.usage ?? null, by_type_bytes: details ?? {} };
  return JSON.stringify([usage]);
}
