import browser from 'webextension-polyfill';
import { z } from 'zod';
import { BrowserFacts, HostHello, Identity, type WorkerHello } from '../../shared/core/bridge/hello.ts';
import { PRODUCT, WIRE_RANGE } from '../../shared/core/bridge/wire.ts';
import { visibleName } from '../../shared/core/policy/reveal.ts';
import { VERSION } from '../../shared/base/version.ts';
import { product } from '../platform/chromium/members.ts';

const Stored = z.object({
  instance: Identity.shape.instance.optional().catch(undefined),
  label: BrowserFacts.shape.label.optional().catch(undefined),
  command: HostHello.shape.command.catch(undefined),
});

/** The profile's random id, created once. */
async function instance(): Promise<string> {
  const { instance: known } = Stored.parse(await browser.storage.local.get('instance'));
  if (known !== undefined) return known;
  const made = crypto.randomUUID();
  await browser.storage.local.set({ instance: made });
  return made;
}

export const browserTag = async (): Promise<string> => (await instance()).slice(0, 4);

/** Browser, version, and the person's label for this profile. */
export async function browserFacts(): Promise<BrowserFacts> {
  const { label } = Stored.parse(await browser.storage.local.get('label'));
  return { ...(await product()), label: label ?? null };
}

/** Saves the label of this profile; an empty one removes it. */
export async function setLabel(label: string): Promise<void> {
  // Drops invisible characters and a split character at the end.
  const kept = visibleName(label)
    .trim()
    .slice(0, 64)
    .replace(/[\ud800-\udbff]$/, '');
  await browser.storage.local.set({ label: kept === '' ? null : kept });
}

/** The terminal command that starts Spillway, as the last host reported it; null before the first. */
export async function spillwayCommand(): Promise<string | null> {
  return Stored.parse(await browser.storage.local.get('command')).command ?? null;
}

/** Saves the host's facts for times when it cannot be reached. */
export async function rememberCommand(command: string): Promise<void> {
  await browser.storage.local.set({ command });
}

export async function workerHello(): Promise<WorkerHello> {
  const identity = {
    product: PRODUCT,
    version: VERSION,
    wire: { ...WIRE_RANGE },
    instance: await instance(),
  } as const;
  return { type: 'hello', role: 'extension', identity, browser: await browserFacts() };
}

const Counters = z.object({ connects: z.int().min(0).catch(0).default(0) });

/** Counts one more connection to a host; the count outlives this worker, not the browser. */
export async function countConnect(): Promise<void> {
  const { connects } = Counters.parse(await browser.storage.session.get('connects'));
  await browser.storage.session.set({ connects: connects + 1 });
}

/** How often a host was reconnected since the browser started. */
export async function reconnects(): Promise<number> {
  const { connects } = Counters.parse(await browser.storage.session.get('connects'));
  return Math.max(0, connects - 1);
}

const ALL_SITES = { origins: ['<all_urls>'] };

/** Whether the browser lets the extension work on all sites: a person may have revoked that. */
export const hasSiteAccess = (): Promise<boolean> => browser.permissions.contains(ALL_SITES);

/** Calls back when a person grants or revokes access to sites. */
export function onSiteAccess(listener: () => void): void {
  browser.permissions.onAdded.addListener(() => listener());
  browser.permissions.onRemoved.addListener(() => listener());
}
