import { VERSION } from '../../shared/version.ts';
import type { DoctorContext, PrivateLaunch } from './context.ts';
import { runHops, type DoctorReport, type Hop, type HopReport } from './hop.ts';
import { browserHop } from './hops/browser.ts';
import { buildHop } from './hops/build.ts';
import { extensionIdHop } from './hops/extension-id.ts';
import { handshakeHop } from './hops/handshake.ts';
import { homeHop } from './hops/home.ts';
import { hostManifestHop } from './hops/host-manifest.ts';
import { hostProcessHop } from './hops/host-process.ts';
import { nodeHop } from './hops/node.ts';
import { pageReadHop } from './hops/page-read.ts';
import { launchableBrowserHop, privateBrowserHop } from './hops/private-browser.ts';
import { socketHop } from './hops/socket.ts';
import { versionsHop } from './hops/versions.ts';
import { workerHop } from './hops/worker.ts';

/** From the worker's host to a page: the same, however the browser was started. */
const LIVE_HOPS = [hostProcessHop, socketHop, handshakeHop, versionsHop, workerHop, pageReadHop] as const;

/** The chain from this process to a page, in the order in which it has to hold. */
const INSTALLED_HOPS: readonly Hop<DoctorContext>[] = [
  nodeHop,
  buildHop,
  homeHop,
  browserHop,
  extensionIdHop,
  hostManifestHop,
  ...LIVE_HOPS,
];

/** The hops to prove: through the person's own browsers, or through a private one. */
export function hopsFor(launch: PrivateLaunch | null): readonly Hop<DoctorContext>[] {
  if (launch === null) return INSTALLED_HOPS;
  return [
    nodeHop,
    buildHop,
    launchableBrowserHop(launch),
    extensionIdHop,
    privateBrowserHop(launch),
    ...LIVE_HOPS,
  ];
}

/** Tests each hop live. `onHop` is called with each as it ends. */
export async function diagnose(
  hops: readonly Hop<DoctorContext>[],
  context: DoctorContext,
  onHop?: (report: HopReport) => void,
  onWait?: (hop: { readonly title: string }) => void,
): Promise<DoctorReport> {
  const reports = await runHops(hops, context, onHop, onWait);
  const failed = reports.find((hop) => hop.status === 'failed')?.id ?? null;
  return { ok: failed === null, failed, version: VERSION, hops: reports };
}
