import { createServer } from 'node:http';
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

// A server that speaks MCP 2026-07-28 alone: on stdio, or with `http` on a port that it prints.

/** The id of the request that was answered with a question: its repetition has another one. */
let greeted;

function build() {
  const server = new McpServer(
    { name: 'new-era', version: '1' },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.registerTool(
    'echo',
    {
      description: 'Echoes.',
      // Over HTTP, a header has to repeat each of them.
      inputSchema: z.object({
        text: z.string().meta({ 'x-mcp-header': 'Text' }),
        deep: z.object({ loud: z.boolean().meta({ 'x-mcp-header': 'Loud' }) }),
      }),
    },
    ({ text, deep }) => ({ content: [{ type: 'text', text: `echo ${text} ${deep.loud}` }] }),
  );
  const Name = z.object({ name: z.string() });
  server.registerTool('greet', { description: 'Greets.', inputSchema: z.object({}) }, (_, { mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'who', Name);
    if (answer !== undefined && mcpReq.id !== greeted)
      return { content: [{ type: 'text', text: `Hello, ${answer.name}!` }] };
    greeted = mcpReq.id;
    const who = inputRequired.elicit({ message: 'Who are you?', requestedSchema: Name });
    return inputRequired({ inputRequests: { who } });
  });
  server.registerTool('grow', { description: 'Grows.', inputSchema: z.object({}) }, () => {
    server.registerTool('more', { description: 'More.', inputSchema: z.object({}) }, () => ({ content: [] }));
    return { content: [{ type: 'text', text: 'grown' }] };
  });
  server.registerTool(
    'visit',
    { description: 'Shows a page.', inputSchema: z.object({}) },
    (_, { mcpReq }) => {
      const { page } = mcpReq.inputResponses ?? {};
      if (page !== undefined) return { content: [{ type: 'text', text: `Visited: ${page.action}` }] };
      const asked = inputRequired.elicitUrl({ message: 'Look here.', url: 'https://example.com/here' });
      return inputRequired({ inputRequests: { page: asked } });
    },
  );
  server.registerTool('think', { description: 'Thinks.', inputSchema: z.object({}) }, (_, { mcpReq }) => {
    const { thought } = mcpReq.inputResponses ?? {};
    if (thought !== undefined)
      return { content: [{ type: 'text', text: `Thought: ${thought.content.text}` }] };
    const content = { type: 'text', text: 'Why?' };
    const asked = inputRequired.createMessage({ messages: [{ role: 'user', content }], maxTokens: 10 });
    return inputRequired({ inputRequests: { thought: asked } });
  });
  return server;
}

if (process.argv[2] === 'http') {
  const handler = createMcpHandler(build, { legacy: 'reject' });
  const http = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, headers } = request;
    const body = method === 'POST' ? { body: Buffer.concat(chunks) } : {};
    const answer = await handler.fetch(new Request('http://127.0.0.1/', { method, headers, ...body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  });
  http.listen(0, '127.0.0.1', () => console.log(http.address().port));
} else serveStdio(build, { legacy: 'reject' });
