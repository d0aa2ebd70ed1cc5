import { FlattenMap, LEAST_UPPER_BOUND, originalPositionFor } from '@jridgewell/trace-mapping';
import { parentPort, workerData } from 'node:worker_threads';
import { Order, type Answer } from './order.ts';

/* Looks positions up in a thread of its own: a page determines the time and the memory that its maps take. */
type Wanted = Order['maps'][number];

/** Before JSON, against its inclusion as a script: https://tc39.es/ecma426/ */
const GUARD = /^\)\]\}'[^\n]*\n/;

function lookUp({ text, url, positions }: Wanted): Answer['maps'][number] {
  const map = new FlattenMap(text.replace(GUARD, ''), url);
  return positions.map(({ line, column }) => {
    const needle = { line, column: column - 1 };
    const first = originalPositionFor(map, needle);
    // A rule or a function may begin before the first mapping of its line.
    const found =
      first.source === null ? originalPositionFor(map, { ...needle, bias: LEAST_UPPER_BOUND }) : first;
    return found.source === null
      ? null
      : { source: found.source, line: found.line, column: found.column + 1 };
  });
}

function tryToLookUp(wanted: Wanted): Answer['maps'][number] {
  try {
    return lookUp(wanted);
  } catch {
    return null;
  }
}

const answer: Answer = { maps: Order.parse(workerData).maps.map(tryToLookUp) };
parentPort?.postMessage(answer);
