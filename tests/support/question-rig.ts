import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { SERVER } from '../../scripts/lib/server-process.ts';
import { AskedPerson } from './asked-person.ts';
import { createProfile, spawnChromium, type TestChromium } from './browser.ts';
import { bundleProgram } from './bundle-program.ts';
import { answerAt } from './file-site.ts';
import { hasEnded, hostPid, waitForNoProcess } from './processes.ts';
import { Stage } from './stage.ts';
import { startServer, type StdioServer } from './stdio-server.ts';
import { testFolder } from './test-folder.ts';
import type { WorkerScope } from './worker-scope.ts';
import { atEndOfFile } from './end-of-file.ts';

const FORM = `<!doctype html><title>Shop</title><form method="post" action="/buy"><button>Buy</button></form>`;

interface Order {
  readonly site: string;
  /** The ledger already had a line for an act on that site. */
  readonly hadLine: boolean;
}

/** The members of a ledger line that tests read. */
interface LedgerLine {
  readonly kind: string;
  readonly site?: string;
  readonly outcome?: string;
  readonly code?: string;
  readonly question?: string;
  readonly grant?: string;
  readonly decided?: { readonly where: string };
}

/** Lines in the files of a ledger now, whole ones. */
function linesIn(home: string): LedgerLine[] {
  const folder = join(home, 'ledger');
  try {
    return readdirSync(folder).flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((text) => JSON.parse(text) as LedgerLine),
    );
  } catch {
    return [];
  }
}

/** One home with its servers, and a site where nobody has allowed anything. */
export interface Shopping {
  readonly home: string;
  readonly site: string;
  readonly server: StdioServer;
  start(args?: readonly string[]): Promise<StdioServer>;
  orders(): readonly Order[];
  lines(kind: string): LedgerLine[];
  verify(): string;
}

/**
 * A person's browser that can be killed and restarted with the same profile, shops that hold orders, and servers with
 * staged disks.
 */
export class QuestionRig {
  readonly stage: Stage;
  readonly #profile = createProfile(undefined, { rules: 'person' });
  readonly #orders: Order[] = [];
  readonly #held: ServerResponse[] = [];
  #browser: TestChromium | null = null;
  #home = '';
  #port = 0;
  #sites = 0;
  holdsOrders = false;
  worker!: WorkerScope;
  person!: AskedPerson;

  private constructor(stage: Stage) {
    this.stage = stage;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (request.method !== 'POST') return void response.end(FORM);
    const site = `http://${request.headers.host ?? ''}`;
    const hadLine = linesIn(this.#home).some((line) => line.kind === 'act' && line.site === site);
    this.#orders.push({ site, hadLine });
    if (this.holdsOrders) this.#held.push(response);
    else response.end('<title>Bought</title>Thank you');
  }

  static async start(): Promise<QuestionRig> {
    const rig = new QuestionRig(new Stage(await bundleProgram(new URL('./staged-disk.ts', import.meta.url))));
    rig.#port = await answerAt((request, response) => rig.#answer(request, response));
    await rig.startBrowser();
    atEndOfFile(async () => {
      rig.freeOrders();
      await rig.#browser?.close();
    });
    return rig;
  }

  /** Starts the browser, possibly with the profile of a killed one. */
  async startBrowser(): Promise<void> {
    this.#browser = await spawnChromium({ profile: this.#profile });
    this.worker = this.#browser.scope;
    this.person = new AskedPerson(this.worker);
  }

  killBrowser(): Promise<void> {
    if (this.#browser === null) throw new Error('There is no browser.');
    return this.#browser.kill();
  }

  async killHost(): Promise<void> {
    const host = hostPid(this.#profile.bridgeDirectory);
    process.kill(host, 'SIGKILL');
    await expect.poll(() => hasEnded(host)).toBe(true);
  }

  async closeTab(site: string): Promise<void> {
    await this.worker.evaluate(
      `chrome.tabs.query({ url: ${JSON.stringify(`${site}/*`)} }).then((tabs) => chrome.tabs.remove(tabs.map(({ id }) => id))).then(() => null)`,
    );
  }

  /** Resolves when an order waits for its answer. */
  async orderHeld(): Promise<void> {
    await expect.poll(() => this.#held.length).toBeGreaterThan(0);
  }

  freeOrders(): void {
    this.holdsOrders = false;
    for (const response of this.#held.splice(0)) response.end('<title>Bought</title>Thank you');
  }

  /** A home of its own with a server that shows a site of its own, for one test. */
  async shop(args: readonly string[] = ['--sync-wait-ms', '50000']): Promise<Shopping> {
    const home = testFolder();
    this.#home = home;
    const servers: StdioServer[] = [];
    onTestFinished(async () => {
      this.stage.clear();
      this.freeOrders();
      await Promise.all(servers.map(({ client }) => client.close()));
      await waitForNoProcess(home);
    });
    const start = async (given: readonly string[] = args): Promise<StdioServer> => {
      const env = { ...this.#profile.serverEnv, ...this.stage.env };
      const server = await startServer({ env, args: given, clientName: 'faulty-agent', home });
      servers.push(server);
      return server;
    };
    const site = `http://shop${(this.#sites += 1)}.test:${this.#port}`;
    const server = await start();
    const opened = await server.call('navigate', { url: `${site}/` });
    if (opened.isError) throw new Error(opened.text);
    return {
      home,
      site,
      server,
      start,
      orders: () => this.#orders.filter((order) => order.site === site),
      lines: (kind) => linesIn(home).filter((line) => line.kind === kind),
      verify: () =>
        execFileSync(process.execPath, [SERVER, 'ledger', 'verify', '--home', home], { encoding: 'utf8' }),
    };
  }
}

/** Files below a folder that others than their user can read. */
export function sharedFiles(home: string): string[] {
  return readdirSync(home, { recursive: true })
    .map(String)
    .filter((name) => {
      const found = statSync(join(home, name));
      return found.isFile() && (found.mode & 0o077) !== 0;
    });
}
