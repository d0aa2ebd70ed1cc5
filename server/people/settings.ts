import { z } from 'zod';
import { isSite, MAX_SITES } from '../../shared/core/policy/sites.ts';
import { APPROVALS } from '../core/people.ts';
import { oneOf, setting } from '../core/flag.ts';

const SITES_ERROR = 'It takes a list of sites such as example.com, https://example.com:8443 or @banking';

const readSites = (said: string): readonly string[] =>
  said.split(',').flatMap((site) => (site.trim() === '' ? [] : [site.trim()]));

const sites = () =>
  z
    .array(z.string(SITES_ERROR).refine(isSite, SITES_ERROR), SITES_ERROR)
    .max(MAX_SITES, `It takes at most ${MAX_SITES} sites`);

export const settings = {
  /** The only sites that calls of this server may touch. Undefined: all that the person's rules permit. */
  allowedSites: setting({
    flag: '--allowed-sites <sites>',
    variable: 'SPILLWAY_ALLOWED_SITES',
    help: 'sites that calls may touch, and no others (comma-separated)',
    read: readSites,
    schema: sites,
  }),
  /** Sites that no call of this server touches. */
  deniedSites: setting({
    flag: '--denied-sites <sites>',
    variable: 'SPILLWAY_DENIED_SITES',
    help: 'sites that no call may touch (comma-separated)',
    read: readSites,
    schema: sites,
  }),
  approvals: setting({
    flag: '--approvals <mode>',
    help: 'who is asked where the policy of a browser says so: people in the panel or at their client, or nobody',
    choices: APPROVALS,
    byDefault: 'panel',
    schema: () => oneOf(APPROVALS),
  }),
};
