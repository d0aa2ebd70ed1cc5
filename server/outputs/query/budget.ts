import { TreeInterpreter, type JSONValue, compile } from '@jmespath-community/jmespath';
import { z } from 'zod';
import { SpillwayError, invalidArgument } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { jsonBytes } from '../../core/output/format.ts';
import type { StoredOutput } from '../../core/output/reader.ts';
import type { Clock } from '../../core/services.ts';
import { excerptBytes, excerptOf } from '../../core/output/index.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { Json } from '../../../shared/base/json-schema.ts';

interface BudgetOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly signal: AbortSignal;
  /** Longest time until a partial answer, in milliseconds. */
  readonly timeMs: number;
  readonly bytes: number;
}

/** Bytes of the call that reads a row, which is added later. */
const CALL_BYTES = 200;

/** An item that a row shows. */
export interface RowSource {
  readonly output: StoredOutput;
  readonly index: number;
}

/** A query's time, and the bytes of its answer. */
export class Budget {
  readonly #until: number;
  #left: number;
  /** Rows that were too large for a page, with the item that each is from, if it is from one. */
  readonly cut = new Map<JsonValue, RowSource | null>();

  constructor(private readonly options: BudgetOptions) {
    this.#until = options.clock.monotonic() + options.timeMs;
    this.#left = options.bytes;
  }

  holds(value: JsonValue): boolean {
    return jsonBytes(value) <= this.options.bytes;
  }

  /** A row as it appears on the page, and its bytes: if it is larger than a page, its small members and the start of the long ones. */
  fit(row: JsonValue, source: RowSource | null): { readonly shown: JsonValue; readonly bytes: number } {
    const bytes = jsonBytes(row);
    if (bytes <= this.options.bytes) return { shown: row, bytes };
    const shown = excerptOf(row, { oversized_bytes: bytes }, excerptBytes(this.options.bytes));
    this.cut.set(shown, source);
    return { shown, bytes: jsonBytes(shown) + CALL_BYTES };
  }

  /** Takes the bytes of a row from the remainder. False if nothing is left for another row. */
  take(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left > 0;
  }

  /** @throws the signal's reason, or SpillwayError `timeout` for work that cannot answer a part of itself */
  check(): void {
    if (!this.hasTime())
      throw new SpillwayError('timeout', `The query took longer than ${this.options.timeMs / 1000} s.`);
  }

  /** @throws the signal's reason */
  hasTime(): boolean {
    const { signal, clock } = this.options;
    signal.throwIfAborted();
    return clock.monotonic() < this.#until;
  }
}

type Interpreter = typeof TreeInterpreter;

/** Steps, and the values and characters that it makes. */
interface Work {
  left: number;
}

/** For every copy of this module: each would meter the library's interpreter again. */
const WORK: unique symbol = Symbol.for('spillway: work of JMESPath');
const interpreter: Interpreter & { [WORK]?: Work } = TreeInterpreter;
const work: Work = (interpreter[WORK] ??= meterWork(interpreter));

function meterWork(of: Interpreter): Work {
  const made: Work = { left: 0 };
  meter(of, made);
  return made;
}

/**
 * Makes an interpreter count its work, and see only an object's own members. The library has one interpreter,
 * which makes another for each `let`.
 */
function meter(of: Interpreter, counted: Work): Interpreter {
  const visit = of.visit.bind(of);
  const withScope = of.withScope.bind(of);
  of.visit = (node, value) => {
    if (node.type === 'Field' && !hasMember(value, node.name)) return null;
    const result = visit(node, value);
    counted.left -= 1 + (MAKERS.has(node.type) ? measureJson(result) : 0);
    if (counted.left < 0) throw new Error('it takes too much work.');
    return result;
  };
  of.withScope = (scope) => meter(withScope(scope), counted);
  return of;
}

const MAKERS: ReadonlySet<string> = new Set(
  'FilterProjection Flatten Function MultiSelectList Projection Slice ValueProjection'.split(' '),
);

const hasMember = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name);

const measureJson = (value: unknown): number =>
  Array.isArray(value) || typeof value === 'string' ? value.length : 0;

/** @throws Error for an expression that takes more than `most`, or a function that does not take what it was given */
function evaluate(node: Parameters<Interpreter['search']>[0], value: JSONValue, most: number): JSONValue {
  work.left = most;
  return interpreter.search(node, value);
}

/** The library's own JSON type, which it does not change. */
const Subject = z.custom<JSONValue>(() => true);

/** Steps that an expression may take with one item, and values that it may make. */
const ITEM_WORK = 1_000_000;
/** The same with a whole list: about two seconds. */
export const WHOLE_WORK = 20_000_000;

const SYNTAX =
  "The syntax is JMESPath: numbers as `10`, texts as 'a', names with other characters as \"a-b\", and fields that may be missing as name && starts_with(name, 'a').";

interface Expression {
  readonly node: ReturnType<typeof compile>;
  /**
   * @throws SpillwayError `invalid_argument` that names the field: a function that does not take what it was given, or
   *   too much work
   */
  of(value: JsonValue, work?: number): JsonValue;
}

/** @param field the argument that it comes from. @throws SpillwayError `invalid_argument` that names it */
export function compileExpression(field: string, text: string): Expression {
  const fail = (thrown: unknown): SpillwayError =>
    new SpillwayError('invalid_argument', `${field}: ${messageOf(thrown)}`, { hint: SYNTAX, cause: thrown });
  try {
    const node = compile(text);
    return {
      node,
      of(value, work = ITEM_WORK) {
        try {
          return Json.parse(evaluate(node, Subject.parse(value), work));
        } catch (thrown) {
          throw fail(thrown);
        }
      },
    };
  } catch (thrown) {
    throw fail(thrown);
  }
}

/**
 * Whether an expression on a list examines each item separately, so that no other has to be in memory:
 * `[?price > `10`].name`, `[*].{name: name}`.
 */
export function asksEachItem({ node }: Expression): boolean {
  if (node.type !== 'FilterProjection' && node.type !== 'Projection') return false;
  // `$` is the whole list, wherever it is.
  return ['Identity', 'Current'].includes(node.left.type) && !JSON.stringify(node).includes('"type":"Root"');
}

/** Whether JMESPath treats a value as true. */
export function isTruthy(value: JsonValue): boolean {
  if (value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/**
 * All bytes of an output.
 * @param field the argument that needs them together
 * @throws SpillwayError `invalid_argument` for one larger than `maxBytes`
 */
export async function readWhole(output: StoredOutput, field: string, maxBytes: number): Promise<Buffer> {
  const { handle, size_bytes: size } = output.meta;
  if (size > maxBytes)
    throw invalidArgument(
      `${field}: ${handle} has ${size} bytes, and this is done in memory, with at most ${maxBytes}.`,
      'Use search, or where and fields, which read one item after the other.',
    );
  return Buffer.from(await output.read(0, size));
}
