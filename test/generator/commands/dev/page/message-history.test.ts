import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { MessageHistory } from "../../../../../generator/commands/dev/page/message-history.js";
import { passed, relayEvent } from "./relay-event.js";

const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "greet" } };

test("a response is joined with its request, which gets the duration", () => {
  const history = new MessageHistory();
  history.add(relayEvent({ kind: "host-connected", connection: "1", name: "stdio" }));
  const request = history.add(passed(">", call));
  const { version } = history;
  const response = history.add(passed("<", { jsonrpc: "2.0", id: 1, result: {} }, { durationMs: 12.5 }));
  const { rows, oldest } = history.since(version);
  expect(oldest).toBe(1);
  expect(rows.map(({ version: _, at, text, ...row }) => [row, typeof at, text.length > 0])).toEqual([
    [
      {
        id: request,
        kind: "message",
        connection: "stdio",
        direction: "to-server",
        isOwn: false,
        type: "request",
        method: "tools/call",
        subject: "greet",
        length: JSON.stringify(call).length,
        findings: [],
        answeredBy: response,
        durationMs: 12.5,
      },
      "number",
      true,
    ],
    [
      expect.objectContaining({
        id: response,
        type: "result",
        method: "tools/call",
        subject: "greet",
        answers: request,
      }),
      "number",
      true,
    ],
  ]);
});

test("requests with the same id of another connection or direction are different", () => {
  const history = new MessageHistory();
  history.add(passed(">", call));
  history.add(passed(">", { ...call, method: "ping" }, { connection: "2" }));
  history.add(passed("<", { jsonrpc: "2.0", id: 1, method: "roots/list" }));
  history.add(passed("<", { jsonrpc: "2.0", id: 1, result: {} }));
  history.add(passed(">", { jsonrpc: "2.0", id: 1, result: { roots: [] } }));
  history.add(passed("<", { jsonrpc: "2.0", id: "1", result: {} }, { connection: "2" }));
  expect(history.since(0).rows.map((row) => "type" in row && [row.type, row.method, row.answers])).toEqual([
    ["request", "tools/call", undefined],
    ["request", "ping", undefined],
    ["request", "roots/list", undefined],
    ["result", "tools/call", 1],
    ["result", "roots/list", 3],
    ["result", undefined, undefined],
  ]);
});

test.each([
  [
    "a notification",
    { method: "notifications/message", params: { data: "said" } },
    ["notification", "notifications/message", "said"],
  ],
  ["an error", { id: 1, error: { code: 1, message: "broken" } }, ["error", undefined, "broken"]],
  ["a batch", [{}, {}], ["batch", undefined, "2 messages"]],
  ["no message", { id: 1 }, ["invalid", undefined, undefined]],
  ["no object", 7, ["invalid", undefined, undefined]],
])("%s is described", (_, message, expected) => {
  const history = new MessageHistory();
  history.add(passed("<", message));
  const [row] = history.since(0).rows;
  expect(row?.kind === "message" && [row.type, row.method, row.subject]).toEqual(expected);
});

