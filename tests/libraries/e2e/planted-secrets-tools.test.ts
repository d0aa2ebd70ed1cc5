import { beforeAll, expect, it } from 'vitest';
import { personRig, type PersonRig } from '../../support/person-rig.ts';
import { secretsFolder } from '../../support/test-folder.ts';

/** The first has a known form; redactors recognise the others only by their place. */
const FORM = 'ghp_0123456789abcdefghijklmnopqrstuvwxAB';
const COOKIE = 'four%20sails%2037';
const SHORT = 'w1nd9';
const STORED = 'millstone-37-turns';
const INNER = 'sluice-gate-9-open';
const PASSWORD = 'mill-race-undershot-4';
const PLANTED = [FORM, COOKIE, decodeURIComponent(COOKIE), SHORT, STORED, INNER, PASSWORD];

const PAGE = `<title>Mill</title><button>Mill</button><a id=save href="/file" download="${FORM}.csv">Save</a>
  <img id="${FORM}"><a href="/?token=${STORED}" style="color:#fff">${FORM}</a><script>
  localStorage.auth_token = '${STORED}';
  localStorage.state = JSON.stringify({ wheel: 'overshot', session_token: '${INNER}' });
</script>`;

const { folder, secrets } = secretsFolder(`MILL=${PASSWORD}\n`);

let rig: PersonRig;
beforeAll(async () => {
  rig = await personRig(
    ({ url }, response) => {
      response.setHeader('set-cookie', [`sid=${COOKIE}`, `w=${SHORT}`]);
      response.setHeader('content-type', url === '/file' ? 'text/csv' : 'text/html; charset=utf-8');
      response.end(url === '/' ? PAGE : 'a,b\n');
    },
    ...['--secrets', secrets, '--download-root', folder],
  );
  await rig.setRules([{ id: 'all', effect: 'allow' }]);
  await rig.server.call('navigate', { url: rig.at('mill.test') });
});

type Call = readonly [tool: string, args: Record<string, unknown>];
const evaluate = (code: string): Call => ['evaluate', { code, world: 'page' }];
const rule = (more: object): Call => ['intercept', { action: 'add', url: '/data', ...more }];
const FETCH = "async () => (await fetch('/data')).text()";
const login = { username: 'ada', password: 'secret:MILL' };
const all = (...calls: readonly Call[]): readonly Call[] => calls;

/** Each with a proof in its last answer that something was redacted. */
const CALLS: readonly (readonly [where: string, shows: string, calls: readonly Call[]])[] = [
  ['a list of all that the page keeps', 'auth_token', all(['storage', {}])],
  ['cookies', 'redacted', all(evaluate('() => [document.cookie, decodeURIComponent(document.cookie)]'))],
  ['a cookie that is thrown', 'redacted', all(evaluate('() => { throw new Error(document.cookie) }'))],
  ['a stored value', 'redacted', all(evaluate('() => localStorage.auth_token'))],
  ['a value within one', 'redacted', all(evaluate('() => [JSON.parse(localStorage.state).session_token]'))],
  ['an evaluated secret', 'redacted', all(evaluate(`() => '${FORM}'`))],
  ['a given answer', 'redacted', all(rule({ answer: { body: FORM } }), evaluate(FETCH))],
  [
    'headers that are set',
    'headers authorization',
    all(rule({ headers: { authorization: `Bearer ${FORM}` } })),
  ],
  ['faults of a page', 'redacted', all(['audit', {}])],
  ['a password for a site', 'login', all(rule({ url: 'https://mill.test/**', login }))],
  [
    'the name of a download',
    'redacted',
    all(['interact', { steps: ['click css=#save'] }], ['downloads', {}]),
  ],
  ['the clipboard', 'redacted', all(['clipboard', { action: 'write', text: FORM }], ['clipboard', {}])],
];

it.each(CALLS)('no secret leaves by %s, nor by the journal', async (_where, shows, calls) => {
  const answers: string[] = [];
  async function say([tool, args]: Call): Promise<string> {
    const { raw } = await rig.server.call(tool, { ...args });
    const text = JSON.stringify(raw);
    answers.push(text);
    return text;
  }
  for (const call of calls.slice(0, -1)) await say(call);
  // A download may start after its click has been answered.
  for (const call of calls.slice(-1)) await expect.poll(() => say(call)).toContain(shows);
  await say(['oc_journal', { action: 'recent', count: 20 }]);
  for (const secret of PLANTED) for (const text of answers) expect(text).not.toContain(secret);
});

it('says all else that a page stores', async () => {
  const answer = await rig.server.call('evaluate', { code: '() => JSON.parse(localStorage.state).wheel' });
  expect(answer.json()).toBe('overshot');
});
