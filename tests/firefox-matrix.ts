const NO_ANSWERS = 'Firefox lets extensions block and change requests, and answers none in place of a site.';
const NO_JSON = 'Firefox shows JSON in a viewer of its own, which no extension enters: fetch reads it.';
const NO_VIEWER = 'Firefox shows a PDF in a viewer of its own, which no extension enters.';
const NO_EMULATION = 'Emulation needs a debugger.';
const NO_MEDIA = 'The tab stays where it was, and the call fails as not_a_page with the facts of the file.';
const NO_PDF = 'A script enters no frame with a PDF, and none says that there is one.';
const NO_PLACES = 'No extension of Firefox sees where a rule of CSS or a function begins.';
const DRAWS_LATE = 'A page behind the front tab draws once a second.';
const NO_FOCUS = 'No element of a tab behind the front one matches :focus.';
const NO_REF = 'A function gets no element of a ref.';
const NO_STOP = 'Firefox stops no script: its page hangs until the person stops it.';
const NO_WORKERS = 'No script of an extension enters a worker.';
const NO_DIALOGS = 'Nothing tells an extension of Firefox about a dialog.';
const SAYS_SCRIPTED = 'A receipt says first that scripts sent the events.';
const NO_CARET = 'No script moves the caret of a field for an address.';
const SPACES_FOR_TABS = 'Its editor writes spaces for a tab.';
const NEEDS_DEBUGGER = 'The tool needs a debugger.';
const TRIES_DEBUGGER = 'The test tries whether the debugger gets in: Firefox has none.';

/**
 * Files that run in Firefox too, with `npm run test:deep`. Each has its tests that fail there, by the beginning of their
 * names, and why: one that passes fails the run, so that its row is removed.
 */
