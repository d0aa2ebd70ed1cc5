import browser, { type Runtime } from 'webextension-polyfill';
import { defer } from '../../../shared/base/async.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { fetchJob, type Fetched } from '../../files/offscreen/fetch-job.ts';
import type { Film } from '../../pictures/offscreen/film.ts';
import { toBase64 } from '../ports/base64.ts';
import { readMessage } from '../ports/read-message.ts';
import {
  PAGES_PORT,
  ToOffscreen,
  type FetchJob,
  type FileHead,
  type FilmStep,
  type FromOffscreen,
} from './protocol.ts';
import { ParserFrame } from './parser-frame.ts';

/** Reads or writes the clipboard's text. Null if the browser refuses. */
function exchange(text: string | null): string | null {
  const field = document.createElement('textarea');
  field.value = text ?? '';
  document.body.append(field);
  field.select();
  const isDone = document.execCommand(text === null ? 'paste' : 'copy');
  field.remove();
  return isDone ? field.value : null;
}

/** A larger page waits until no other large page is open: its tree takes many times its size. */
const LARGE_BYTES = 1024 * 1024;

/** Lets one large page at a time be parsed and transferred, so that memory does not grow with their number. */
class LargePageLock {
  /** The first has the lock, the others wait. */
  #pages: { readonly id: number; readonly acquire: () => void }[] = [];

