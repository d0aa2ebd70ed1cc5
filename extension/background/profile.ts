import browser from 'webextension-polyfill';
import { z } from 'zod';
import { BrowserFacts, HostHello, Identity, type WorkerHello } from '../../shared/bridge/hello.ts';
import { PRODUCT, WIRE_RANGE } from '../../shared/bridge/wire.ts';
import { VERSION } from '../../shared/version.ts';

/** As much of `navigator.userAgentData` as names the browser; TypeScript's DOM does not know it yet. */
const UserAgentData = z.object({
  brands: z.array(z.object({ brand: z.string(), version: z.string() })),
});

const Stored = z.object({
  instance: Identity.shape.instance.optional().catch(undefined),
  label: BrowserFacts.shape.label.optional().catch(undefined),
  command: HostHello.shape.command.catch(undefined),
});

/** What the browser calls itself, without the name that is there to keep readers from relying on it. */
async function product(): Promise<{ name: string; version: string }> {
  const data: unknown = Reflect.get(navigator, 'userAgentData');
  const low = UserAgentData.safeParse(data);
  if (!low.success) return { name: 'Chromium', version: 'unknown' };
  const { fullVersionList: brands } = await fullVersions(data, low.data.brands);
  const real = brands.filter(({ brand }) => !/not.*brand/i.test(brand));
  const named = real.find(({ brand }) => brand !== 'Chromium') ?? real[0];
  return {
    name: (named?.brand ?? 'Chromium').slice(0, 64),
    version: (named?.version ?? 'unknown').slice(0, 64),
  };
}

type Brands = z.infer<typeof UserAgentData>['brands'];

async function fullVersions(data: unknown, brands: Brands): Promise<{ fullVersionList: Brands }> {
  const read: unknown = data instanceof Object ? Reflect.get(data, 'getHighEntropyValues') : undefined;
  if (typeof read !== 'function') return { fullVersionList: brands };
  const values: unknown = await read.call(data, ['fullVersionList']);
  const parsed = z.object({ fullVersionList: UserAgentData.shape.brands }).safeParse(values);
  return parsed.success ? parsed.data : { fullVersionList: brands };
}

/** The profile's random id, made once and kept. */
async function instance(): Promise<string> {
  const { instance: known } = Stored.parse(await browser.storage.local.get('instance'));
  if (known !== undefined) return known;
  const made = crypto.randomUUID();
  await browser.storage.local.set({ instance: made });
  return made;
}

/** Browser, version, and the label that a person gave to this profile. */
export async function browserFacts(): Promise<BrowserFacts> {
  const { label } = Stored.parse(await browser.storage.local.get('label'));
  return { ...(await product()), label: label ?? null };
}

/** Keeps the label of this profile; an empty one removes it. */
export async function setLabel(label: string): Promise<void> {
  const kept = label.trim().slice(0, 64);
  await browser.storage.local.set({ label: kept === '' ? null : kept });
}

/** How a terminal starts Spillway, as the last host said it; null before there was one. */
export async function spillwayCommand(): Promise<string | null> {
  return Stored.parse(await browser.storage.local.get('command')).command ?? null;
}

/** Keeps what the host said, for when it cannot be reached. */
export async function rememberCommand(command: string): Promise<void> {
  await browser.storage.local.set({ command });
}

/** What the worker says first on a new port. */
export async function workerHello(): Promise<WorkerHello> {
  const identity = {
    product: PRODUCT,
    version: VERSION,
    wire: { ...WIRE_RANGE },
    instance: await instance(),
  } as const;
  return { type: 'hello', role: 'extension', identity, browser: await browserFacts() };
}
