import { sendHtml, serveOnLoopback } from '../lib/loopback.mjs';

/** Text fields of the form, besides a select, a check box and radio buttons. */
const TEXTS = Array.from({ length: 14 }, (_, at) => `Field ${at + 1}`);

export const FIELDS = {
  ...Object.fromEntries(TEXTS.map((name) => [name, `value of ${name}`])),
  Country: 'France',
  Newsletter: true,
  Size: 'Medium',
};

/** How long the route's content takes. */
const ROUTE_MS = 100;

export const PROOFS = { page: 'You arrived at 4711', route: 'Routed content 4712', form: 'Sent 17 fields' };

const FORM = `<title>Form</title><h1>Form</h1><form id="form">
  ${TEXTS.map((name) => `<label>${name} <input name="${name}"></label>`).join('\n')}
  <label>Country <select name="Country"><option>Spain<option>France</select></label>
  <label><input type="checkbox" name="Newsletter"> Newsletter</label>
  <fieldset><legend>Size</legend><label><input type="radio" name="Size" value="Small"> Small</label>
    <label><input type="radio" name="Size" value="Medium"> Medium</label></fieldset>
  <button id="send">Send</button></form><p id="said"></p>
  <script>form.onsubmit = (event) => {
    event.preventDefault();
    const filled = [...new FormData(form)].filter(([, value]) => value !== '').length;
    said.textContent = 'Sent ' + filled + ' fields';
  }</script>`;

const PAGES = {
  acts: `<title>Acts</title><h1>Acts</h1><button id="nothing">Nothing</button>
    <button id="count" onclick="this.textContent = 'Count ' + (count += 1)">Count</button><p id="shown"></p>
    <script>let count = 0; shown.textContent = 'Shown as ' + document.visibilityState + '.';</script>
    <label>Name <input id="name"></label><a id="link" href="/arrived">Arrive</a>
    <button id="route" onclick="fetch('/content').then(async (answer) => {
      document.querySelector('h1').textContent = await answer.text();
      history.pushState(0, '', '/routed');
    })">Route</button>`,
  arrived: `<title>Arrived</title><h1>${PROOFS.page}</h1><a href="/acts">Back</a>`,
  form: FORM,
};

/** Serves the pages on loopback. */
export function serveActs() {
  return serveOnLoopback((request, response) => {
    if (request.url === '/content') setTimeout(() => response.end(PROOFS.route), ROUTE_MS);
    else sendHtml(response, PAGES[request.url.slice(1)]);
  });
}
