import { describeDownload } from '../../../shared/act/downloads.ts';
import { cut } from '../../../shared/cut.ts';
import { describeIssues } from '../../../shared/describe-issues.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { MethodResult } from '../../../shared/bridge/methods.ts';
import type { Step } from '../../../shared/act/steps.ts';
import { CONDITION_NAMES, WaitConditions } from '../../../shared/tools/wait_for/conditions.ts';

/** How long a step waits for its condition. */
export const WAIT_STEP_MS = 10_000;

/** Conditions that need no value. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(['load', 'download', 'network_idle']);

const TEXT_UNITS = 200;

/**
 * The condition of a step: `text Saved`, `target_gone css=.spinner`, `load`. A step with a target waits for
 * it.
 *
 * @throws SpillwayError `invalid_argument` naming the conditions that there are
 */
export function conditionsOf({ value = '', target }: Step): WaitConditions {
  const text = Array.isArray(value) ? value.join(' ') : value;
  const [, name = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(text) ?? [];
  if (target !== undefined) return parse({ [name === 'gone' ? 'target_gone' : 'target']: target });
  if (!CONDITION_NAMES.some((known) => known === name))
    throw new SpillwayError(
      'invalid_argument',
      `wait: ${JSON.stringify(cut(name, 40))} is not a condition; there are ${CONDITION_NAMES.join(', ')}.`,
    );
  if (rest === '' && !WITHOUT_VALUE.has(name))
    throw new SpillwayError('invalid_argument', `wait: ${name} takes a value, such as wait text Saved.`);
  return parse({ [name]: rest === '' ? true : rest });
}

function parse(conditions: object): WaitConditions {
  const parsed = WaitConditions.safeParse(conditions);
  if (parsed.success) return parsed.data;
  throw new SpillwayError('invalid_argument', `wait: ${describeIssues(parsed.error.issues, 'condition')}.`);
}

/** What a wait came to. @throws SpillwayError `timeout` with what was there instead */
export function outcomeOf(waited: MethodResult<'page.await'>): string {
  const { is_over: isOver, waited_ms: waitedMs, missing, url, hidden, nearest } = waited;
  const { downloads, under_way: pending } = waited;
  if (!isOver) return `after ${waitedMs} ms`;
  const instead = [
    `the address is ${cut(url, TEXT_UNITS)}`,
    ...(hidden !== null && hidden > 0 ? [`${hidden} hidden elements match`] : []),
    ...(nearest[0] === undefined ? [] : [`the nearest is ${cut(nearest[0], TEXT_UNITS)}`]),
    ...downloads.map(describeDownload),
    ...(pending[0] === undefined ? [] : [`${cut(pending[0], TEXT_UNITS)} is still loading`]),
  ];
  throw new SpillwayError(
    'timeout',
    `No ${missing.join(', ')} within ${waitedMs} ms; ${instead.join('; ')}.`,
    {
      hint: 'Read the page to see its state, or call wait_for with a longer timeout_ms.',
    },
  );
}
