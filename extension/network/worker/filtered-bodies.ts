import { waitAtMost } from '../../../shared/base/async.ts';
import { isTextType } from '../../../shared/base/mime.ts';
import type { WebRequest } from 'webextension-polyfill';
import type { FollowedBody } from '../../platform/chromium/response-bodies.ts';
import { toBase64 } from '../../core/ports/base64.ts';
import type { BodyBudget } from './bodies.ts';
import type { Outbox } from './outbox.ts';

/** A request may end for the browser before its body has. */
const BODY_MS = 2_000;

interface Following {
  readonly body: Promise<FollowedBody | null>;
  contentType: string;
}

/** Bodies of a tab's responses, which the browser passes by this extension. Each line precedes the end of its request. */
export class FilteredBodies {
  readonly #following = new Map<string, Following>();
  readonly #ending = new Set<Promise<void>>();

  constructor(
    private readonly parts: { readonly outbox: Pick<Outbox, 'push'>; readonly budget: BodyBudget },
    private readonly follow: (requestId: string, maxBytes: number) => Promise<FollowedBody | null>,
  ) {}

  /**
   * Call in the listener before the request. A redirected one begins again.
   * @param isTaken whether it may be captured
   */
  begin(id: string, isTaken: boolean): void {
    this.#following.delete(id);
    const { bodies, bodyBytes } = this.parts.budget.limits;
    if (!isTaken || bodies === 'none') return;
    this.#following.set(id, { body: this.follow(id, bodyBytes), contentType: '' });
  }

  respond({ requestId, responseHeaders = [] }: WebRequest.OnHeadersReceivedDetailsType): void {
    const following = this.#following.get(requestId);
    const type = responseHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
    if (following !== undefined && type !== undefined) following.contentType = type;
  }

  /** @param ended called once the body's line is pushed, or there will be none */
  end(id: string, ended: () => void): void {
    const following = this.#following.get(id);
    this.#following.delete(id);
    if (following === undefined) return ended();
    const ending = this.#push(id, following).then(ended);
    this.#ending.add(ending);
    void ending.then(() => this.#ending.delete(ending));
  }

  async settle(): Promise<void> {
    await Promise.all(this.#ending);
  }

  async #push(id: string, { body, contentType }: Following): Promise<void> {
    const followed = await waitAtMost(body, BODY_MS);
    if (followed == null) return;
    const { bytes, sizeBytes: size_bytes } = followed;
    const line = { session: null, request_id: `web:${id}` };
    const { limits } = this.parts.budget;
    const isWanted = limits.bodies === 'all' || isTextType(contentType.split(';')[0] ?? '');
    const reason = isWanted ? this.parts.budget.take(size_bytes) : 'not_text';
    if (reason !== null || bytes === null) {
      this.parts.outbox.push({ kind: 'no_body', ...line, reason: reason ?? 'too_large', size_bytes });
      return;
    }
    const { text, base64 } = textOrBase64(bytes);
    this.parts.outbox.push({
      kind: 'body',
      ...line,
      base64: text === undefined,
      data: text ?? base64 ?? '',
      size_bytes,
    });
  }
}

/** Bytes as text if they are UTF-8. */
export function textOrBase64(bytes: Uint8Array): { readonly text?: string; readonly base64?: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { base64: toBase64(bytes) };
  }
}
