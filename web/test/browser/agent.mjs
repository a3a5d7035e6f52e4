// An agent that a test plays. It is a real process which the daemon starts; what it prints comes over a socket, line by line
// as JSON: {out}, {err}, {exit}, {signal}. Its first word to the test is what it was asked.
import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

const prompt = await text(process.stdin);
const socket = createConnection(process.argv[2]);
socket.on("error", () => process.exit(70));
socket.on("close", () => process.exit(71));
socket.write(`${JSON.stringify({ run: process.pid, panel: prompt.includes("CRITIQUE_RUN") })}\n`);
for await (const line of createInterface({ input: socket })) {
  const order = JSON.parse(line);
  if (order.out !== undefined) await new Promise((done) => process.stdout.write(order.out, done));
  if (order.err !== undefined) await new Promise((done) => process.stderr.write(order.err, done));
  if (order.signal !== undefined) process.kill(process.pid, order.signal);
  if (order.exit !== undefined) process.exit(order.exit);
}
