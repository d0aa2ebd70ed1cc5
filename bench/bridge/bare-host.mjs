/**
 * The least native host: started by the browser, it connects to the socket named by its first
 * argument and executes the commands it receives there, one JSON value per line.
 *
 *     {"echo": 500}                          → milliseconds of each of 500 round trips
 *     {"relay": "x"}                         → the worker's echo, so that the teller can time it
 *     {"flood": {"frames": 9, "units": 9}}   → milliseconds until the last frame had come
 */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const control = connect(process.argv[2]);
let rest = [];
let restBytes = 0;
let onFrame = () => {};

/** Frames of up to a chunk's size, without parsing what is not asked for. */
process.stdin.on('data', (chunk) => {
  rest.push(chunk);
  restBytes += chunk.length;
  for (;;) {
    if (restBytes < 4) return;
    if (rest[0].length < 4) rest = [Buffer.concat(rest)];
    const size = rest[0].readUInt32LE(0);
    if (restBytes < 4 + size) return;
    const all = rest.length === 1 ? rest[0] : Buffer.concat(rest);
    const frame = all.subarray(4, 4 + size);
    const left = all.subarray(4 + size);
    rest = left.length === 0 ? [] : [left];
    restBytes = left.length;
    onFrame(frame);
  }
});
process.stdin.on('end', () => process.exit(0));

function send(message) {
  const body = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(4);
  header.writeUInt32LE(body.length);
  process.stdout.write(Buffer.concat([header, body]));
}

const nextFrame = () => new Promise((resolve) => (onFrame = resolve));

async function echo(rounds) {
  const samples = [];
  for (let id = 0; id < rounds; id += 1) {
    const startedAt = performance.now();
    send({ id, value: 'x' });
    JSON.parse((await nextFrame()).toString());
    samples.push(performance.now() - startedAt);
  }
  return samples;
}

async function relay(value) {
  const answered = nextFrame();
  send({ value });
  return JSON.parse((await answered).toString());
}

async function flood({ frames, units }) {
  const startedAt = performance.now();
  let seen = 0;
  const done = new Promise((resolve) => {
    onFrame = () => {
      seen += 1;
      if (seen === frames) resolve();
    };
  });
  send({ flood: { frames, units } });
  await done;
  return performance.now() - startedAt;
}

for await (const line of createInterface({ input: control })) {
  const command = JSON.parse(line);
  const answer = await carryOut(command);
  control.write(`${JSON.stringify(answer)}\n`);
}

function carryOut(command) {
  if (command.echo !== undefined) return echo(command.echo);
  return command.relay === undefined ? flood(command.flood) : relay(command.relay);
}
