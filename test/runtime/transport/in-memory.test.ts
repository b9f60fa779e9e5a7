import { expect, test } from "vitest";
import { InMemoryTransport } from "../../../runtime/src/transport/in-memory.js";
import { JSON_TEXT } from "../../../runtime/src/jsonrpc/serialize.js";
import type { JSONRPCMessage } from "../../../runtime/src/jsonrpc/message-types.js";

const note = (method: string): JSONRPCMessage => ({ jsonrpc: "2.0", method });

function pair() {
  const [a, b] = InMemoryTransport.createLinkedPair();
  const events: unknown[] = [];
  b.onmessage = (message) => void events.push(message);
  b.onclose = () => void events.push("closed");
  return { a, b, events };
}

test("an end that starts late receives everything in order, including the close", async () => {
  const { a, b, events } = pair();
  await a.start();
  a.send(note("1"));
  a.send(note("2"));
  await a.close();
  expect(events).toEqual([]);
  await b.start();
  await Promise.resolve();
  expect(events).toEqual([note("1"), note("2"), "closed"]);
  expect(() => b.send(note("3"))).toThrow("not open");
});

test("delivers a message asynchronously, never within send", async () => {
  const { a, b, events } = pair();
  await Promise.all([a.start(), b.start()]);
  a.send(note("1"));
  expect(events).toEqual([]);
  await Promise.resolve();
  expect(events).toEqual([note("1")]);
});

test("delivers nothing after a handler closes its end", async () => {
  const { a, b, events } = pair();
  b.onmessage = (message) => {
    events.push(message);
    void b.close();
  };
  await Promise.all([a.start(), b.start()]);
  a.send(note("1"));
  a.send(note("2"));
  await Promise.resolve();
  expect(events).toEqual([note("1"), "closed"]);
});

test("sends the cached text of a result", async () => {
  const { a, b, events } = pair();
  await Promise.all([a.start(), b.start()]);
  a.send({ jsonrpc: "2.0", id: 1, result: { [JSON_TEXT]: '{"known":true}' } });
  await Promise.resolve();
  expect(events).toEqual([{ jsonrpc: "2.0", id: 1, result: { known: true } }]);
});

test.each([
  ["twice", "ALREADY_CONNECTED", async (a: InMemoryTransport) => a.start()],
  ["after close", "NOT_CONNECTED", async (a: InMemoryTransport) => a.close()],
])("rejects start %s", async (_name, code, before) => {
  const { a } = pair();
  await before(a);
  await expect(a.start()).rejects.toMatchObject({ code });
});

test("rejects start without a linked end", async () => {
  await expect(new InMemoryTransport().start()).rejects.toMatchObject({ code: "NOT_CONNECTED" });
});
