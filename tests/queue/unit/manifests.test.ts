import { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { addCommands } from '../../../server/cli/commands.ts';

const documents = (name: string): readonly unknown[] =>
  parseAllDocuments(readFileSync(new URL(`../../../examples/scale/${name}`, import.meta.url), 'utf8'), {
    strict: true,
  }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });

/** The flags of a command line of the worker, which has to accept them. */
function expectWorker(words: readonly string[]): void {
  const program = new Command();
  addCommands(program);
  const worker = program.commands.find((command) => command.name() === 'worker');
  const { unknown, operands } = worker?.parseOptions(words.slice(2)) ?? {};
  expect([words.slice(0, 2), unknown, operands]).toEqual([['spillway', 'worker'], [], []]);
}

const words = z.array(z.string()).min(1);
const seconds = z.string().regex(/^\d+s$/);
const Service = z.object({
  image: z.string(),
  mem_limit: z.string().regex(/^\d+[mg]$/),
  restart: z.literal('unless-stopped'),
  healthcheck: z.strictObject({ test: words, interval: seconds }),
});
const WorkerService = Service.extend({
  ...{ entrypoint: words, command: words, cpus: z.number(), pids_limit: z.int(), stop_grace_period: seconds },
  depends_on: z.strictObject({ redis: z.strictObject({ condition: z.literal('service_healthy') }) }),
});
const Compose = z.object({ services: z.strictObject({ redis: Service, worker: WorkerService }) });

test('the compose file is valid, bounds what it starts, and starts a worker', () => {
  const { worker } = Compose.parse(documents('docker-compose.yml')[0]).services;
  expectWorker([...worker.entrypoint, ...worker.command]);
});

const app = { app: 'spillway-worker' };
const selector = { matchLabels: app };
const probe = { exec: { command: expect.any(Array) }, periodSeconds: expect.any(Number) };
const amounts = { cpu: expect.any(String), memory: expect.stringMatching(/^\d+Gi$/) };
const Container = z.object({ command: words, args: words });
const Pod = z.object({ terminationGracePeriodSeconds: z.int().min(61), containers: z.tuple([Container]) });
const Deployment = z.object({ spec: z.object({ template: z.object({ spec: Pod }) }) });

test('the manifests are valid, with limits, probes and a disruption budget, and start a worker', () => {
  const [deployment, budget] = documents('kubernetes.yml');
  const container = { image: expect.any(String), readinessProbe: probe, livenessProbe: probe };
  const pod = { automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } };
  const containers = [{ ...container, resources: { requests: amounts, limits: amounts } }];
  const template = { metadata: { labels: app }, spec: { ...pod, containers } };
  const spec = { replicas: expect.any(Number), selector, template };
  expect(deployment).toMatchObject({ apiVersion: 'apps/v1', kind: 'Deployment', spec });
  expect(budget).toMatchObject({
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' },
    spec: { maxUnavailable: expect.any(Number), selector },
  });
  const [{ command, args }] = Deployment.parse(deployment).spec.template.spec.containers;
  expectWorker([...command, ...args]);
});