  /** Resolves when the page may be parsed; {@link release} must follow in every case. */
  async acquire(id: number, sizeBytes: number): Promise<void> {
    if (sizeBytes < LARGE_BYTES) return;
    const { promise, resolve } = defer<void>();
    this.#pages.push({ id, acquire: () => resolve() });
    if (this.#pages.length > 1) await promise;
  }

  /** The page is finished, or no longer wanted. Idempotent. */
  release(id: number): void {
    for (const page of this.#pages) if (page.id === id) page.acquire();
    this.#pages = this.#pages.filter((page) => page.id !== id);
    this.#pages[0]?.acquire();
  }
}

const largePages = new LargePageLock();
const parser = new ParserFrame();

interface Open {
  readonly abort: AbortController;
  fetched: Fetched | null;
  /** Size of a page that is held: it waits for its turn again. */
  heldBytes: number;
}

/** The encoder may be slower than the page: a picture gives way to the next if so many steps wait before it. */
const MAX_WAITING = 2;

/** Takes its steps one after another. */
interface Filming {
  readonly film: Promise<Film>;
  readonly waiting: FilmStep[];
  steps: Promise<unknown>;
}

/** Answers one port of the worker: its jobs, all concurrent, each paced by the worker. */
class Jobs {
  readonly #open = new Map<number, Open>();
  readonly #films = new Map<number, Filming>();

  constructor(private readonly port: Runtime.Port) {
    port.onMessage.addListener((data) => {
      const received = readMessage(PAGES_PORT, ToOffscreen, data);
      if (received === null) return;
      const { id, message } = received;
      // The worker must not wait for an unreadable request.
      if (message === null) this.#post({ type: 'failed', id, message: 'The request is malformed.' });
      else this.#take(message);
    });
  }

  /** The worker has disconnected, and with it all callers. */
  end(): void {
    for (const [id, { abort }] of this.#open) this.#close(id, abort);
    for (const id of [...this.#films.keys()]) this.#dropFilm(id);
  }

  #take(message: ToOffscreen): void {
    const { id } = message;
    if (message.type === 'fetch') {
      const started: Open = { abort: new AbortController(), fetched: null, heldBytes: 0 };
      this.#open.set(id, started);
      return this.#orFail(id, started, this.#fetch(id, started, message.job));
    }
    if (message.type === 'film') return this.#film(id, message.step);
    if (this.#films.has(id)) return message.type === 'pull' ? this.#sendFilm(id) : this.#dropFilm(id);
    if (message.type === 'clipboard') return this.#post({ ...message, text: exchange(message.text) });
    const open = this.#open.get(id);
    if (open === undefined) return;
    if (message.type === 'pull') this.#orFail(id, open, this.#pull(id, open));
    else this.#close(id, open.abort);
  }

  #film(id: number, step: FilmStep): void {
    const known = this.#films.get(id);
    if (known === undefined && step.is !== 'begin') return;
    // Few people record: the rest of the document does without it.
    const makeFilm = async (): Promise<Film> => new (await import('../../pictures/offscreen/film.ts')).Film();
    const filming = known ?? { film: makeFilm(), waiting: [], steps: Promise.resolve() };
    this.#films.set(id, filming);
    const { waiting } = filming;
    const isCrowded = waiting.length > MAX_WAITING && waiting.at(-1)?.is === 'picture';
    if (isCrowded && step.is === 'picture') return void waiting.splice(-1, 1, step);
    waiting.push(step);
    filming.steps = filming.steps.then(async () => {
      const film = await filming.film;
      await Promise.all(waiting.splice(0, 1).map((next) => film.take(next)));
    });
    filming.steps.catch((thrown: unknown) => {
      if (!this.#films.has(id)) return;
      this.#dropFilm(id);
      this.#post({ type: 'failed', id, message: messageOf(thrown) });
    });
    if (step.is === 'end') this.#sendFilm(id);
  }

  #sendFilm(id: number): void {
    const filming = this.#films.get(id);
    if (filming === undefined) return;
    filming.steps = filming.steps.then(async () => {
      const { bytes, facts } = (await filming.film).next();
      if (!this.#films.has(id)) return;
      if (facts !== null) this.#dropFilm(id);
      this.#post({ type: 'filmed', id, text: toBase64(bytes), facts });
    });
    filming.steps.catch(() => undefined);
  }

  #dropFilm(id: number): void {
    const filming = this.#films.get(id);
    this.#films.delete(id);
    void filming?.film.then(
      (film) => film.close(),
      () => undefined,
    );
  }

  async #fetch(id: number, open: Open, job: FetchJob): Promise<void> {
    open.fetched = await fetchJob(id, job, {
      cancel: open.abort.signal,
      parser,
      admit: (sizeBytes) => largePages.acquire(id, sizeBytes),
    });
    if (!this.#open.has(id)) return;
    const { page } = open.fetched;
    if (job.holdsShell && page.isShell) {
      open.heldBytes = page.sizeBytes;
      // It is closed in the parser, and may be held for as long as a tab takes to render it.
      largePages.release(id);
      this.#post({ type: 'part', id, text: '', done: page, isHeld: true });
    } else await this.#send(id, open, open.fetched.head);
  }

  async #pull(id: number, open: Open): Promise<void> {
    await largePages.acquire(id, open.heldBytes);
    open.heldBytes = 0;
    await this.#send(id, open);
  }

  #orFail(id: number, { abort }: Open, work: Promise<void>): void {
    work.catch((thrown: unknown) => {
      if (!this.#open.has(id)) return;
      this.#close(id, abort);
      this.#post({ type: 'failed', id, message: messageOf(thrown) });
    });
  }

  async #send(id: number, open: Open, head?: FileHead): Promise<void> {
    const { fetched } = open;
    if (fetched === null) return;
    const { text, isLast } = await fetched.parts.next();
    if (!this.#open.has(id)) return;
    if (isLast) this.#close(id, open.abort);
    this.#post({ type: 'part', id, text, done: isLast ? fetched.page : null, head });
  }

  #close(id: number, abort: AbortController): void {
    this.#open.delete(id);
    abort.abort();
    largePages.release(id);
  }

  #post(message: FromOffscreen): void {
    this.port.postMessage(message);
  }
}

/** Connects to the worker, and again after each restart. */
export function serveJobs(): void {
  const port = browser.runtime.connect({ name: PAGES_PORT });
  const jobs = new Jobs(port);
  port.onDisconnect.addListener(() => {
    jobs.end();
    serveJobs();
  });
}
