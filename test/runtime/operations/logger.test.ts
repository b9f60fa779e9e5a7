/** What a server logs, by pino. */
import { pino } from "pino";
import { expect, test } from "vitest";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { McpServer, type Logger } from "../../../runtime/src/server.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { limitRequests } from "../../../runtime/src/rate-limits.js";
import { hosts } from "../http-server/hosts.js";
import { call, open, plain, R4, request, until } from "../http-server/messages.js";
import { Subject } from "../http-server/subject.js";

interface Entry {
  readonly level: number;
  readonly msg: string;
  readonly [member: string]: unknown;
}

const levels = { 20: "debug", 30: "info", 40: "warn", 50: "error" } as const;
const secret = "s3cret-value";

function logTo() {
  const entries: Entry[] = [];
  const logger = pino({ level: "debug" }, { write: (line: string) => void entries.push(JSON.parse(line) as Entry) });
  const story = () => entries.map(({ level, msg }) => `${levels[level as keyof typeof levels]} ${msg}`);
  return { logger, entries, story };
}

const [fetchHost = expect.unreachable()] = hosts;

test("the life of a session, without its id", async () => {
  const { logger, entries, story } = logTo();
  const host = await fetchHost.open(new Subject({ logger }).server);
  const session = await open(host, R4);
  await session.call(1, "echo", { text: secret });
  await session.delete();
  await until(() => entries.length === 4);
  expect(story()).toEqual([
    "debug connection opened",
    "info session opened",
    "info session closed",
    "debug connection closed",
  ]);
  expect([entries[1]?.["revision"], entries[2]?.["revision"]]).toEqual([R4, R4]);
  const text = JSON.stringify(entries);
  expect([text.includes(session.id), text.includes(secret)]).toEqual([false, false]);
});

test("a session at two nodes is opened and closed once", async () => {
  const backplane = new MemoryBackplane();
  const [first, second] = [logTo(), logTo()];
  const at = async ({ logger }: typeof first) => fetchHost.open(new Subject({ logger, backplane }).server);
  const [opening, continuing] = [await at(first), await at(second)];
  const sessions = (log: typeof first) => log.story().filter((entry) => entry.startsWith("info session"));
  const session = await open(opening, R4);
  expect((await continuing.send(session.sent(request(1, "ping")))).status).toBe(200);
  expect([sessions(first), sessions(second)]).toEqual([["info session opened"], ["info session restored"]]);
  await session.delete();
  await until(() => sessions(second).length === 2);
  expect(sessions(first)).toEqual(["info session opened", "info session closed"]);
  expect(sessions(second)).toEqual(["info session restored", "info session released"]);
});

test("a session that a node gives up when it shuts down is released", async () => {
  const { logger, story } = logTo();
  const host = await fetchHost.open(new Subject({ logger, backplane: new MemoryBackplane() }).server);
  await open(host, R4);
  await host.handler.close(0);
  expect(story()).toContain("info session released");
  expect(story()).not.toContain("info session closed");
});

test("nothing for stateless requests that succeed", async () => {
  const { logger, entries } = logTo();
  const host = await fetchHost.open(new Subject({ logger }).server);
  expect((await host.send(call(1, "echo", { text: "x" }))).status).toBe(200);
  expect(entries).toEqual([]);
});

test("refused requests, with what they are about but not what they contain", async () => {
  const { logger, entries } = logTo();
  const rateLimits = limitRequests(({ tool }) => (tool === "echo" ? {} : undefined));
  const host = await fetchHost.open(new Subject({ logger, rateLimits }).server);
  await host.send(call(1, "echo", { text: secret }, { headers: { authorization: `Bearer ${secret}` } }));
  await host.send(plain(`{"${secret}`, {}));
  await host.handler.close(0);
  await host.send(call(1, "facts"));
  expect(entries.map(({ level, msg, status, method }) => [levels[level as 20], msg, status, method])).toEqual([
    ["warn", "request refused by a limit", 429, "tools/call"],
    ["info", "request refused", 400, "POST"],
    ["warn", "request refused", 503, "POST"],
  ]);
  expect(JSON.stringify(entries)).not.toContain(secret);
});

test("errors of handlers, to the logger and to onerror", async () => {
  const { logger, entries, story } = logTo();
  const subject = new Subject({ logger });
  const host = await fetchHost.open(subject.server);
  await host.send(call(1, "throw"));
  expect(story()).toEqual(["error it failed"]);
  expect(entries[0]?.["err"]).toMatchObject({
    type: "Error",
    name: "Error",
    message: "it failed",
    stack: expect.stringContaining("at ") as string,
  });
  expect(subject.reports.map(({ message }) => message)).toEqual(["it failed"]);
});

test("malformed messages as warnings, without their content", async () => {
  const { logger, entries } = logTo();
  const server = new McpServer({ name: "s", version: "1" }, { logger });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await near.start();
  near.send({ jsonrpc: "2.0", method: 5, params: { secret } } as never);
  await until(() => entries.length > 1);
  expect(entries.slice(1).map(({ level }) => levels[level as 20])).toEqual(["warn"]);
  expect(JSON.stringify(entries)).not.toContain(secret);
});

test.each([[{}], [{ ...console, warn: undefined }]])("rejects the logger %o, which lacks methods", (logger) => {
  expect(() => new McpServer({ name: "s", version: "1" }, { logger: logger as never })).toThrow(
    "logger must be like a logger of pino; got Object",
  );
});

test("a logger that throws affects nothing", async () => {
  const fail = (): never => {
    throw new Error("the disk is full");
  };
  const logger: Logger = { debug: fail, info: fail, warn: fail, error: fail };
  const subject = new Subject({ logger });
  const host = await fetchHost.open(subject.server);
  const session = await open(host, R4);
  expect((await session.call(1, "echo", { text: "x" })).status).toBe(200);
  await host.send(plain("{", {}));
  await session.call(2, "throw");
  await session.delete();
  expect(subject.reports.map(({ message }) => message)).toEqual(["it failed"]);
});
