import { randomBytes } from 'node:crypto';
import { serveHttp } from '../../../server/adapters/mcp/http/serve.ts';
import type { ProvidedTool } from '../../../server/core/registry/definition.ts';
import { startMemoryServer } from '../memory-client.ts';
import { testOffers } from '../offers.ts';
import { testProvider } from '../test-provider.ts';
import { prompts } from './prompts.ts';
import { resources } from './resources.ts';
import { speakingTools } from './speaking-tools.ts';
import { fixedTools, manifests, runtimes, upstream } from './tools.ts';

/** Spillway on HTTP, with the suite's fixed tools, resources and prompts in addition to its own. */
export async function startConformanceServer(): Promise<{
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}> {
  const tools = [...fixedTools, ...speakingTools];
  const change: ProvidedTool = upstream('test_trigger_tool_change', async () => {
    provider.offer([...tools, change, upstream(`test_changed_${Date.now()}`, [])]);
    return { passed: { content: [{ type: 'text', text: 'Changed.' }], isError: false } };
  });
  const provider = testProvider('conformance', [...tools, change]);
  const memory = await startMemoryServer(
    {},
    {
      manifests,
      runtimes,
      providers: [provider],
      offers: testOffers({ ...resources, ...prompts }),
    },
  );
  const token = randomBytes(24).toString('base64url');
  const http = await serveHttp({
    ...memory.faces,
    port: 0,
    token,
    onClients: () => undefined,
  });
  return {
    url: http.url,
    token,
    close: async () => {
      await http.close();
      await memory.close();
    },
  };
}
