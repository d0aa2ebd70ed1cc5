import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import { cut } from '../../shared/cut.ts';
import { defined, isObject } from '../../shared/json.ts';
import { JsonRecord } from '../../shared/json-schema.ts';
import type { ServerRules } from '../../shared/policy/policy.ts';
import { isSite, MAX_SITES, siteOf } from '../../shared/policy/sites.ts';
import { isPrivateHost, parseUrl } from '../../shared/private-address.ts';
import { onAbort, waitAtMost } from '../../shared/async.ts';
import type { Outcome } from '../core/result.ts';
import type { RunChange, RunProgress, RunScope } from '../core/runs.ts';
import type { Redactor } from '../core/services.ts';
import type { Clean } from '../redact/clean.ts';
import type { SourceNote } from '../toolkit/crawl-source.ts';
import { ON_WORKERS, type RemoteProgram, type RunQueue } from '../toolkit/programs/elsewhere.ts';
import type { Queue } from 'bullmq';
import type { QueueConnection } from './connection.ts';
import { LISTEN_SECONDS, RUN_KEYS, RunAsked, Said, SAID_SECONDS, type Told } from './run-wire.ts';
import type { QueueKey } from './key.ts';
import { failureOf, JOB, pack, signJob, unpackAs } from './wire.ts';

interface RunParts {
  readonly requests: {
    readonly connection: QueueConnection;
    readonly key: QueueKey;
    readonly queue: Queue;
    /** Who is there. */
    readonly note: SourceNote;
    /** @throws SpillwayError `no_worker` if there has been none for long */
    expectWorker(): void;
  };
  readonly redactor: Redactor;
  readonly sites: ServerRules | null;
}

/** Twice in a row: a job that has just ended is unknown while its end is on its way. */
const UNKNOWN_LOOKS = 2;
const LEAVE_MS = 2_000;

/** The job of a run, the attempt that its record follows, and the last step of that: at `ON_WORKERS`. */
const Position = z.object({
  job: z.string(),
  attempt: z.string(),
  seq: z.int(),
  /** Attempts before: nothing of them is taken again. */
  left: z.array(z.string()).readonly().default([]),
});
type Position = z.infer<typeof Position>;
const NOWHERE: Position = { job: '', attempt: '', seq: 0, left: [] };
type Known = Parameters<RunQueue['run']>[2];

const LAST = { items: [], changes: [], is_durable: true } as const;

