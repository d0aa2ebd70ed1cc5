import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endTree, processTree } from './processes.mjs';

const PROTOCOL_VERSION = '2025-11-25';
const LEAVE_TIMEOUT_MS = 4_000;
const STDERR_CHARACTERS = 4_000;

/**
 * Speaks MCP to a server over its stdio. The SDK's client is not used on purpose: it joins its
 * buffer again at each chunk and checks each answer against a schema, and a benchmark that measures
 * its own client says little about the servers.
 */
export class McpClient {
  /** @type {import('node:child_process').ChildProcessByStdio<any, any, any>} */
  #child;
  #pending = new Map();
  #chunks = [];
  #nextId = 1;
  #stderr = '';

  /**
   * @param {{ command: string, args: readonly string[], env?: Record<string, string>, cwd?: string }} server
   */
  constructor({ command, args, env = {}, cwd }) {
    this.startedAt = performance.now();
    this.#child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: 'pipe' });
    this.#child.stdout.on('data', (chunk) => this.#read(chunk));
    this.#child.stderr.setEncoding('utf8').on('data', (text) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARACTERS);
    });
    this.#child.stdin.on('error', () => {});
    this.#child.once('error', (error) => this.#fail(error));
    this.#child.once('close', (code, signal) => this.#fail(new Error(`it ended with ${code ?? signal}`)));
  }

  get pid() {
    return this.#child.pid;
  }

  /** Initialises the session. */
  async initialize(timeoutMs) {
    const clientInfo = { name: 'spillway-bench', version: '1.0.0' };
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo };
    const result = await this.request('initialize', params, timeoutMs);
    this.#send({ method: 'notifications/initialized' });
    return result;
  }

  /**
   * Calls a tool; an answer with `isError` rejects.
   * @returns {Promise<{ content: { type: string, text?: string }[] }>}
   */
  async call(name, args, timeoutMs) {
    const result = await this.request('tools/call', { name, arguments: args }, timeoutMs);
    if (result.isError === true)
      throw new Error(`${name} answered an error: ${result.content?.[0]?.text?.slice(0, 600)}`);
    return result;
  }

  /** One request; rejects at the deadline, on an error answer, and when the server ends. */
  request(method, params, timeoutMs) {
    const id = this.#nextId++;
    return new Promise((fulfil, reject) => {
      const late = () =>
        this.#settle(id, 'reject', this.#explain(`no answer to ${method} in ${timeoutMs} ms`));
      this.#pending.set(id, { fulfil, reject, timer: setTimeout(late, timeoutMs) });
      if (this.#child.exitCode !== null || this.#child.signalCode !== null)
        this.#settle(id, 'reject', this.#explain('it has ended'));
      else this.#send({ id, method, params });
    });
  }

  /** Closes stdin and waits for the server and all that it started; what stays is killed. */
  async close() {
    if (this.#child.pid === undefined) return;
    const tree = processTree(this.#child.pid);
    const ended = this.#child.exitCode === null ? once(this.#child, 'close') : undefined;
    this.#child.stdin.end();
    await endTree(tree, LEAVE_TIMEOUT_MS);
    await ended;
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #read(chunk) {
    let rest = chunk;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      this.#chunks.push(rest.subarray(0, end));
      const line = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
      this.#chunks = [];
      rest = rest.subarray(end + 1);
      if (line.length > 0) this.#receive(JSON.parse(line.toString('utf8')));
    }
    if (rest.length > 0) this.#chunks.push(rest);
  }

  #receive({ id, method, result, error }) {
    if (method !== undefined) {
      // A request of the server (its roots, say): this client has none of it.
      if (id !== undefined) this.#send({ id, error: { code: -32601, message: 'Method not found' } });
      return;
    }
    if (error === undefined) this.#settle(id, 'fulfil', result);
    else this.#settle(id, 'reject', new Error(`${error.code} ${error.message}`));
  }

  #settle(id, how, value) {
    const entry = this.#pending.get(id);
    if (entry === undefined) return;
    this.#pending.delete(id);
    clearTimeout(entry.timer);
    entry[how](value);
  }

  #fail(error) {
    for (const id of [...this.#pending.keys()]) this.#settle(id, 'reject', this.#explain(error.message));
  }

  #explain(what) {
    const stderr = this.#stderr.trim();
    return new Error(
      `the server failed: ${what}${stderr === '' ? '' : `\nits stderr ends with:\n${stderr}`}`,
    );
  }
}

/** All the text of an answer. */
export function textOf(result) {
  return result.content.map((block) => block.text ?? block.resource?.text ?? '').join('\n');
}
