import {
  SERVER_METHODS,
  type ServerMethodName,
  type ServerMethods,
} from '../../shared/bridge/server-methods.ts';
import { describeIssues } from '../../shared/describe-issues.ts';
import { SpillwayError } from '../../shared/errors.ts';

const isMethodName = (name: string): name is ServerMethodName => Object.hasOwn(SERVER_METHODS, name);

type AnyMethod = (params: unknown, signal: AbortSignal) => Promise<object>;

/**
 * Answers one request of a browser: its parameters checked, then its method.
 * @throws SpillwayError `api_not_found`, `invalid_argument`, or what the method throws
 */
export async function answerRequest(
  methods: Partial<ServerMethods>,
  {
    method,
    params,
    signal,
  }: { readonly method: string; readonly params: unknown; readonly signal: AbortSignal },
): Promise<object> {
  // The schema of the method's own row parses what its type says.
  const answer = isMethodName(method) ? (methods[method] as AnyMethod | undefined) : undefined;
  if (!isMethodName(method) || answer === undefined)
    throw new SpillwayError('api_not_found', `The server has no method ${method.slice(0, 64)}.`);
  const parsed = SERVER_METHODS[method].params.safeParse(params);
  if (!parsed.success)
    throw new SpillwayError(
      'invalid_argument',
      `${method}: ${describeIssues(parsed.error.issues, 'params')}`,
    );
  return answer(parsed.data, signal);
}
