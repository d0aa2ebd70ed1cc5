import axe from 'axe-core';
import { isObject } from '../../../shared/base/json.ts';

/** After this long the page gets its turn. */
const TURN_MS = 50;

interface Task {
  readonly rule: string;
  readonly work: () => unknown;
  readonly skip: () => unknown;
}

type Call = (...args: unknown[]) => unknown;
const isCall = (value: unknown): value is Call => typeof value === 'function';

const SLOW = /^(?:target-size|color-contrast.*)$/;
/** These judge each element alone, but take most of the time: they come last, so that the others are finished. */
export const isSlow = (id: string): boolean => SLOW.test(id);
/** Of each element these rules need its place and styles, which axe-core would read of the whole page in one step, and keeps. */
const STYLES = 'position z-index display float opacity transform filter will-change contain'.split(' ');

function readPlace(el: Element): void {
  const node = callOf(axe.utils, 'getNodeFromTree', el);
  if (!isObject(node)) return;
  try {
    for (const key of ['boundingClientRect', 'clientRects']) Reflect.get(node, key);
    for (const name of STYLES) callOf(node, 'getComputedStylePropertyValue', name);
    callOf(axe.commons.dom, 'isVisibleOnScreen', node);
  } catch {
    // Fields of a form may hide its methods. The rule meets that again, and says so.
  }
}

function callOf(owner: object, name: string, given: unknown): unknown {
  const found: unknown = Reflect.get(owner, name);
  return isCall(found) ? Reflect.apply(found, owner, [given]) : null;
}

const idOf = (rule: unknown): string => (isObject(rule) ? String(rule['id']) : '');

/** Axe-core has no interface for them. */
export function axeRules(): unknown[] {
  const audit: unknown = Reflect.get(axe, '_audit');
  return isObject(audit) && Array.isArray(audit['rules']) ? audit['rules'] : [];
}

/**
 * Divides the work of axe-core, which checks all elements in one task: meanwhile the page would hang, for a minute if it
 * is large.
 */
export class Pace {
  readonly #rules: Task[] = [];
  readonly #checks: Task[] = [];
  #isWorking = false;
  #turnEndsAt = 0;
  #goesOn = (): boolean => false;
  readonly #skipped = new Set<string>();

  /** @param rules of axe-core */
  constructor(rules: unknown[]) {
    rules.sort((a, b) => Number(isSlow(idOf(a))) - Number(isSlow(idOf(b))));
    for (const rule of rules.filter(isObject)) {
      this.#divide(rule, 'run', this.#rules, ([, , resolve]) => isCall(resolve) && resolve(null));
      this.#divide(
        rule,
        'runChecks',
        this.#checks,
        ([type, , , , resolve]) => isCall(resolve) && resolve({ type, results: [] }),
      );
    }
  }

  /** Rules that the last run did not finish. */
  get skipped(): readonly string[] {
    return [...this.#skipped];
  }

  /** @param isWanted whether to go on, besides the time */
  start(budgetMs: number, isWanted: () => boolean): void {
    const endsAt = performance.now() + budgetMs;
    this.#goesOn = () => performance.now() < endsAt && isWanted();
    this.#skipped.clear();
  }

  #divide(rule: object, method: string, queue: Task[], skip: (args: unknown[]) => unknown): void {
    const original: unknown = Reflect.get(rule, method);
    if (!isCall(original)) throw new Error(`Rules of axe-core have no ${method}.`);
    Reflect.set(rule, method, (...args: unknown[]) => {
      queue.push({
        rule: idOf(rule),
        work: () => Reflect.apply(original, rule, args),
        skip: () => skip(args),
      });
      if (!this.#isWorking) void this.#work();
    });
  }

  /** Rule by rule; the queues grow meanwhile. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    await this.#giveTurn();
    let hasPlaces = false;
    for (const rule of this.#rules) {
      if (isSlow(rule.rule) && !hasPlaces) {
        hasPlaces = true;
        for (const el of document.querySelectorAll('*'))
          await this.#do({ rule: rule.rule, work: () => readPlace(el), skip: () => undefined });
      }
      await this.#do(rule);
      for (const check of this.#checks) await this.#do(check);
      this.#checks.length = 0;
    }
    this.#rules.length = 0;
    this.#isWorking = false;
  }

  async #do({ rule, work, skip }: Task): Promise<void> {
    if (performance.now() > this.#turnEndsAt) await this.#giveTurn();
    if (this.#goesOn()) work();
    else {
      this.#skipped.add(rule);
      skip();
    }
  }

  async #giveTurn(): Promise<void> {
    await scheduler.postTask(() => undefined);
    this.#turnEndsAt = performance.now() + TURN_MS;
  }
}
