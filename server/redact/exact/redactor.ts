import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import type { CleanPayload, RawPayload, RedactionReport } from '../../core/payload.ts';
import type { KnownSecret, Redactor } from '../../core/services.ts';
import { vouch, vouchAs, type CleanText } from '../mark.ts';
import { placeholder, Tally } from '../tally.ts';
import { SecretMatcher } from './matcher.ts';
import { Spellings } from './spellings.ts';
import { cleanTexts } from './texts.ts';

const ADDRESS = /^[a-z][\w+.-]{1,20}:\/\/\S*$/i;

/** A text in chunks: what could be the beginning of a secret is held back until more has come. */
class SecretStream {
  readonly #matcher: SecretMatcher;
  readonly #spellings: Spellings;
  readonly #tally: Tally;
  #held = '';
  #covered = 0;
  /** Scanned text that may begin another spelling. */
  #scanned = '';

  constructor(matcher: SecretMatcher, spellings: Spellings, tally: Tally) {
    this.#matcher = matcher;
    this.#spellings = spellings;
    this.#tally = tally;
  }

  push(chunk: string): string {
    return this.#scan(chunk, false);
  }

  flush(): string {
    return this.#scan('', true);
  }

  #scan(chunk: string, isEnd: boolean): string {
    const scanned = this.#matcher.scan(this.#held + chunk, this.#covered, isEnd, (kind) =>
      this.#tally.secret(kind),
    );
    this.#held = scanned.held;
    this.#covered = scanned.covered;
    const out = this.#spellings.replace(this.#scanned + scanned.out, (kind) => this.#tally.secret(kind));
    const cut = isEnd ? out.length : this.#spellings.cutOf(out);
    this.#scanned = out.slice(cut);
    return out.slice(0, cut);
  }
}

/** Cleans whole texts and values; an address stays one. */
class Exact {
  readonly #matcher: SecretMatcher;
  readonly #spellings: Spellings;

  constructor(secrets: readonly KnownSecret[]) {
    this.#matcher = new SecretMatcher(secrets);
    this.#spellings = new Spellings(secrets);
  }

  text(text: string, tally: Tally): string {
    const kinds = new Set<string>();
    const found = (kind: string): void => {
      kinds.add(kind);
      tally.secret(kind);
    };
    const scanned = this.#matcher.mayHold(text) ? this.#matcher.scan(text, 0, true, found).out : text;
    const out = this.#spellings.replace(scanned, found);
    if (kinds.size === 0 || !ADDRESS.test(text)) return out;
    return [...kinds]
      .map(placeholder)
      .reduce((address, mark) => address.replaceAll(mark, encodeURIComponent(mark)), out);
  }

  value<T extends JsonValue>(value: T, tally: Tally): T {
    const uncounted = new Tally();
    return cleanTexts(
      value,
      (text) => this.text(text, tally),
      (text) => this.text(text, uncounted),
    );
  }

  async *items(items: AsyncIterable<JsonValue>, tally: Tally): AsyncGenerator<JsonValue, void> {
    for await (const item of items) yield this.value(item, tally);
  }

  async *chunks(chunks: AsyncIterable<string>, tally: Tally): AsyncGenerator<string, void> {
    const stream = new SecretStream(this.#matcher, this.#spellings, tally);
    for await (const chunk of chunks) {
      const cleaned = stream.push(chunk);
      if (cleaned !== '') yield cleaned;
    }
    const rest = stream.flush();
    if (rest !== '') yield rest;
  }

  payload(payload: RawPayload, tally: Tally): RawPayload {
    switch (payload.kind) {
      case 'items':
        return { ...payload, items: this.items(payload.items, tally) };
      case 'json':
        return { ...payload, value: this.value(payload.value, tally) };
      case 'text':
        return { ...payload, chunks: this.chunks(payload.chunks, tally) };
      case 'bytes':
        return payload;
    }
  }
}

function withSecrets(report: RedactionReport, tally: Tally): RedactionReport {
  const secrets = { ...report.secrets, ...tally.report().secrets };
  return {
    ...report,
    secrets: Object.fromEntries(Object.entries(secrets).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/**
 * A redactor that also replaces known values, whatever another one does. They are looked for before it
 * works, since it may replace a part of one, and after it: what it removes may have split one.
 */
export function redactKnown(redactor: Redactor, secrets: readonly KnownSecret[]): Redactor {
  const exact = new Exact(secrets);
  return {
    enabled: redactor.enabled,
    hasKnownSecrets: true,
    payload(raw) {
      const tally = new Tally();
      const { payload, report } = redactor.payload(exact.payload(raw, tally));
      // A payload that was cleaned once stays one of the same kind.
      const cleaned = vouchAs<RawPayload, CleanPayload>(exact.payload(payload, tally));
      return { payload: cleaned, report: () => withSecrets(report(), tally) };
    },
    value<T extends JsonValue>(value: T) {
      const tally = new Tally();
      const cleaned: JsonValue = redactor.value<JsonValue>(exact.value<JsonValue>(value, tally));
      return vouch(exact.value(cleaned, tally) as T);
    },
    exchange<T extends JsonObject>(entry: T) {
      const tally = new Tally();
      const cleaned = redactor.exchange<JsonObject>(exact.value<JsonObject>(entry, tally));
      return {
        entry: vouch(exact.value<JsonObject>(cleaned.entry, tally) as T),
        report: withSecrets(cleaned.report, tally),
      };
    },
    text(text): CleanText {
      const tally = new Tally();
      return vouch(exact.text(redactor.text(exact.text(text, tally)), tally));
    },
  };
}
