/** What `serverStats` and `handlerStats` count. */
import { expect, test } from "vitest";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { handlerStats, serverStats } from "../../../runtime/src/operations.js";
import { limitRequests } from "../../../runtime/src/rate-limits.js";
import { hosts } from "../http-server/hosts.js";
import { call, modern, open, plain, R4, until } from "../http-server/messages.js";
import { Subject } from "../http-server/subject.js";

const idleServer = {
  connections: 0,
  sessions: 0,
  requestsInFlight: 0,
  subscriptions: 0,
  suspendedCalls: 0,
  refused: 0,
};
const idleHandler = {
  sessions: 0,
  legacySessions: 0,
  streams: 0,
  requestsInFlight: 0,
  suspendedCalls: 0,
  heldBytes: 0,
  queuedBytes: 0,
  refused: {},
  isDraining: false,
};

test.each(hosts)("$name: counts what is open, and nothing when it is over", async ({ open: openHost }) => {
  const subject = new Subject({ capabilities: { tools: { listChanged: true } } });
  const host = await openHost(subject.server);
  const stats = () => [serverStats(subject.server), handlerStats(host.handler)];
  expect(stats()).toEqual([idleServer, idleHandler]);

  const session = await open(host, R4);
  const stream = await session.get();
  const held = session.call(1, "hold", { key: "in session" });
  const alone = host.send(call(1, "hold", { key: "alone" }));
  const listening = await host.send(modern(2, "subscriptions/listen", { notifications: { toolsListChanged: true } }));
  await until(() => subject.holds("in session") && subject.holds("alone"));
  expect(stats()).toMatchObject([
    { connections: 3, sessions: 1, requestsInFlight: 3, subscriptions: 1, suspendedCalls: 0 },
    { sessions: 1, legacySessions: 0, streams: 2, requestsInFlight: 2, suspendedCalls: 0 },
  ]);
  expect(handlerStats(host.handler).heldBytes).toBeGreaterThan(3 * 4_096);

  const more = { capabilities: { elicitation: { form: {} } } };
  await (await host.send(call(3, "ask-and-wait", {}, more))).json();
  expect(stats()).toMatchObject([{ suspendedCalls: 1 }, { suspendedCalls: 1 }]);

  for (const key of ["in session", "alone"]) subject.release(key);
  await (await held).text();
  await (await alone).text();
  await session.delete();
  listening.cut();
  stream.cut();
  await until(() => serverStats(subject.server).connections === 0);
  expect(stats()).toMatchObject([
    { ...idleServer, suspendedCalls: 1 },
    { ...idleHandler, suspendedCalls: 1, heldBytes: expect.any(Number) as number },
  ]);
  await host.handler.close(0);
  expect(handlerStats(host.handler).isDraining).toBe(true);
});

test("counts the clients of HTTP+SSE, and bytes that wait for slow ones", async () => {
  const subject = new Subject();
  const host = await (hosts[0] ?? expect.unreachable()).open(subject.server);
  const stream = host.unread({ method: "GET", headers: { accept: "text/event-stream" } });
  await stream.opened;
  expect(handlerStats(host.handler)).toMatchObject({ legacySessions: 1, streams: 1 });
  expect(handlerStats(host.handler).queuedBytes).toBeGreaterThan(0);
});

test("counts refused requests: those of rate limits at the server, others at the handler by status", async () => {
  const rateLimits = limitRequests(({ tool }) => (tool === "echo" ? {} : undefined));
  const subject = new Subject({ rateLimits });
  const host = await (hosts[0] ?? expect.unreachable()).open(subject.server);
  for (let count = 0; count < 2; count++) await host.send(call(1, "echo", { text: "x" }));
  await host.send(plain("{", {}));
  await host.send(plain({}, { headers: { origin: "https://evil.example" } }));
  await host.send({ method: "PUT" });
  expect(serverStats(subject.server).refused).toBe(2);
  expect(handlerStats(host.handler).refused).toEqual({ 400: 1, 403: 1, 405: 1 });
});

test("counts requests that were refused after they waited for the backplane", async () => {
  const backplane = new MemoryBackplane();
  const host = await (hosts[0] ?? expect.unreachable()).open(new Subject({ backplane }).server);
  const session = await open(host, R4);
  expect((await session.get("of-no-stream")).status).toBe(400);
  expect(handlerStats(host.handler).refused).toEqual({ 400: 1 });
});

test("rejects something else than a server", () => {
  expect(() => serverStats({} as never)).toThrow("pass an McpServer, a Server");
});
