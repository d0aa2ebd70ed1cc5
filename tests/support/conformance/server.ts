import { randomBytes } from 'node:crypto';
import { serveHttp } from '../../../server/adapters/mcp/http/serve.ts';
import { startMemoryServer } from '../memory-client.ts';
import { testOffers } from '../offers.ts';
import { testProvider } from '../test-provider.ts';
import { prompts } from './prompts.ts';
import { resources } from './resources.ts';
import { speakingTools } from './speaking-tools.ts';
import { fixedTools, manifests, runtimes } from './tools.ts';

/** Spillway on HTTP, with the suite's fixed tools, resources and prompts in addition to its own. */
export async function startConformanceServer(): Promise<{
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}> {
  const memory = await startMemoryServer(
    {},
    {
      manifests,
      runtimes,
      providers: [testProvider('conformance', [...fixedTools, ...speakingTools])],
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