export const FIREFOX_MATRIX: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Reading, finding, extraction
  'tests/read/e2e/read-page.test.ts': {},
  'tests/read/e2e/snapshot-options.test.ts': {},
  'tests/files/e2e/files-in-tabs.test.ts': {
    'a tab that shows /data.json': NO_JSON,
    'a tab that shows /wind.wav': NO_MEDIA,
    'a tab that shows /film.webm': NO_MEDIA,
    'a page that shows a PDF /iframe': NO_PDF,
    'a page that shows a PDF /object': NO_PDF,
    'a page that shows a PDF /other-site': NO_PDF,
  },
  'tests/find/e2e/find.test.ts': {},
  'tests/find/e2e/refs.test.ts': {},
  'tests/read/e2e/html-skeleton.test.ts': {},
  'tests/audit/e2e/audit.test.ts': {
    'ends when the tab goes elsewhere': 'Firefox shows the next page once the audit has ended.',
  },
  'tests/inspect/e2e/components.test.ts': {
    'answers the rules': NO_PLACES,
    'says by which lines': 'The stack of a request needs a debugger.',
    'names the elements of Lit': NO_PLACES,
  },
  'tests/inspect/e2e/console.test.ts': {
    'past messages warning of console: worker says': NO_WORKERS,
    'past messages of the browser': 'The browser tells scripts of no failed requests: network has them.',
  },
  'tests/extract/e2e/extract-data.test.ts': {},
  'tests/extract/e2e/extract-data-pages.test.ts': {},
  'tests/pictures/e2e/screenshot.test.ts': {},
  'tests/wait/e2e/wait-for-tool.test.ts': {},
  'tests/wait/e2e/wait-for.test.ts': {
    'a page that is not ready names a frame that is still loading: boxed-frame':
      'No script enters the empty document of a sandboxed frame: the note names its request.',
  },
  'tests/act/e2e/clipboard.test.ts': {},
  'tests/inspect/e2e/storage.test.ts': {},
  'tests/evidence/e2e/evidence.test.ts': {
    'a page loaded for its bundle': 'Firefox writes no page as MHTML.',
  },
  // Network, crawl
  'tests/network/e2e/fetch.test.ts': {
    'a PDF with a password': 'The viewer asks for the password, and its tab does not load.',
    'a PDF in a tab is read': NO_VIEWER,
  },
  'tests/crawl/e2e/crawl-redirects.test.ts': {},
  'tests/inspect/e2e/intercept.test.ts': {
    'answers what a page asks for': NO_ANSWERS,
    'answers a page of another origin': NO_ANSWERS,
    'answers what a frame of another site asks for': NO_ANSWERS,
    'asks a person about an answer': NO_ANSWERS,
  },
  'tests/tabs/e2e/opened-tabs.test.ts': {},
  'tests/inspect/e2e/evaluate.test.ts': {
    'gives what the function returns': NO_REF,
    'runs in the frame of a ref': NO_REF,
    'sees what the tab emulates': NO_EMULATION,
    'ends with its page, its tab, and a dialog': 'A function whose page goes ends at its time.',
    '() => { for (;;); }': NO_STOP,
    'async () => { await 0; for (;;); }': NO_STOP,
  },
  // Acting
  'tests/act/e2e/widgets.test.ts': {
    'sets an option of a list that closes slowly': DRAWS_LATE,
    'sets a row without a role that has to be scrolled to': DRAWS_LATE,
    'sets a row by': DRAWS_LATE,
    'sets lines of a chat': SPACES_FOR_TABS,
    'sets text at the caret': NO_FOCUS,
    'sets text after an address': NO_CARET,
    'sets a drop that its page takes': 'A script drags nothing.',
  },
  'tests/act/e2e/safety.test.ts': {},
  'tests/act/e2e/passwords.test.ts': {
    'keys that would go to a password field are refused: one in a frame': 'Keys of a script go to no frame.',
    'keys that would go to a password field are refused: one that they move to in a frame':
      'Keys of a script go to no frame.',
    'keys that would go to a password field are refused: one as a paste': 'Keys of a script paste nothing.',
    'keys that would go to a password field are refused: one as a drop': 'A script drags nothing.',
  },
  'tests/act/e2e/repeated.test.ts': {},
  'tests/act/e2e/page-words.test.ts': { 'the page "dialog" is marked': NO_DIALOGS },
  'tests/act/e2e/fields-in-turn.test.ts': {
    'a receipt has a run of text fields as far as it came: a dialog': NO_DIALOGS,
  },
  'tests/act/e2e/receipt.test.ts': {
    'says what has changed, and nothing else': SAYS_SCRIPTED,
    'says that no click came of a press': 'The click of a script always comes.',
    'names a permission that the browser denied': 'Firefox asks the person, and denies nothing before.',
    'does not know yet whether a press has opened': SAYS_SCRIPTED,
  },
  // Repeating, several agents, the panel
  'tests/core/e2e/several-agents.test.ts': {},
  'tests/core/e2e/every-tool.test.ts': {},
  'tests/core/e2e/tool-examples.test.ts': {
    'evaluate { "code"': NO_REF,
    'inspect { "ref"': NO_PLACES,
    'emulate ': NO_EMULATION,
    'intercept { "action": "add", "url": "**/api/cart"': NO_ANSWERS,
    'record_video ': NEEDS_DEBUGGER,
    'trace ': NEEDS_DEBUGGER,
  },
  // Approvals
  'tests/people/e2e/policy.test.ts': {},
  'tests/act/e2e/foreign-frames.test.ts': {
    'says where input was kept from': 'Keys of a script go to the field that it names, and never to a frame.',
  },
  'tests/people/e2e/ask.test.ts': {},
  'tests/people/e2e/capture.test.ts': {},
  'tests/people/e2e/client.test.ts': {},
  'tests/people/e2e/crawl.test.ts': {},
  'tests/people/e2e/fetch.test.ts': {
    'the text of a PDF in a tab': NO_VIEWER,
  },
  'tests/people/e2e/secrets.test.ts': {},
  'tests/people/e2e/shown.test.ts': { 'an answer for requests is on the card': NO_ANSWERS },
  'tests/people/e2e/sites-apart.test.ts': {},
  'tests/people/e2e/takeover.test.ts': {
    'a dialog is answered by the person alone': 'No rig holds a dialog of Firefox open.',
    'a tab that the page opens': TRIES_DEBUGGER,
    'a person logs in': TRIES_DEBUGGER,
  },
  'tests/people/e2e/tabs.test.ts': {},
};

/** The same for a Firefox that the server has started, which gives it trusted input. */
export const LAUNCHED_FIREFOX_MATRIX: typeof FIREFOX_MATRIX = {
  'tests/act/e2e/clicks.test.ts': {},
  'tests/act/e2e/drags.test.ts': {},
  'tests/act/e2e/widgets.test.ts': {
    'sets a radio input below another until': 'The pointer of Firefox misses an input of one pixel.',
    'sets lines of a chat': SPACES_FOR_TABS,
    'sets text after an address': NO_CARET,
  },
};
