import type { ListedRun } from '../../shared/bridge/feed.ts';
import { cut } from '../../shared/cut.ts';
import type { JsonValue } from '../../shared/json.ts';
import type { CleanRecord } from '../redact/clean.ts';

type Scalar = string | number | boolean;

/** What a tool adds to find the same browser again: nobody has given it. */
const BROWSER = 'instance';
const NAME_UNITS = 64;
const VALUE_UNITS = 200;
/** Of all arguments of a run, as JSON: a page of runs has to fit in a frame of the bridge. */
const RUN_BYTES = 1_500;

/** What a list says of the arguments of a run: as many as have room, in their order, long ones cut. */
export function shortArguments(given: CleanRecord): Pick<ListedRun, 'args' | 'args_left'> {
  const args: [name: string, value: Scalar][] = [];
  let left = 0;
  let bytes = 0;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || name === BROWSER) continue;
    const member: [string, Scalar] = [cut(name, NAME_UNITS), shortValue(value)];
    const size = Buffer.byteLength(JSON.stringify(member));
    if (bytes + size > RUN_BYTES) left += 1;
    else {
      bytes += size;
      args.push(member);
    }
  }
  return { args: Object.fromEntries(args), ...(left === 0 ? {} : { args_left: left }) };
}

function shortValue(value: JsonValue): Scalar {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return cut(value, VALUE_UNITS);
  // It has no words to be cut between.
  const json = JSON.stringify(value);
  return json.length <= VALUE_UNITS ? json : `${json.slice(0, VALUE_UNITS - 1).toWellFormed()}…`;
}
