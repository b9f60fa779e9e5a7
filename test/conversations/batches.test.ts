import { describe, expect, test } from "vitest";
import { absent, any, type Step, unordered } from "../../runtime/src/testing.js";
import { channels, converse, http } from "./transports.js";
import { handshake, R1, R2, R3, R4, stateless, text } from "./messages.js";

const count = (id: number) => ({ id, method: "tools/call", params: { name: "count" } });
const alive = (id: number) => [{ "->": { id, method: "ping" } }, { "<-": { id, result: {} } }];
const counted = (id: number, value: string) => [{ "->": count(id) }, { "<-": { id, result: text(value) } }];
const refusal = { id: absent, error: { code: -32600 } };
const refusals = (...ids: number[]) => ids.map((id) => ({ "<-": { id, error: { code: -32600 } } }));
const cancelled = { method: "notifications/cancelled", params: { requestId: 99 } };

// Over HTTP, a rejected batch gets an HTTP response with a status: see below.
describe.each(channels)("$name", (carrier) => {
  test("2025-03-26: responds to a batch with one batch", () =>
    converse(carrier, "workshop", [
      ...handshake(R2),
      { "->": [{ id: 1, method: "ping" }, count(2), { id: 3, method: "tools/list" }, cancelled] },
      {
        "<-": unordered({ id: 1, result: {} }, { id: 2, result: text("1") }, { id: 3, result: { tools: any() } }),
      },
      { "->": [cancelled, cancelled] },
      { silence: 20 },
      // The revision has no error without an id.
      { "->": [] },
      { silence: 20 },
      { "->": [1, { id: 4, method: "ping" }] },
      { "<-": [{ id: 4, result: {} }] },
      ...counted(5, "2"),
    ]));

  test.each([R1, R3])("%s: rejects each request of a batch, and runs none", (revision) =>
    converse(carrier, "workshop", [
      ...handshake(revision),
      { "->": [{ id: 1, method: "ping" }, cancelled, count(2)] },
      ...refusals(1, 2),
      { "->": [] },
      { silence: 20 },
      ...alive(3),
      ...counted(4, "1"),
    ]),
  );

  test("2025-11-25: rejects each request of a batch, an empty batch without an id, and runs none", () =>
    converse(carrier, "workshop", [
      ...handshake(R4),
      { "->": [{ id: 1, method: "ping" }, count(2)] },
      ...refusals(1, 2),
      { "->": [] },
      { "<-": refusal },
      ...alive(3),
      ...counted(4, "1"),
    ]));

  test("2026-07-28: rejects a batch, and does not run it", () =>
    converse(carrier, "workshop", [
      { do: (peer) => peer.send([{ jsonrpc: "2.0", ...stateless(1, "tools/call", { name: "count" }) }]) },
      ...refusals(1),
      { "->": stateless(2, "tools/call", { name: "count" }) },
      { "<-": { id: 2, result: text("1") } },
    ]));

  test("rejects `initialize` in a batch", () =>
    converse(carrier, "workshop", [
      {
        "->": [
          {
            id: 1,
            method: "initialize",
            params: { protocolVersion: R2, capabilities: {}, clientInfo: { name: "x", version: "1" } },
          },
        ],
      },
      ...refusals(1),
      ...handshake(R2),
      {
        "->": [
          { id: 2, method: "ping" },
          {
            id: 3,
            method: "initialize",
            params: { protocolVersion: R2, capabilities: {}, clientInfo: { name: "x", version: "1" } },
          },
        ],
      },
      { "<-": unordered({ id: 2, result: {} }, { id: 3, error: { code: -32600 } }) },
    ]));
});

describe("HTTP", () => {
  const refuses = (batch: unknown[]): Step[] => [
    { do: (peer) => expect(peer.send(batch)).rejects.toMatchObject({ data: { status: 400 } }) },
    { "<-": refusal },
  ];
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const [opening] = handshake(R2) as [{ readonly "->": object }];

  test("2025-03-26: responds to a batch with one batch", () =>
    converse(http, "workshop", [
      ...handshake(R2),
      { "->": [{ id: 1, method: "ping" }, count(2), { id: 3, method: "tools/list" }, cancelled] },
      { "<-": unordered({ id: 1, result: {} }, { id: 2, result: text("1") }, { id: 3, result: { tools: any() } }) },
      { "->": [cancelled, cancelled] },
      ...refuses([]),
      ...counted(5, "2"),
    ]));

  test.each([R3, R4])("%s: rejects a batch, does not run it, and continues the session", (revision) =>
    converse(http, "workshop", [
      ...handshake(revision),
      ...refuses([ping, { jsonrpc: "2.0", ...count(2) }, { jsonrpc: "2.0", ...cancelled }]),
      ...refuses([]),
      ...alive(3),
      ...counted(4, "1"),
    ]),
  );

  test("2026-07-28: rejects a batch, and does not run it", () =>
    converse(http, "workshop", [
      ...refuses([1, 2].map((id) => ({ jsonrpc: "2.0", ...stateless(id, "tools/call", { name: "count" }) }))),
      { "->": stateless(2, "tools/call", { name: "count" }) },
      { "<-": { id: 2, result: text("1") } },
    ]));

  test("rejects `initialize` in a batch", () =>
    converse(http, "workshop", [
      ...refuses([{ jsonrpc: "2.0", ...opening["->"] }, ping]),
      ...handshake(R2),
      ...counted(1, "1"),
    ]));
});
