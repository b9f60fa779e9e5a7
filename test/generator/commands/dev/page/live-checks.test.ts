import { expect, test } from "vitest";
import { LiveChecks } from "../../../../../generator/commands/dev/page/check/live-checks.js";
import { passed } from "./relay-event.js";

function checks() {
  const found: (readonly [row: number, rule: string, path: string])[] = [];
  const rows: number[] = [];
  const notes: string[] = [];
  const live = new LiveChecks({
    onFindings: (row, findings) => {
      rows.push(row);
      for (const { rule, path } of findings) found.push([row, rule, path]);
    },
    onNote: (text) => notes.push(text),
  });
  let row = 0;
  const add = (...args: Parameters<typeof passed>): void => live.add(passed(...args), ++row);
  return { live, add, found, rows, notes };
}

const initialize = (revision: string) =>
  ({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: "a", version: "1" } },
  }) as const;
const initialized = (revision: string) =>
  ({
    jsonrpc: "2.0",
    id: 0,
    result: { protocolVersion: revision, capabilities: { tools: {} }, serverInfo: { name: "b", version: "1" } },
  }) as const;
const ready = { jsonrpc: "2.0", method: "notifications/initialized" };

test("messages are checked by the revision of their connection, also those before it is known", async () => {
  const { add, found, rows } = checks();
  add(">", initialize("2025-11-25"));
  add("<", { jsonrpc: "2.0", method: "notifications/message", params: { level: "loud", data: 1 } });
  add("<", initialized("2025-11-25"));
  await expect.poll(() => rows.length).toBe(3);
  add(">", ready);
  add(">", { jsonrpc: "2.0", id: 1, method: "tools/list" });
  add("<", { jsonrpc: "2.0", id: 1, result: { tools: [{ name: 7, inputSchema: { type: "object" } }] } });
  add("<", { jsonrpc: "2.0", id: 9, result: {} });
  expect(found).toEqual([
    [2, "params", "$.params.level"],
    [6, "result", "$.result.tools[0].name"],
    [7, "answer-unknown", "$.id"],
  ]);
});

test("messages of the relay have no findings, and those that only the server sees are not checked", async () => {
  const { add, found, rows } = checks();
  add(">", initialize("2025-11-25"));
  add("<", initialized("2025-11-25"));
  await expect.poll(() => rows.length).toBe(2);
  add(">", ready);
  add(">", { jsonrpc: "2.0", id: 1, method: "ping" });
  add("<", { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "restarted" } }, { origin: "relay" });
  const hidden = { origin: "relay", isHidden: true } as const;
  add(">", { ...initialize("2025-11-25"), id: "mcpwright-dev-1" }, hidden);
  add("<", { ...initialized("2025-11-25"), id: "mcpwright-dev-1" }, hidden);
  add(">", ready, hidden);
  add("<", { jsonrpc: "2.0", method: "notifications/tools/list_changed" }, { origin: "relay" });
  add(">", { jsonrpc: "2.0", id: 2, method: "ping" });
  add("<", { jsonrpc: "2.0", id: 2, result: {} });
  expect(found).toEqual([]);
});

test("connections are conversations of their own", async () => {
  const { live, add, found, rows } = checks();
  for (const connection of ["1", "2"]) {
    add(">", initialize("2025-11-25"), { connection });
    add("<", initialized("2025-11-25"), { connection });
  }
  await expect.poll(() => rows.length).toBe(4);
  live.end("1");
  add(">", initialize("2025-06-18"), { connection: "1" });
  add("<", initialized("2025-06-18"), { connection: "1" });
  await expect.poll(() => rows.length).toBe(6);
  expect(found).toEqual([]);
});

test("messages of a revision that is not known are not checked, and a note says so", async () => {
  const { add, rows, notes } = checks();
  add(">", initialize("2031-01-01"));
  add("<", initialized("2031-01-01"));
  await expect
    .poll(() => notes)
    .toEqual([expect.stringContaining("messages of revision 2031-01-01 are not checked: known are 2024-11-05")]);
  expect(rows).toEqual([]);
});
