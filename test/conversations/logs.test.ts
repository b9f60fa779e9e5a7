import { describe, test } from "vitest";
import { absent } from "../../runtime/src/testing.js";
import { transportSetups, converse } from "./transports.js";
import { handshake, R4, stateless, text } from "./messages.js";

const logging = (id: unknown, level?: string) =>
  stateless(id, "tools/call", { name: "log", ...(level && { _meta: { "io.modelcontextprotocol/logLevel": level } }) });
const heard = (level: string, data: string) => ({
  method: "notifications/message",
  params: { level, data, _meta: absent },
});

describe.each(transportSetups)("$name", (carrier) => {
  test("sends log messages at the level of the request, or of the session", () =>
    converse(carrier, "workshop", [
      ...handshake(R4),
      { "->": { id: 1, method: "logging/setLevel", params: { level: "warning" } } },
      { "<-": { id: 1, result: {} } },
      { "->": stateless("listen", "subscriptions/listen", { notifications: { toolsListChanged: true } }) },
      { "<-": { method: "notifications/subscriptions/acknowledged" } },
      { "->": logging("a", "debug") },
      { "->": logging("b", "error") },
      { "->": logging("c") },
      { "->": { id: "d", method: "tools/call", params: { name: "log" } } },
      {
        unordered: [
          heard("debug", "debug for a"),
          heard("error", "error for a"),
          { id: "a", result: text("logged") },
          heard("error", "error for b"),
          { id: "b", result: text("logged") },
          { id: "c", result: text("logged") },
          heard("error", "error for d"),
          { id: "d", result: text("logged") },
        ],
      },
      { silence: 20 },
    ]));

  test("rejects an unknown level, and keeps the current one", () =>
    converse(carrier, "workshop", [
      ...handshake(R4),
      { "->": { id: 1, method: "logging/setLevel", params: { level: "verbose" } } },
      { "<-": { id: 1, error: { code: -32602 } } },
      { "->": { id: 2, method: "tools/call", params: { name: "log" } } },
      { "<-": heard("error", "error for 2") },
      { "<-": { id: 2 } },
    ]));
});
