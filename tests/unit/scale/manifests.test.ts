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
const Service = z.strictObject({
  image: z.string(),
  entrypoint: words.optional(),
  command: z.union([z.string(), words]),
  volumes: words.optional(),
  security_opt: words.optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).optional(),
  deploy: z.strictObject({ replicas: z.int() }).optional(),
  mem_limit: z.string().regex(/^\d+[mg]$/),
  cpus: z.number().optional(),
  pids_limit: z.int().optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  restart: z.literal('unless-stopped'),
  healthcheck: z.strictObject({ test: words, interval: z.string().regex(/^\d+s$/) }),
});
const Compose = z.strictObject({
  services: z.strictObject({ redis: Service, worker: Service }),
  volumes: z.record(z.string(), z.strictObject({})),
});

test('the compose file is valid, bounds what it starts, and starts a worker', () => {
  const [compose] = documents('docker-compose.yml').map((document) => Compose.parse(document));
  const { entrypoint = [], command = [] } = compose?.services.worker ?? {};
  expectWorker([...entrypoint, ...command]);
});

const labels = z.strictObject({ app: z.literal('spillway-worker') });
const selector = z.strictObject({ matchLabels: labels });
const metadata = z.strictObject({ name: z.literal('spillway-worker') });
const Probe = z.strictObject({
  exec: z.strictObject({ command: words }),
  initialDelaySeconds: z.int().optional(),
  periodSeconds: z.int(),
  timeoutSeconds: z.int(),
});
const amounts = z.strictObject({ cpu: z.string(), memory: z.string().regex(/^\d+Gi$/) });
const Container = z.strictObject({
  name: z.literal('worker'),
  image: z.string(),
  command: words,
  args: words,
  env: z.array(z.strictObject({ name: z.string(), valueFrom: z.object({ secretKeyRef: z.object({}) }) })),
  resources: z.strictObject({ requests: amounts, limits: amounts }),
  readinessProbe: Probe,
  livenessProbe: Probe,
  volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() })),
});
const Pod = z.strictObject({
  terminationGracePeriodSeconds: z.int().min(61),
  automountServiceAccountToken: z.literal(false),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.int().min(1),
    seccompProfile: z.strictObject({ type: z.literal('Unconfined') }),
  }),
  containers: z.tuple([Container]),
  volumes: z.array(z.strictObject({ name: z.string(), emptyDir: z.object({ sizeLimit: z.string() }) })),
});
const Deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata,
  spec: z.strictObject({
    replicas: z.int(),
    selector,
    template: z.strictObject({ metadata: z.strictObject({ labels }), spec: Pod }),
  }),
});
const Budget = z.strictObject({
  apiVersion: z.literal('policy/v1'),
  kind: z.literal('PodDisruptionBudget'),
  metadata,
  spec: z.strictObject({ maxUnavailable: z.int(), selector }),
});

test('the manifests are valid, with limits, probes and a disruption budget, and start a worker', () => {
  const [deployment, budget] = documents('kubernetes.yml');
  const { containers } = Deployment.parse(deployment).spec.template.spec;
  Budget.parse(budget);
  for (const { command, args } of containers) expectWorker([...command, ...args]);
});
