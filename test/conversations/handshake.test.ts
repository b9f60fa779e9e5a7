import { describe, test } from "vitest";
import { absent, any, exactly } from "../../runtime/src/testing.js";
import { channels, transportSetups, converse } from "./transports.js";
import { everyRevision, handshake, handshakeEra, R1, R2, R3, R4, R5, text } from "./messages.js";

const clientInfo = { name: "ExampleClient", version: "1.0.0" };
const initialize = (protocolVersion: string, capabilities: object = {}, id: unknown = 1) => ({
  id,
  method: "initialize",
  params: { protocolVersion, capabilities, clientInfo },
});

describe.each(transportSetups)("$name", (carrier) => {
  test.each([
    [R1, { roots: { listChanged: true }, sampling: {} }],
    [R2, { roots: { listChanged: true }, sampling: {} }],
    [R3, { roots: { listChanged: true }, sampling: {}, elicitation: {} }],
    [R4, { sampling: { tools: {} }, elicitation: { form: {}, url: {} }, experimental: { "com.example/x": {} } }],
  ])("%s: opens with the features of both sides", (revision, capabilities) =>
    converse(carrier, "calculator", [
      { "->": initialize(revision, capabilities) },
      {
        "<-": exactly({
          jsonrpc: "2.0",
          id: 1,
          result: {
            protocolVersion: revision,
            capabilities: { logging: {}, tools: { listChanged: true } },
            serverInfo: { name: "calculator", version: "1.0.0" },
            instructions: "Use it for sums.",
          },
        }),
      },
      { "->": { method: "notifications/initialized" } },
      { "->": { id: 2, method: "tools/call", params: { name: "calculate_sum", arguments: { a: 1, b: 2 } } } },
      { "<-": { id: 2, result: text("3") } },
    ]),
  );

  const matrix = [R1, R2, R3, "2099-01-01"].flatMap((asked) =>
    [[R1], [R2], [R1, R2]].map((served) => ({ asked, served, answer: served.includes(asked) ? asked : served.at(-1) })),
  );

  test.each(matrix)("a server of $served responds to a request for $asked with $answer", ({ asked, served, answer }) =>
    converse(
      carrier,
      "calculator",
      [
        { "->": initialize(asked) },
        { "<-": { id: 1, result: { protocolVersion: answer } } },
        { "->": { id: 2, method: "ping" } },
        { "<-": { id: 2, result: exactly({}) } },
      ],
      { revisions: served },
    ),
  );

  test("with `rejectUnknownVersions`, a server rejects unknown versions and lists its own", () =>
    converse(
      carrier,
      "calculator",
      [
        { "->": initialize("1999-01-01") },
        {
          "<-": {
            id: 1,
            error: {
              code: -32602,
              message: "Unsupported protocol version",
              data: { supported: [R2, R1], requested: "1999-01-01" },
            },
          },
        },
        { "->": initialize(R1, {}, 2) },
        { "<-": { id: 2, result: { protocolVersion: R1 } } },
      ],
      { revisions: [R1, R2], options: { rejectUnknownVersions: true } },
    ));

  test.each([
    ["missing params", { id: 1, method: "initialize" }],
    [
      "a version that is not a string",
      { id: 1, method: "initialize", params: { protocolVersion: 1, capabilities: {}, clientInfo } },
    ],
    ["no capabilities", { id: 1, method: "initialize", params: { protocolVersion: R4, clientInfo } }],
  ])("rejects %s, and the client can try again", (_name, message) =>
    converse(carrier, "calculator", [
      { "->": message },
      { "<-": { id: 1, error: { code: -32602 } } },
      ...handshake(R4),
      { "->": { id: 2, method: "ping" } },
      { "<-": { id: 2, result: {} } },
    ]),
  );

  test("a server of the stateless era rejects `initialize` and lists its versions", () =>
    converse(
      carrier,
      "calculator",
      [
        { "->": initialize(R4) },
        { "<-": { id: 1, error: { code: -32022, data: { supported: [R5], requested: R4 } } } },
      ],
      { revisions: [R5] },
    ));
});

// Over HTTP, a request without a session is rejected, and a second handshake without one opens another session.
describe.each(channels)("$name", (carrier) => {
  test("before `initialize`, rejects every request except ping", () =>
    converse(carrier, "calculator", [
      { "->": { id: "a", method: "ping" } },
      { "<-": { id: "a", result: exactly({}) } },
      { "->": { id: "b", method: "tools/list" } },
      {
        "<-": {
          id: "b",
          result: absent,
          error: { code: -32602, message: /initialize.*protocolVersion/, data: { supported: any(isEveryRevision) } },
        },
      },
      ...handshake(R3),
      { "->": { id: "c", method: "tools/list" } },
      { "<-": { id: "c", result: { tools: any() } } },
    ]));

  test.each(handshakeEra)("%s: rejects a second `initialize` and continues the session", (revision) =>
    converse(carrier, "calculator", [
      ...handshake(revision),
      { "->": initialize(R1, {}, 1) },
      { "<-": { id: 1, error: { code: -32600 } } },
      { "->": { id: 2, method: "tools/list" } },
      { "<-": { id: 2, result: { tools: any() } } },
    ]),
  );
});

function isEveryRevision(value: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify([...everyRevision].reverse());
}
