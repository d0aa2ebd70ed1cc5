import { readFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { SpillwayError, invalidArgument, toSpillwayError } from '../../shared/base/errors.ts';
import type { manifest } from '../../shared/inspect/intercept.manifest.ts';
import { describeRule, type Rule } from '../../shared/inspect/intercept.methods.ts';
import { produceJson } from '../core/calls/produce.ts';
import { callerOf, type CallContext, type ClientSession } from '../core/context.ts';
import type { ArgsOf, ToolRuntime, ToolRuntimes } from '../core/registry/definition.ts';
import type { Secrets, Uploads } from '../core/services.ts';
import { formatTabId, askTab, requireTab } from '../core/targets.ts';
import { checkTaken } from '../core/arguments.ts';
import { showFile } from '../core/shown-file.ts';
import { describeEnded, leftInTabs } from './left-in-tabs.ts';
import type { ToolServices } from '../core/index.ts';

type InterceptArgs = ArgsOf<typeof manifest>;

/** In base64 it has to fit into one message to the browser. */
const FILE_MAX_BYTES = 256 * 1_024;
/** In one tab, of one session. */
const RULES_MOST = 50;
const TAKES: Readonly<Record<InterceptArgs['action'], readonly (keyof InterceptArgs)[]>> = {
  list: [],
  add: ['url', 'block', 'delay_ms', 'answer', 'headers', 'login'],
  remove: ['rule'],
};
const ONE_SITE = /^https?:\/\/[^/*{}?#@]+\//i;

type InterceptServices = Pick<ToolServices, 'bridge' | 'uploads' | 'secrets'>;

/** A rule as answers show it: without bodies and secrets. */
interface Shown {
  readonly tab: string;
  readonly url: string;
  readonly does: string;
}

interface Added {
  /** Counted before a rule is known: calls at once add rules of their own. */
  count: number;
  readonly rules: Map<string, Shown>;
}

/** `intercept`: rules for the requests of a tab. */
export function createRuntimes({ bridge, ...services }: InterceptServices): ToolRuntimes {
  const sessions = new WeakMap<ClientSession, Added>();
  const follow = leftInTabs();
  const intercept: ToolRuntime<InterceptArgs> = async (args, context) => {
    const { action, tab: _tab, ...given } = args;
    checkTaken(action, { ...given, delay_ms: args.delay_ms > 0 }, TAKES);
    const added = sessions.get(context.session) ?? { count: 0, rules: new Map<string, Shown>() };
    sessions.set(context.session, added);
    const { rules: known } = added;
    const add = args.action === 'add' ? await ruleOf(args, added, services, context) : null;
    const target = await requireTab(bridge, args, context);
    const caller = callerOf(context);
    const tab = formatTabId(target);
    const own = [...known.keys()].filter((id) => known.get(id)?.tab === tab);
    if (args.rule !== undefined && !own.includes(args.rule))
      throw invalidArgument(`rule: there is no ${args.rule} in ${tab}.`);
    if (add !== null && own.length >= RULES_MOST)
      throw invalidArgument(`${tab} has ${RULES_MOST} rules, which is the most.`, 'Remove some first.');
    const remove = args.action !== 'remove' ? null : args.rule === undefined ? own : [args.rule];
    const endedBy = follow(context.session, tab, (id) => remove?.includes(id) === true);
    if (add !== null) known.set(add.id, { tab, url: add.url, does: describeRule(add.act) });
    const params = { tab_id: target.tabId, caller, add, remove };
    const { rules } = await askTab({ bridge, target, context }, 'tab.intercept', params).catch(
      (thrown: unknown) => {
        // The call is performed again, with another id. After other failures the tab may have the rule.
        if (add !== null && toSpillwayError(thrown).questionId !== undefined) known.delete(add.id);
        throw thrown;
      },
    );
    const ended = endedBy(rules.map(({ id }) => id));
    for (const id of [...(remove ?? []), ...ended]) known.delete(id);
    const shown = rules.map(({ id, hits }) => ({ id, url: '', does: '', ...known.get(id), hits }));
    return produceJson({ tab, rules: shown }, { tab }, describeEnded(ended));
  };
  return { intercept };
}

/** The browser sets them itself, and refuses all of a change that has one. */
const OWN_HEADERS =
  /^(?:content-length|cookie2|host|keep-alive|proxy-.*|set-cookie|te|trailer|transfer-encoding|upgrade)$/i;

/** @throws SpillwayError `invalid_argument` */
function checkHeaders(headers: NonNullable<InterceptArgs['headers']>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (OWN_HEADERS.test(name)) throw invalidArgument(`headers: the browser alone sets ${name}.`);
    if (value === null && /^cookie$/i.test(name))
      throw invalidArgument(
        'headers: the browser adds its cookies again.',
        'Replace them by a value, or delete them with storage.',
      );
  }
}

/** @throws SpillwayError `invalid_argument` */
function checkRule({ url = '', block, delay_ms: delayMs, answer, headers, login }: InterceptArgs): void {
  if (url === '') throw invalidArgument('url: add needs one.');
  if (/^wss?:/i.test(url)) throw invalidArgument('url: the browser does not report WebSockets to rules.');
  const ways = [block ? block : undefined, answer, login, headers].filter((way) => way !== undefined);
  if (ways.length > 1 || (ways.length === 0 && delayMs === 0))
    throw invalidArgument('add takes one of block, answer, headers and login, or delay_ms alone.');
  if (login !== undefined && !ONE_SITE.test(url))
    throw invalidArgument('url: with login it begins with one site, such as https://intranet.example/**.');
  if (answer?.body !== undefined && answer.file !== undefined)
    throw invalidArgument('answer: takes body or file.');
  checkHeaders(headers ?? {});
}

/** @throws SpillwayError `invalid_argument`, `upload_refused`, `secret_not_found`, `secret_unavailable` */
async function ruleOf(
  args: InterceptArgs,
  added: Added,
  { uploads, secrets }: Pick<InterceptServices, 'uploads' | 'secrets'>,
  context: CallContext,
): Promise<Rule> {
  checkRule(args);
  const id = `r${(added.count += 1)}`;
  const { url = '', block, delay_ms, answer, headers = null, login } = args;
  return {
    id,
    url,
    act: {
      block,
      delay_ms,
      answer: answer === undefined ? null : await answerOf(answer, uploads, context),
      headers,
      login: login === undefined ? null : await loginOf(login, secrets),
    },
  };
}

async function answerOf(
  { status, headers, body = '', file }: NonNullable<InterceptArgs['answer']>,
  uploads: Uploads,
  context: CallContext,
): Promise<NonNullable<Rule['act']['answer']>> {
  const { bytes, mime } =
    file === undefined ? { bytes: Buffer.from(body), mime: '' } : await readUpload(file, uploads, context);
  // Without one the browser shows no SVG, and runs no module.
  const hasType = mime === '' || Object.keys(headers).some((name) => /^content-type$/i.test(name));
  return {
    status,
    phrase: STATUS_CODES[status] ?? 'Unknown',
    headers: hasType ? headers : { ...headers, 'content-type': mime },
    body: bytes.toString('base64'),
  };
}

async function readUpload(path: string, uploads: Uploads, { session, sends }: CallContext) {
  const [staged] = await uploads.stage([path], session);
  if (staged === undefined || staged.size > FILE_MAX_BYTES)
    throw new SpillwayError('upload_refused', `${path}: an answer has ${FILE_MAX_BYTES} bytes at most.`);
  const bytes = await readFile(staged.path);
  sends({ [path]: showFile(bytes) });
  return { bytes, mime: staged.mime };
}

async function loginOf(
  { username, password }: NonNullable<InterceptArgs['login']>,
  secrets: Secrets,
): Promise<Rule['act']['login']> {
  const { sites } = secrets.resolve(password);
  if (sites === null)
    throw new SpillwayError('password_refused', 'login: the password is given as secret:NAME.', {
      hint: secrets.hint,
    });
  const [name, word] = [await secrets.read(username), await secrets.read(password)];
  return { username: name, password: word, sites: [...sites] };
}
