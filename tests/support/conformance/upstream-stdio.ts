import { serveStdio } from '../../../server/mcp/stdio.ts';
import { parseEntry } from '../../../server/upstreams/index.ts';
import { startWithUpstreams } from '../upstream-rig.ts';

/* A server of ours on stdio whose upstream is at an address. `tsx upstream-stdio.ts <url>` */

const [url] = process.argv.slice(2);
const server = await startWithUpstreams([parseEntry({ id: 'far', url }, 'far')]);
const { ended } = await serveStdio({ ...server.faces, onClient: () => undefined });
await ended;
await server.close();
