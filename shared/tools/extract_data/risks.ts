import type { StepRisk } from '../../act/risks.ts';
import { isObject, type JsonObject } from '../../json.ts';
import type { Risk } from '../../policy/risks.ts';

/** Pages of a run were read before. The way to the next page may be a control, which is clicked. */
export function risksOfExtract({ run, paginate }: JsonObject): readonly StepRisk[] {
  if (run !== undefined) return [];
  const isPaged = isObject(paginate) && paginate['scroll'] !== true;
  const risks: readonly Risk[] = isPaged ? ['read', 'input', 'submit', 'navigate', 'download'] : ['read'];
  return risks.map((risk) => ({ risk, step: null }));
}
