import { compile, type JSONValue } from '@jmespath-community/jmespath';
import { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonValue } from '../../../shared/json.ts';
import { Json } from '../../../shared/json-schema.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { evaluate } from './metered.ts';

/** The library's own type of JSON, which it does not change. */
const Subject = z.custom<JSONValue>(() => true);

/** A JMESPath expression that was compiled. */
export interface Expression {
  readonly node: ReturnType<typeof compile>;
  /**
   * @throws SpillwayError `invalid_argument` that names the field: a function that does not take what it was given, or
   *   too much work
   */
  of(value: JsonValue, work?: number): JsonValue;
}

/** Steps that an expression may take with one item, and values that it may make. */
const ITEM_WORK = 1_000_000;
/** The same with a whole list: about two seconds. */
export const WHOLE_WORK = 20_000_000;

const SYNTAX =
  "The syntax is JMESPath: numbers as `10`, texts as 'a', names with other characters as \"a-b\", and fields that may be missing as name && starts_with(name, 'a').";

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
 * Whether an expression of a list asks each item by itself, so that no other has to be in memory: `[?price > `10`].name`,
 * `[*].{name: name}`.
 */
export function asksEachItem({ node }: Expression): boolean {
  if (node.type !== 'FilterProjection' && node.type !== 'Projection') return false;
  // `$` is the whole list, wherever it is.
  return ['Identity', 'Current'].includes(node.left.type) && !JSON.stringify(node).includes('"type":"Root"');
}

/** Whether JMESPath takes a value for true. */
export function isTruthy(value: JsonValue): boolean {
  if (value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
