import { createServer } from 'node:http';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { deferred } from '../../../../shared/async/deferred.ts';
import { waitAtMost } from '../../../../shared/async/wait.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { parseUrl } from '../../../toolkit/urls.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (found) => ENTITIES[found] ?? '');

/** The page that a browser ends at after a sign-in. It loads nothing, and runs nothing. */
const plainPage = ({
  title,
  text,
}: {
  readonly title: string;
  readonly text: string;
}): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} – Spillway</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
  main { max-width: 32rem; padding: 2rem; text-align: center; overflow-wrap: anywhere; }
  h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
  p { margin: 0; opacity: .75; }
</style>
<main><h1>${escape(title)}</h1><p>${escape(text)}</p></main>
`;

const PATH = '/callback';
const PAGE_MS = 1_000;

/** What comes back with the browser (RFC 6749, 4.1.2; RFC 9207). */
export interface CallbackOptions {
  /** Names the upstream in messages. */
  readonly id: string;
  /** What the request for the sign-in carried: an answer without it is another's. */
  readonly state: string;
  /** The one that has to be registered with the service; 0: any that is free. */
  readonly port: number;
}

/** Of the metadata of an authorization server (RFC 8414, RFC 9207). */
interface ServiceFacts {
  readonly issuer?: string | undefined;
  readonly [field: string]: unknown;
}

export type Callback = Awaited<ReturnType<typeof listenForCallback>>;

/**
 * Waits on loopback for a browser that comes back from a sign-in.
 *
 * @throws SpillwayError `invalid_argument` for a port that is not free
 */
export async function listenForCallback({ id, state, port }: CallbackOptions) {
  const answer = deferred<string>();
  answer.promise.catch(() => undefined);
  let service: ServiceFacts = {};
  const refuse = (why: string): void =>
    answer.reject(new SpillwayError('upstream_error', `The sign-in to the upstream ${id} failed: ${why}.`));
  /** What a person is shown; null for an address that does not answer this sign-in. */
  const taken = (url: URL): { readonly title: string; readonly text: string } | null => {
    const { searchParams: said } = url;
    if (url.pathname !== PATH || said.get('state') !== state) return null;
    const [code, error, from] = [said.get('code'), said.get('error'), said.get('iss')];
    const isNamed = from !== null || service['authorization_response_iss_parameter_supported'] === true;
    if (isNamed && service.issuer !== undefined && from !== service.issuer) {
      refuse('the answer came from a different service');
      return {
        title: 'Not signed in',
        text: 'The answer came from a different service.',
      };
    }
    if (code !== null) {
      answer.resolve(code);
      return {
        title: 'Signed in',
        text: `Spillway may use the upstream “${id}” now. You can close this tab.`,
      };
    }
    const detail = [error, said.get('error_description')]
      .filter((part) => part !== null)
      .join(': ')
      .slice(0, 300);
    refuse(detail === '' ? 'the service gave no code' : detail);
    return { title: 'Not signed in', text: detail === '' ? 'The service gave no code.' : detail };
  };
  const answered: Promise<unknown>[] = [];
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    // Other programs and pages of this machine reach the port, too.
    const url = parseUrl(request.url ?? '', 'http://127.0.0.1');
    const shown = request.method === 'GET' && url !== null ? taken(url) : null;
    const page = shown ?? { title: 'Nothing to see', text: 'This address takes the answer of one sign-in.' };
    response.writeHead(shown === null ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      connection: 'close',
    });
    answered.push(finished(response.end(plainPage(page))).catch(() => undefined));
  });
  server.listen({ host: '127.0.0.1', port });
  await once(server, 'listening').catch((thrown: unknown) => {
    throw new SpillwayError('invalid_argument', `oauth.redirectPort: The port ${port} is not free.`, {
      cause: thrown,
    });
  });
  const bound = server.address();
  return {
    url: `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}${PATH}`,
    /** Who is to answer, as the service says of itself: an answer of another is refused. */
    expect: (facts: ServiceFacts): void => void (service = facts),
    /** Rejects with `upstream_error` when the service or the person refuses. */
    code: answer.promise,
    /** Takes an address that a person has copied from a browser on another machine. Returns whether it is an answer. */
    take: (address: string): boolean => {
      const url = parseUrl(address);
      return url !== null && taken(url) !== null;
    },
    /** Stops listening. Idempotent. */
    close: async (): Promise<void> => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      // The person sees their page; browsers also open connections that they never use.
      await waitAtMost(Promise.all(answered), PAGE_MS);
      server.closeAllConnections();
      await closed;
    },
  };
}
