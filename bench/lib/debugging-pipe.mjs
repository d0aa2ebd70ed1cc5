/** Speaks CDP over the pipe of a browser that was started with `--remote-debugging-pipe`. */
export class DebuggingPipe {
  #out;
  #pending = new Map();
  #nextId = 1;
  #rest = '';

  /** @param {import('node:child_process').ChildProcess} child with pipes as fd 3 and 4 */
  constructor(child) {
    this.#out = child.stdio[3];
    child.stdio[4].setEncoding('utf8').on('data', (text) => this.#read(text));
  }

  /**
   * @param {string} method
   * @param {object} params
   * @param {string} [sessionId]
   */
  send(method, params = {}, sessionId = undefined) {
    const id = this.#nextId++;
    const answer = new Promise((fulfil, reject) => this.#pending.set(id, { fulfil, reject }));
    this.#out.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return answer;
  }

  /** Attaches to the first target of a type and answers the session. */
  async attach(type) {
    const { targetInfos } = await this.send('Target.getTargets');
    const target = targetInfos.find((info) => info.type === type);
    if (target === undefined) throw new Error(`The browser has no ${type}.`);
    return this.attachTo(target.targetId);
  }

  /** Attaches to a target and answers the session. */
  async attachTo(targetId) {
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    return sessionId;
  }

  /** The value of an expression, and of its promise. */
  async evaluate(sessionId, expression) {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', asked, sessionId);
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  #read(text) {
    const messages = (this.#rest + text).split('\0');
    this.#rest = messages.pop();
    for (const message of messages) {
      const { id, result, error } = JSON.parse(message);
      const pending = this.#pending.get(id);
      if (pending === undefined) continue;
      this.#pending.delete(id);
      if (error === undefined) pending.fulfil(result);
      else pending.reject(new Error(`${error.code} ${error.message}`));
    }
  }
}
