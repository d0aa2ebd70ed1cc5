import { z } from 'zod';

/** As much of `navigator.userAgentData` as names the browser; TypeScript does not know it yet. */
const UserAgentData = z.object({
  brands: z.array(z.object({ brand: z.string(), version: z.string() })),
});

/** What the browser calls itself, without the name that is there to keep readers from relying on it. */
export async function product(): Promise<{ name: string; version: string }> {
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
