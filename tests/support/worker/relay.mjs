// A native host without logic: Chrome's messages go to the test's socket and back. The test is the host; this process
// is the one to kill and stop.
import { connect } from 'node:net';

const socket = connect(process.argv[2]);
socket.once('connect', () => {
  socket.write(`${JSON.stringify({ pid: process.pid, origin: process.argv[3] })}\n`);
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
});
socket.on('close', () => process.exit(0));
socket.on('error', () => process.exit(1));
