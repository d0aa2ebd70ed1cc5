import { TreeInterpreter, type JSONValue } from '@jmespath-community/jmespath';

type Interpreter = typeof TreeInterpreter;

/** What an evaluation has left: steps, and values and characters that it makes. */
interface Work {
  left: number;
}

/** For every copy of this module: each would meter the library's interpreter once more. */
const WORK: unique symbol = Symbol.for('spillway: work of JMESPath');
const interpreter: Interpreter & { [WORK]?: Work } = TreeInterpreter;
const work: Work = (interpreter[WORK] ??= metered(interpreter));

function metered(of: Interpreter): Work {
  const made: Work = { left: 0 };
  meter(of, made);
  return made;
}

/**
 * Has an interpreter count its work, and find the members alone that an object itself has. The library has one
 * interpreter, which makes another for each `let`.
 */
function meter(of: Interpreter, counted: Work): Interpreter {
  const visit = of.visit.bind(of);
  const withScope = of.withScope.bind(of);
  of.visit = (node, value) => {
    if (node.type === 'Field' && !hasMember(value, node.name)) return null;
    const result = visit(node, value);
    counted.left -= 1 + (MAKERS.has(node.type) ? sizeOf(result) : 0);
    if (counted.left < 0) throw new Error('it takes too much work.');
    return result;
  };
  of.withScope = (scope) => meter(withScope(scope), counted);
  return of;
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

/** @throws Error for an expression that takes more than `most`, or a function that does not take what it was given */
export function evaluate(
  node: Parameters<Interpreter['search']>[0],
  value: JSONValue,
  most: number,
): JSONValue {
  work.left = most;
  return interpreter.search(node, value);
}
