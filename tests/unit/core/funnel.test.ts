import { describe, expect, it } from 'vitest';
import type { ProvidedTool, ToolProvider } from '../../../server/core/registry/provider.ts';
import type { PassedThrough } from '../../../server/core/registry/runtime.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { echo, testManifest } from '../../support/test-tool.ts';
import { testExecutor } from './support.ts';

/** A provider of one tool of another server. */
function upstream(run: () => Promise<PassedThrough>): ToolProvider {
  const tool: ProvidedTool = {
    kind: 'upstream',
    manifest: testManifest('other_tool'),
    runtime: async () => ({ run }),
  };
  return { id: 'other', tools: () => [tool], onChange: () => () => undefined };
}

const callOther = async (run: () => Promise<PassedThrough>) => {
  const { executor, call } = testExecutor(echo, { providers: [upstream(run)] });
  return executor.execute(call({ tool: 'other_tool' }));
};

describe('upstream_error', () => {
  it('says what another server gave as the cause, and leaves its blocks as they are', async () => {
    const content = [
      { type: 'image', data: '', mimeType: 'image/png' },
      { type: 'text', text: 'quota exceeded' },
    ];
    const result = await callOther(async () => ({ passed: { content, isError: true } }));
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'upstream_error', message: 'quota exceeded' },
      content: content.map((block) => ({ type: 'foreign', block })),
    });
  });

  it('says so when there is no cause, and content is still there', async () => {
    const result = await callOther(async () => ({ passed: { content: [], isError: true } }));
    expect(result.error).toMatchObject({
      code: 'upstream_error',
      message: 'The other server gave no reason.',
    });
    expect(result.content).toHaveLength(1);
  });

  it('is what an error of the way there becomes, with its cause', async () => {
    const result = await callOther(async () => {
      throw new Error('connect ECONNREFUSED 127.0.0.1:9');
    });
    expect(result.error).toMatchObject({
      code: 'upstream_error',
      message: 'other_tool: connect ECONNREFUSED 127.0.0.1:9',
    });
  });

  it('takes no code away that an error has', async () => {
    const result = await callOther(async () => {
      throw new SpillwayError('timeout', 'It took too long.');
    });
    expect(result.error?.code).toBe('timeout');
  });
});
