/** Keeps the values that were used last, by key: of more than `most`, the one that was used longest ago goes. */
export function recent<T>(kept: Map<string, T>, most: number, key: string, make: () => T): T {
  const value = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
  return value;
}
