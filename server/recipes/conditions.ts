import { canonicalJson } from '../../shared/canonical-json.ts';
import { isJsonList, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Condition } from '../../shared/recipes/recipe.ts';
import { follow, parseReference } from '../../shared/recipes/references.ts';

/** Whether a condition holds. What cannot be compared is not equal. */
export function holds(condition: Condition, scope: JsonObject): boolean {
  const { ref, exists, equals, not_equals: notEquals, contains } = condition;
  const found = follow(scope, parseReference(ref) ?? ['']);
  if (exists !== undefined) return exists === (found !== undefined && found !== null);
  if (equals !== undefined) return isSame(found, equals);
  if (notEquals !== undefined) return !isSame(found, notEquals);
  if (contains === undefined || found === undefined) return false;
  return typeof found === 'string' ? found.includes(contains) : isJsonList(found) && found.includes(contains);
}

function isSame(one: JsonValue | undefined, other: JsonValue): boolean {
  if (one === undefined) return false;
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return false;
  }
}
