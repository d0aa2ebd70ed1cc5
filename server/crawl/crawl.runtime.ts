import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { defined, type JsonObject } from '../../shared/base/json.ts';
import { CrawlInput } from '../../shared/crawl/crawl.manifest.ts';
import type { CallContext } from '../core/context.ts';
import { answerRun } from '../core/calls/produce.ts';
import type { Runs, RunView } from '../core/runs.ts';
import type { ToolRuntime, ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge, BrowserId } from '../core/services.ts';
import { resolveBrowser } from '../core/targets.ts';
import { checkUrl } from '../core/arguments.ts';
import { CrawlArgs } from './address.ts';
import type { ToolServices } from '../core/index.ts';

type CrawlServices = Pick<ToolServices, 'bridge' | 'runs' | 'queue'>;

export const createRuntimes = (services: CrawlServices): ToolRuntimes => ({ crawl: createCrawl(services) });

/** `crawl`: starts or resumes a run, and returns its items or its id. */
export const createCrawl =
  (services: CrawlServices): ToolRuntime<CrawlInput> =>
  async (args, context) => {
    const { runs } = services;
    const start = oneStart(args);
    const view =
      start === 'resume'
        ? await resume(runs, args.resume ?? '', context)
        : await begin(services, args, context);
    return answerRun(runs, view, { async: args.async, context });
  };

const STARTS = ['url', 'urls', 'sitemap', 'resume'] as const;

function oneStart(args: CrawlInput): (typeof STARTS)[number] {
  const passed = STARTS.filter((name) => args[name] !== undefined);
  const [only, second] = passed;
  if (only !== undefined && second === undefined) return only;
  const actual = only === undefined ? 'none was given' : `${passed.join(' and ')} were given`;
  throw invalidArgument(`crawl: pass exactly one of ${STARTS.join(', ')}; ${actual}.`);
}

/** Arguments of a call that resumes a run: the others were set when it started. */
const WITH_RESUME = ['resume', 'async'];

async function resume(runs: Runs, runId: string, context: CallContext): Promise<RunView> {
  const refused = context.givenNames.find((name) => name in CrawlInput.shape && !WITH_RESUME.includes(name));
  if (refused !== undefined)
    throw invalidArgument(
      `${refused}: resume keeps the options of the original crawl; omit it, or start another crawl.`,
    );
  const { tool } = await runs.args(runId);
  if (tool !== 'crawl')
    throw invalidArgument(
      `resume: ${runId} is a run of ${tool}, not of crawl.`,
      'Pass a run of crawl, or call run_resume.',
    );
  return runs.resume(runId, context);
}

async function begin(
  { bridge, runs, queue }: CrawlServices,
  passed: CrawlInput,
  context: CallContext,
): Promise<RunView> {
  const checked = {
    ...passed,
    ...defined({
      url: passed.url && checkStart('url', passed.url),
      urls: passed.urls?.map((url, at) => checkStart(`urls[${at}]`, url)),
      sitemap: passed.sitemap && checkStart('sitemap', passed.sitemap),
    }),
  };
  const browser = queue === null ? await chooseBrowser(bridge, context) : null;
  const profile = bridge.browsers().find(({ id }) => id === browser)?.instance ?? null;
  const instance = bridge.isPrivate ? null : profile;
  const args: JsonObject = CrawlArgs.strip().parse({ ...checked, instance });
  const source = checked.url ?? checked.urls?.[0] ?? checked.sitemap ?? 'crawl';
  return runs.start({ ...context, tool: 'crawl', args, source });
}

/** The only browser, or that of the client's current tab. */
async function chooseBrowser(bridge: Bridge, context: CallContext): Promise<BrowserId> {
  try {
    return await resolveBrowser(bridge, undefined, context.signal);
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError) || thrown.code !== 'browser_ambiguous') throw thrown;
    const current = context.session.currentTab?.split(':')[0];
    if (current !== undefined) return resolveBrowser(bridge, current, context.signal);
    throw thrown.with({
      hint: 'crawl works in the browser of your current tab: call navigate with a url and browser first.',
    });
  }
}

/** @throws SpillwayError `invalid_argument`, `url_not_allowed`, naming the field. */
function checkStart(field: string, passed: string): string {
  let href: string;
  try {
    href = checkUrl(passed);
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError)) throw thrown;
    throw thrown.with({ message: thrown.message.replace(/^url:/, `${field}:`) });
  }
  const { protocol, username, password } = new URL(href);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new SpillwayError('url_not_allowed', `${field}: only http and https URLs are crawled.`);
  if (username !== '' || password !== '')
    throw invalidArgument(
      `${field}: a URL with a password is not requested; sign in with the browser, then crawl without it.`,
    );
  return href;
}
