import { expect, test } from "vitest";
import { Outbox } from "../../../runtime/src/http-server/outbox.js";
import type { JSONRPCMessage } from "../../../runtime/src/jsonrpc/message-types.js";

const log = (data: string): JSONRPCMessage => ({ jsonrpc: "2.0", method: "notifications/message", params: { data } });
const ask = (id: number): JSONRPCMessage => ({ jsonrpc: "2.0", id, method: "ping" });

function filled(maxSize: number, ...messages: readonly (readonly [JSONRPCMessage, size: number])[]) {
  const outbox = new Outbox(maxSize);
  const reports = messages.map(([message, size]) => outbox.add(message, "x".repeat(size)));
  return { outbox, reports };
}

test("drops the oldest notifications when the messages are too long, and reports it once", () => {
  const { outbox, reports } = filled(100, [log("a"), 50], [ask(1), 30], [log("b"), 40], [log("c"), 40]);
  expect(reports.map((report) => report?.code)).toEqual([undefined, undefined, "LIMIT_EXCEEDED", undefined]);
  expect(outbox.takeAll().map(({ message }) => message)).toEqual([ask(1), log("c")]);
});

test("keeps a single message of any length", () => {
  const { outbox, reports } = filled(100, [log("a"), 500]);
  expect([reports, outbox.takeAll()]).toMatchObject([[undefined], [{ message: log("a") }]]);
});

test("rejects a request when only requests wait", () => {
  const { outbox } = filled(100, [ask(1), 60]);
  expect(() => outbox.add(ask(2), "x".repeat(60))).toThrow(/more than 100 messages or 100 characters/);
  expect(outbox.takeAll().map(({ message }) => message)).toEqual([ask(1)]);
});
