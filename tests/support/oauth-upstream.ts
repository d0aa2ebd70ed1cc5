import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { answerAt } from './file-site.ts';

const challengeOf = (value: string): string => createHash('sha256').update(value).digest('base64url');
const random = (kind: string): string => `${kind}-${randomBytes(18).toString('base64url')}`;

/**
 * An MCP server that asks for a sign-in, and the service behind it that issues tokens. It is as strict as real
 * services: a code works once, and reusing a refresh token ends the whole sign-in. A browser that opens the sign-in
 * address approves it.
 */
export class OAuthUpstream {
  readonly url: string;
  readonly origin: string;
  readonly live = new Set<string>();
  refreshes = 0;
  revoked = 0;
  server: string;
  authorize: string;
  /** Added to the address that a browser is redirected to. */
  back: Readonly<Record<string, string>> = {};
  readonly #codes = new Map<string, { readonly challenge: string; readonly scope: string }>();
  readonly #spent = new Set<string>();
  readonly #refresh = new Map<string, string>();

  private constructor(origin: string) {
    this.origin = origin;
    this.url = `${origin}/mcp`;
    this.server = origin;
    this.authorize = `${origin}/authorize`;
  }

  static async start(): Promise<OAuthUpstream> {
    const port = await answerAt((request, response) => upstream.#answer(request, response));
    const upstream: OAuthUpstream = new OAuthUpstream(`http://127.0.0.1:${port}`);
    return upstream;
  }

  expire(): void {
    this.live.clear();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    const json = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    switch (url.pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return json(200, {
          resource: this.url,
          authorization_servers: [this.server],
          scopes_supported: ['read'],
        });
      case '/.well-known/oauth-authorization-server':
        return json(200, this.#metadata());
      case '/register':
        return json(201, { ...(JSON.parse(await text(request)) as object), client_id: random('client') });
      case '/authorize':
        return void response.writeHead(302, { location: this.#allow(url).href }).end();
      case '/token':
        return this.#token(new URLSearchParams(await text(request)), json);
      case '/revoke':
        this.revoked += 1;
        this.live.clear();
        this.#refresh.clear();
        return json(200, {});
      case '/mcp':
        return this.#mcp(request, response);
      default:
        return json(404, {});
    }
  }

  #metadata(): object {
    const at = (path: string): string => `${this.origin}${path}`;
    return {
      issuer: this.origin,
      authorization_endpoint: this.authorize,
      token_endpoint: at('/token'),
      registration_endpoint: at('/register'),
      revocation_endpoint: at('/revoke'),
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  #allow({ searchParams }: URL): URL {
    const code = random('code');
    const of = (name: string): string => searchParams.get(name) ?? '';
    this.#codes.set(code, { challenge: of('code_challenge'), scope: of('scope') });
    const back = new URL(of('redirect_uri'));
    const answer = { code, state: of('state'), iss: this.origin, ...this.back };
    for (const [name, value] of Object.entries(answer)) if (value !== '') back.searchParams.set(name, value);
    return back;
  }

  async #token(asked: URLSearchParams, json: (status: number, body: object) => void): Promise<void> {
    if (asked.get('grant_type') === 'authorization_code') {
      const code = asked.get('code') ?? '';
      const known = this.#codes.get(code);
      this.#codes.delete(code);
      if (known?.challenge !== challengeOf(asked.get('code_verifier') ?? ''))
        return json(400, { error: 'invalid_grant' });
      return json(200, this.#grant(known.scope));
    }
    const refresh = asked.get('refresh_token') ?? '';
    this.refreshes += 1;
    if (this.#spent.has(refresh)) this.#refresh.clear();
    const scope = this.#refresh.get(refresh);
    if (scope === undefined) return json(400, { error: 'invalid_grant', error_description: 'used twice' });
    this.#refresh.delete(refresh);
    this.#spent.add(refresh);
    return json(200, this.#grant(scope));
  }

  #grant(scope: string): object {
    const [access, refresh] = [random('access'), random('refresh')];
    this.live.clear();
    this.live.add(access);
    this.#refresh.set(refresh, scope);
    return { access_token: access, token_type: 'Bearer', expires_in: 3_600, refresh_token: refresh, scope };
  }

  async #mcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!this.live.has(token)) {
      const where = `resource_metadata="${this.origin}/.well-known/oauth-protected-resource/mcp"`;
      return void response.writeHead(401, { 'www-authenticate': `Bearer ${where}, scope="read"` }).end();
    }
    const mcp = new McpServer({ name: 'signed-in', version: '1' });
    const shown = { description: 'Says the token.', annotations: { readOnlyHint: true } };
    mcp.registerTool('whoami', shown, () => ({ content: [{ type: 'text', text: `You are ${token}.` }] }));
    // Without sessions: each request is a server of its own.
    const transport = new StreamableHTTPServerTransport({});
    response.on('close', () => void mcp.close());
    await mcp.connect(transport);
    await transport.handleRequest(request, response);
  }
}