test.each([
  [{ kind: "host-connected", name: "stdio" }, "connected", "stdio has connected"],
  [{ kind: "host-disconnected" }, "connected", "the host has disconnected"],
  [{ kind: "server-started", pid: 1, start: 1 }, "started", "started the server"],
  [
    { kind: "server-started", pid: 1, start: 2, reason: "a.ts changed" },
    "started",
    "restarted the server: a.ts changed",
  ],
  [{ kind: "server-ready", pid: 1, start: 1, durationMs: 99.6 }, "ready", "the server is ready after 100 ms"],
  [
    { kind: "server-ended", pid: 1, exitCode: 1, signal: null, isExpected: false },
    "ended",
    "the server has ended with exit code 1",
  ],
  [
    { kind: "server-ended", pid: 1, exitCode: null, signal: "SIGKILL", isExpected: false },
    "ended",
    "the server has ended with SIGKILL",
  ],
  [{ kind: "server-ended", pid: 1, exitCode: 0, signal: null, isExpected: true }, "note", "stopped the server"],
  [
    { kind: "server-failed", summary: "it crashed", reason: "it crashed", startsAtNextRequest: false },
    "failed",
    "it crashed\nthe next change of a file starts the server again",
  ],
  [
    { kind: "server-failed", summary: "it crashed", reason: "it crashed", startsAtNextRequest: true },
    "failed",
    "it crashed\nthe next request starts the server again",
  ],
  [{ kind: "stderr", pid: 1, line: "a" }, "stderr", "a"],
  [{ kind: "stdout-noise", pid: 1, line: "b" }, "stdout", "b"],
  [{ kind: "note", text: "c" }, "note", "c"],
] as const)("the row of %j", (event, kind, text) => {
  const history = new MessageHistory();
  history.add(relayEvent({ ...event, connection: "1" }));
  expect(history.since(0).rows).toEqual([expect.objectContaining({ kind, text })]);
});

test("lines that a server prints together are one row", () => {
  const history = new MessageHistory();
  const print = (line: string, connection = "1") =>
    history.add(relayEvent({ kind: "stderr", connection, pid: 1, line }));
  print("Error: a");
  print("  at b");
  print("other", "2");
  print("c");
  print("x".repeat(9_999));
  expect(history.since(0).rows.map(({ text }) => text.slice(0, 20))).toEqual([
    "Error: a\n  at b",
    "other",
    "c",
    "x".repeat(20),
  ]);
});

test("the newest 1,000 rows are kept", () => {
  const history = new MessageHistory();
  for (let id = 0; id < 1_200; id++) history.add(passed(">", { ...call, id }));
  const { oldest, rows } = history.since(0);
  expect([oldest, rows.length, rows[0]?.id]).toEqual([201, 1_000, 201]);
});

test("long messages are cut, and many of them push older rows out", () => {
  const history = new MessageHistory();
  for (let id = 0; id < 20; id++) history.add(passed("<", { ...call, id, params: { name: "x".repeat(2_000_000) } }));
  const { rows } = history.since(0);
  expect(rows.length).toBe(16);
  for (const row of rows)
    expect(row.kind === "message" && [row.text.length, row.length > 2_000_000, row.subject?.length]).toEqual([
      1_000_000,
      true,
      200,
    ]);
});

test("the rest of a cut text is not kept in memory", async () => {
  const history = new MessageHistory();
  const before = await heapBytes();
  for (let id = 0; id < 50; id++) {
    const text = `${id}`.repeat(2_000_000);
    history.add(passed("<", { ...call, id, params: { name: text } }));
    history.add(relayEvent({ kind: "stdout-noise", connection: "1", pid: 1, line: text.toUpperCase() }));
  }
  expect((await heapBytes()) - before).toBeLessThan(40_000_000);
});

async function heapBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return process.memoryUsage().heapUsed;
}

test("findings change a row that is still kept", () => {
  const history = new MessageHistory();
  const row = history.add(passed(">", call));
  const { version } = history;
  const finding = { rule: "params", severity: "error", path: "$", message: "wrong" } as const;
  history.addFindings(row, []);
  expect(history.version).toBe(version);
  history.addFindings(row, [finding]);
  expect(history.since(version).rows).toMatchObject([{ id: row, findings: [finding] }]);
  history.clear();
  history.addFindings(row, [finding]);
  expect(history.since(0)).toEqual({ oldest: row + 1, rows: [] });
});

test("listeners are called until they are removed", () => {
  const history = new MessageHistory();
  let changes = 0;
  const remove = history.onChange(() => changes++);
  history.add(passed(">", call));
  history.addNote("a note");
  history.clear();
  remove();
  history.add(passed(">", call));
  expect(changes).toBe(3);
});
