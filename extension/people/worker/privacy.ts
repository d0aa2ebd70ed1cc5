import browser, { type WebRequest } from 'webextension-polyfill';
import { BoundedMap } from '../../../shared/base/maps.ts';
import { isPrivateHost } from '../../../shared/base/private-address.ts';
import { siteOf, type Site } from '../../../shared/core/policy/sites.ts';
import { initiatorOf } from '../../platform/chromium/members.ts';
import { EXTRA_HEADERS } from '../../platform/chromium/response-bodies.ts';

const SITES_MAX = 5_000;

/** Cookies of measuring, consent, advertising, bot checks and load balancing: they do not say who somebody is. */
const HARMLESS = new RegExp(
  `^(?:${[
    '_ga|_gid|_gat|_gcl_|_gac_|__utm|_dc_gtm|FPID$|FPLC$|_pk_|_ym_|_hj|_clck$|_clsk$|mp_|amplitude|amp_|ajs_|__hs|hubspotutk$|_uet',
    'IDE$|NID$|AEC$|DV$|test_cookie$|_fbp$|_fbc$|fr$|MUID|_tt_|_ttp$|_pin_|_rdt_|_scid|personalization_id$|guest_id|__gads$|__gpi$|__eoi$',
    'CONSENT$|SOCS$|Optanon|CookieConsent|cookieyes|cookielawinfo|euconsent|didomi|usprivacy$|eupubconsent|_iub_cs|cmapi_|tarteaucitron',
    '__cf|cf_|_cfuvid$|ak_bmsc$|bm_|_abck$|incap_ses_|visid_incap_|nlbi_|datadome$|reese84$|AWSALB|AWSELB|BIGip|SERVERID$|ARRAffinity',
    '(?:lang|language|locale|theme|currency|country|timezone|tz)$',
  ].join('|')})`,
  'i',
);

const REQUESTS: WebRequest.RequestFilter = {
  urls: ['<all_urls>'],
  types: ['main_frame', 'sub_frame', 'xmlhttprequest'],
};

/** The polyfill does not know the others. */
const WITH_COOKIES = ['requestHeaders', ...EXTRA_HEADERS] as WebRequest.OnSendHeadersOptions[];

/** Whether the person is known to a site: whether what it shows is private. Listens only while there are servers. */
export class Privacy {
  readonly #byOrigin = new BoundedMap<string, boolean>(SITES_MAX);
  #isListening = false;

  listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    browser.webRequest.onSendHeaders.addListener((details) => this.#sent(details), REQUESTS, WITH_COOKIES);
    browser.webRequest.onAuthRequired.addListener(({ url }) => this.#learn(siteOf(url), true), REQUESTS);
  }

  /** Text of a site whose requests nobody has seen is private, too. */
  isPrivate(site: Site): boolean {
    return site.scheme === 'file' || isPrivateHost(site.host) || (this.#byOrigin.get(site.origin) ?? true);
  }

  #sent(details: WebRequest.OnSendHeadersDetailsType): void {
    const { url, type, requestHeaders = [] } = details;
    const site = siteOf(url);
    const isKnown = requestHeaders.some(({ name, value = '' }) =>
      name.toLowerCase() === 'cookie' ? !areHarmless(value) : name.toLowerCase() === 'authorization',
    );
    if (type !== 'xmlhttprequest') return this.#learn(site, isKnown);
    // Data for a page that was itself sent to everybody.
    const page = siteOf(initiatorOf(details) ?? '');
    if (page === null) this.#learn(site, isKnown);
    else if (isKnown && site !== null && isNear(page.host, site.host)) this.#learn(page, true);
  }

  #learn(site: Site | null, isPrivate: boolean): void {
    if (site === null) return;
    this.#byOrigin.set(site.origin, isPrivate || this.#byOrigin.get(site.origin) === true);
  }
}

const areHarmless = (cookies: string): boolean =>
  cookies.split(/;\s*/).every((cookie) => cookie === '' || HARMLESS.test(cookie));

/** Whether two hosts may be of the same owner: the end of their names is the same. */
const isNear = (one: string, other: string): boolean =>
  one.split('.').slice(-2).join('.') === other.split('.').slice(-2).join('.');
