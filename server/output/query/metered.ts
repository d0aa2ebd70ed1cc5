import { TreeInterpreter, type JSONValue } from '@jmespath-community/jmespath';

type Interpreter = typeof TreeInterpreter;

/** What an evaluation has left: steps, and values and characters that it makes. */
let left = 0;

/**
 * Has an interpreter count its work, and find the members alone that an object itself has. The library has one
 * interpreter, which makes another for each `let`.
 */
function meter(interpreter: Interpreter): Interpreter {
  const visit = interpreter.visit.bind(interpreter);
  const withScope = interpreter.withScope.bind(interpreter);
  interpreter.visit = (node, value) => {
    if (node.type === 'Field' && !hasMember(value, node.name)) return null;
    const result = visit(node, value);
    left -= 1 + (MAKERS.has(node.type) ? sizeOf(result) : 0);
    if (left < 0) throw new Error('it takes too much work.');
    return result;
  };
  interpreter.withScope = (scope) => meter(withScope(scope));
  return interpreter;
}

const MAKERS: ReadonlySet<string> = new Set([
  'FilterProjection',
  'Flatten',
  'Function',
  'MultiSelectList',
  'Projection',
  'Slice',
  'ValueProjection',
]);

const hasMember = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name);

const sizeOf = (value: unknown): number =>
  Array.isArray(value) || typeof value === 'string' ? value.length : 0;

const interpreter = meter(TreeInterpreter);

/** @throws Error for an expression that takes more than `work`, or a function that does not take what it was given */
export function evaluate(
  node: Parameters<Interpreter['search']>[0],
  value: JSONValue,
  work: number,
): JSONValue {
  left = work;
  return interpreter.search(node, value);
}
