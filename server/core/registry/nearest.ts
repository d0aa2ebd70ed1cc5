/**
 * Levenshtein distance, two rows (Wagner–Fischer). Names are short, so quadratic is fine.
 */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** At most two of `names` that a person may have meant by `wanted`, nearest first. */
export function nearestNames(wanted: string, names: readonly string[]): readonly string[] {
  const word = wanted.slice(0, 64).toLowerCase();
  return names
    .map((name) => ({
      name,
      distance: word.length > 2 && name.includes(word) ? 1 : editDistance(word, name),
    }))
    .filter(
      // A short name that differs in every letter is not a typo of the other.
      ({ name, distance }) =>
        distance < Math.max(word.length, name.length) && distance <= Math.max(2, Math.floor(name.length / 3)),
    )
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 2)
    .map(({ name }) => name);
}
