import type { ServerNotifier } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { cancelledBy } from '../../../core/calls/call.ts';
import type { McpServerOptions } from '../scope.ts';
import type { Channel } from '../channel.ts';
import { Changes, createEra } from './era.ts';
import { createServer } from './server.ts';
import { sessionOfConnection } from './sessions.ts';

/** Serves a connection. Returns a function that ends it. */
export async function serveChannel(
  channel: Channel,
  options: McpServerOptions,
): Promise<() => Promise<void>> {
  const gone = new AbortController();
  const era = createEra(options, sessionOfConnection(options, gone.signal));
  const report = ({ name }: Error): void =>
    options.logger.debug({ reason: name }, 'a client message was refused');
  let server: ReturnType<typeof createServer> | null = null;
  const handle = serveStdio(() => (server = createServer(era)), {
    transport: channel,
    legacy: 'reject',
    onerror: report,
  });
  // A client that has disconnected needs no notification.
  const sent = (sending: Promise<void> | undefined): void => void sending?.catch(() => undefined);
  const notify: ServerNotifier = {
    toolsChanged: () => sent(server?.sendToolListChanged()),
    promptsChanged: () => sent(server?.sendPromptListChanged()),
    resourcesChanged: () => sent(server?.sendResourceListChanged()),
    resourceUpdated: (uri) => sent(server?.sendResourceUpdated({ uri })),
  };
  const changes = new Changes(options, notify, gone.signal);
  const { onmessage, onclose } = channel;
  channel.onmessage = (message) => {
    if ('method' in message && 'id' in message) changes.listen(message.id, message);
    else if ('method' in message && message.method === 'notifications/cancelled')
      changes.leave(message.params?.['requestId']);
    onmessage?.(message);
  };
  channel.onclose = () => {
    onclose?.();
    gone.abort(cancelledBy('the end of the connection'));
    options.onClient(null);
  };
  return () => handle.close();
}
