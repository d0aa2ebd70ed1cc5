import { RpcFailure } from './test-host.ts';

export async function failure(result: Promise<unknown>): Promise<RpcFailure> {
  const error: unknown = await result.then(
    () => new Error('It succeeded.'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof RpcFailure) return error;
  throw error;
}
