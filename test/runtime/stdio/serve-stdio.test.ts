import { expect, onTestFinished, test } from "vitest";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { McpServer } from "../../../runtime/src/server.js";
import { serveStdio } from "../../../runtime/src/stdio.js";

const listeners = () => process.listenerCount("SIGTERM") + process.listenerCount("SIGINT");

function serve() {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = new McpServer({ name: "test", version: "1.0.0" });
  return { near, far, server, ...serveStdio(server, { transport: far }) };
}

test("the process handles signals itself again once the client has left", async () => {
  const before = listeners();
  const { near, connection } = serve();
  const opened = await connection;
  expect(listeners()).toBe(before + 2);
  await near.start();
  await near.close();
  await expect.poll(() => opened.isOpen).toBe(false);
  expect(listeners()).toBe(before);
});

test("and once the server has been closed", async () => {
  const before = listeners();
  const served = serve();
  await served.close();
  expect(listeners()).toBe(before);
});

test("and if it cannot be served", async () => {
  const before = listeners();
  const { server, far, connection } = serve();
  await connection;
  await expect(serveStdio(server, { transport: far }).connection).rejects.toMatchObject({ code: "ALREADY_CONNECTED" });
  expect(listeners()).toBe(before + 2);
  await (await connection).close();
  expect(listeners()).toBe(before);
});

test("and if that fails synchronously", () => {
  const before = listeners();
  const broken = {
    connect: () => {
      throw new Error("broken");
    },
  };
  expect(() => serveStdio(broken, { transport: InMemoryTransport.createLinkedPair()[0] })).toThrow("broken");
  expect(listeners()).toBe(before);
});

test.each(["opened", "closed"] as const)("a signal does not report that a transport cannot be %s", async (what) => {
  const broken = () => Promise.reject(new Error("broken"));
  const [far] = InMemoryTransport.createLinkedPair();
  const problems: unknown[] = [];
  const unhandled: unknown[] = [];
  const hear = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", hear);
  onTestFinished(() => void process.off("unhandledRejection", hear));
  const onerror = (error: Error) => problems.push(error);
  const server = new McpServer({ name: "test", version: "1.0.0" }, { onerror });
  if (what === "opened") far.start = broken;
  else far.close = broken;
  const { connection } = serveStdio(server, { transport: far });
  const outcome = connection.catch((error: unknown) => error);
  if (what === "closed") await connection;
  process.listeners("SIGTERM").at(-1)?.("SIGTERM");
  await outcome;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unhandled).toEqual([]);
  expect(problems).toEqual(what === "closed" ? [new Error("broken")] : []);
});
