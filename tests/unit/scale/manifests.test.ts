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

const labels = z.strictObject({ app: z.literal('spillway-worker') });
const selector = z.strictObject({ matchLabels: labels });
const Probe = z.object({ exec: z.strictObject({ command: words }), periodSeconds: z.int() });
const amounts = z.strictObject({ cpu: z.string(), memory: z.string().regex(/^\d+Gi$/) });
const Container = z.object({
  ...{ image: z.string(), command: words, args: words, readinessProbe: Probe, livenessProbe: Probe },
  resources: z.strictObject({ requests: amounts, limits: amounts }),
});
const Pod = z.object({
  terminationGracePeriodSeconds: z.int().min(61),
  automountServiceAccountToken: z.literal(false),
  securityContext: z.object({ runAsNonRoot: z.literal(true) }),
  containers: z.tuple([Container]),
});
const template = z.strictObject({ metadata: z.strictObject({ labels }), spec: Pod });
const Deployment = z.object({
  ...{ apiVersion: z.literal('apps/v1'), kind: z.literal('Deployment') },
  spec: z.strictObject({ replicas: z.int(), selector, template }),
});
const Budget = z.object({
  ...{ apiVersion: z.literal('policy/v1'), kind: z.literal('PodDisruptionBudget') },
  spec: z.strictObject({ maxUnavailable: z.int(), selector }),
});

test('the manifests are valid, with limits, probes and a disruption budget, and start a worker', () => {
  const [deployment, budget] = documents('kubernetes.yml');
  const { containers } = Deployment.parse(deployment).spec.template.spec;
  Budget.parse(budget);
  for (const { command, args } of containers) expectWorker([...command, ...args]);
});