const ADDRESS = /https?:\/\/[^\s"'`\\<>(),;/?#]+/gi;
/** Not `${host}`, which stands for any. */
const HOST = /^[a-z0-9_.:[\]-]+$/;

/** A worker's own network is not the home's: a program touches only the private hosts that it names. */
function privateHosts(text: string): readonly string[] {
  const hosts = (text.match(ADDRESS) ?? []).map((address) => parseUrl(address)?.hostname ?? '');
  const named = [...new Set(hosts)].filter((host) => HOST.test(host) && isPrivateHost(host) && isSite(host));
  return named.slice(0, MAX_SITES);
}

/** @throws SpillwayError `queue_secret_refused` */
function askedFor(
  { tool, args, recipe }: RemoteProgram,
  run: string,
  { redactor, sites }: RunParts,
): RunAsked {
  const text = JSON.stringify({ args, recipe });
  const program = JsonRecord.parse(JSON.parse(text));
  const shown: Clean<typeof program> = redactor.value(program);
  if (!isDeepStrictEqual(shown, program) || /\bsecret:[A-Za-z_]/.test(text))
    throw new SpillwayError(
      'queue_secret_refused',
      'Its arguments contain a secret, which no queue receives.',
    );
  return RunAsked.parse({
    kind: 'run',
    run,
    tool,
    ...program,
    allowed_sites: sites?.allowed_sites ?? null,
    denied_sites: sites?.denied_sites ?? [],
    private_sites: privateHosts(text),
  });
}

const MAX_NOTES = 50;
const NOTE_UNITS = 500;

/** The answer of a worker is page text, even if the worker says that it has no source. */
const outcomeOf = ({
  source,
  coverage,
  ...outcome
}: Extract<Said, { readonly kind: 'ended' }>['outcome']): Outcome => ({
  ...outcome,
  coverage: coverage.slice(0, MAX_NOTES).map((note) => cut(note, NOTE_UNITS)),
  ...defined({ source: siteOf(source ?? '')?.origin }),
});

/** Has a worker execute a program, and keeps what it reports. */
export async function runOnWorkers(
  program: RemoteProgram,
  scope: RunScope,
  known: Known,
  parts: RunParts,
): Promise<Outcome> {
  return new HomeRun(askedFor(program, scope.runId, parts), scope, known, parts).run();
}

class HomeRun {
  #position: Position;
  #decision: Known['decision'];
  #unknown = 0;
  #progress: Pick<RunProgress, 'done' | 'queued' | 'failed'> = { done: 0, queued: 1, failed: 0 };

  constructor(
    private readonly asked: RunAsked,
    private readonly scope: RunScope,
    private readonly known: Known,
    private readonly parts: RunParts,
  ) {
    this.#decision = known.decision;
    this.#position = Position.safeParse(scope.state.get(ON_WORKERS)).data ?? NOWHERE;
  }

  async run(): Promise<Outcome> {
    const { scope } = this;
    const { connection, key } = this.parts.requests;
    const reader = connection.redis.duplicate();
    reader.on('error', () => undefined);
    const stopListening = onAbort(scope.signal, () => reader.disconnect());
    const list = RUN_KEYS.said(scope.runId);
    let lookAt = performance.now() + LISTEN_SECONDS * 1_000;
    try {
      // A home that was killed finds the worker that still has its run.
      if (this.#position.job === '') await this.#moveTo({ ...this.#position, job: randomUUID() });
      await this.#add();
      for (;;) {
        const heard = await connection.ask(reader.blpopBuffer(list, LISTEN_SECONDS), scope.signal);
        const packed = heard && (await key.unseal(['said', scope.runId], heard[1]));
        if (packed !== null) {
          this.#unknown = 0;
          const outcome = await this.#take(await unpackAs(Said, packed));
          if (outcome !== null) return outcome;
        } else if (heard === null || performance.now() > lookAt) {
          // Entries that others write into the list do not extend the wait.
          await this.#look();
          lookAt = performance.now() + LISTEN_SECONDS * 1_000;
        }
      }
    } finally {
      stopListening();
      reader.disconnect();
      await waitAtMost(this.#leave(), LEAVE_MS).catch(() => undefined);
    }
  }

  async #add(): Promise<void> {
    const { connection, key, queue } = this.parts.requests;
    const { job: id } = this.#position;
    const signed = await signJob(key, id, { at: Date.now(), home: '', asked: this.asked });
    // Another worker may do better.
    const job = { ...JOB, attempts: 3, jobId: id };
    await connection.write(() => queue.add('run', signed, job), this.scope.signal);
  }

  #moveTo(
    position: Position,
    change: (rows: RunChange) => void = () => undefined,
    step: Omit<Parameters<RunScope['commit']>[0], 'change'> = {},
  ): Promise<void> {
    this.#position = position;
    const { scope } = this;
    return scope.commit({
      ...step,
      change: (rows) => {
        change(rows);
        rows.put(ON_WORKERS, scope.redact(position));
      },
    });
  }

  /** The outcome, once it has ended. */
  async #take(said: Said | null): Promise<Outcome | null> {
    const { scope } = this;
    if (said === null) throw new SpillwayError('worker_lost', 'What a worker reported is unreadable.');
    if (said.kind === 'began') await this.#begin(said);
    else if (said.attempt !== this.#position.attempt) await this.#tell({ kind: 'stop' }, said.attempt);
    else if (said.kind === 'progress') scope.progress((this.#progress = said.progress));
    else if (said.kind === 'log') scope.log(said.event, said.facts);
    else if (said.seq <= this.#position.seq) await this.#tell({ kind: 'kept', seq: said.seq });
    else if (said.seq === this.#position.seq + 1) return this.#keep(said);
    return null;
  }

  /** A worker begins, or another one takes over from one that is gone. */
  async #begin({ attempt, version, ...its }: Extract<Said, { readonly kind: 'began' }>): Promise<void> {
    const { scope, known } = this;
    const { job, attempt: before, seq, left } = this.#position;
    // Left from before the run was resumed, or another attempt began.
    if (its.job !== job || left.includes(attempt)) return this.#tell({ kind: 'stop' }, attempt);
    if (before !== attempt) {
      if (before !== '') await this.#tell({ kind: 'stop' });
      const decision = this.#decision;
      await this.#moveTo({ job, attempt, seq: 0, left: [...left, before] }, (rows) =>
        known.forgetPage(rows, decision),
      );
      scope.log('run_on_worker', { attempt, version });
    } else if (seq > 0 || (await this.#waits(attempt))) return;
    const rows = [...scope.state.range({ start: ['!'], end: ['~'] })];
    const state = rows.filter(({ key }) => key[0] !== ON_WORKERS[0]);
    const decision = this.#decision;
    await this.#tell({ kind: 'begin', state: state.map(({ key, value }) => [key, value]), decision });
  }

  async #keep(said: Extract<Said, { readonly seq: number }>): Promise<Outcome | null> {
    const { scope } = this;
    const { seq } = said;
    const { items, changes, is_durable: isDurable } = said.kind === 'step' ? said : LAST;
    if (changes.some(([[part], value]) => part === 'begun' && value !== undefined))
      await this.known.mayGoOn();
    await this.#moveTo(
      { ...this.#position, seq },
      (rows) => {
        for (const [key, value] of changes)
          if (value === undefined) rows.remove(key);
          else rows.put(key, scope.redact(value));
      },
      { items, isDurable },
    );
    for (const [[part, call], value] of changes) {
      if (!isObject(value)) continue;
      // The record has it now; before, the attempt may have been dead, or may die.
      if (part === 'begun' || part === 'end') this.#decision = null;
      if (part === 'begun') scope.log('call_on_worker', { call: call ?? null, tool: value['name'] });
    }
    await this.#tell({ kind: 'kept', seq });
    if (said.kind === 'ended') return outcomeOf(said.outcome);
    if (said.kind === 'step') return null;
    const { retryable, body, state } = said;
    const { code, message } = failureOf(said, 'program_failed');
    // The words of a worker are page text, even if it names no page.
    const quotes = siteOf(said.quotes ?? '')?.origin ?? 'a worker';
    throw new SpillwayError(code, message, { retryable, body, state, quotes });
  }

  /** The attempt has not read its messages. */
  async #waits(attempt: string): Promise<boolean> {
    const { connection } = this.parts.requests;
    return (await connection.ask(connection.redis.exists(RUN_KEYS.told(this.scope.runId, attempt)))) > 0;
  }

  async #tell(told: Told, attempt = this.#position.attempt): Promise<void> {
    const { connection, key } = this.parts.requests;
    const { runId } = this.scope;
    const packed = await pack(await this.parts.redactor.large(JsonRecord.parse(told)));
    const sealed = await key.seal(['told', runId, attempt], packed);
    await connection.push(RUN_KEYS.told(runId, attempt), sealed, SAID_SECONDS);
  }

  /** Nothing was heard for a while: whether a worker has the run, or may get it. */
  async #look(): Promise<void> {
    const { scope } = this;
    const { requests } = this.parts;
    const { connection, queue } = requests;
    const { job: id } = this.#position;
    const state = await connection.ask(queue.getJobState(id), scope.signal);
    // The reason in Redis may be anyone's.
    if (state === 'failed')
      throw new SpillwayError('worker_lost', 'Workers failed to execute the run; their logs say why.');
    // A job stays active if the last worker is gone: only another worker would move it.
    requests.expectWorker();
    if (state === 'active') return;
    scope.progress({ ...this.#progress, message: 'waits for a worker', ...requests.note });
    this.#unknown += state === 'unknown' || state === 'completed' ? 1 : 0;
    if (this.#unknown < UNKNOWN_LOOKS) return;
    this.#unknown = 0;
    await this.#add();
  }

  /** Ends what is left of it in Redis. A worker that has it stops. */
  async #leave(): Promise<void> {
    const { connection, key, queue } = this.parts.requests;
    const { job, attempt } = this.#position;
    await this.#moveTo({ ...this.#position, job: '' }).catch(() => undefined);
    if (attempt !== '') await this.#tell({ kind: 'stop' });
    await connection.ask(connection.redis.del(RUN_KEYS.said(this.scope.runId)));
    if ((await connection.ask(queue.remove(job))) > 0) return;
    // A worker has it, or gets it after a stall.
    const over = await key.seal(['over', job], new Uint8Array());
    await connection.ask(connection.redis.set(RUN_KEYS.over(job), over, 'EX', SAID_SECONDS));
  }
}
