import { describe, test } from "vitest";
import { absent, any, exactly } from "../../runtime/src/testing.js";
import { channels, transportSetups, converse } from "./transports.js";
import { everyRevision, meta, R5, stateless, text } from "./messages.js";

const call = (name: string, args: object = {}) => ({ name, arguments: args });
const serverInfo = "io.modelcontextprotocol/serverInfo";
const seen = (capabilities: object) => text(JSON.stringify({ revision: R5, capabilities }));

describe.each(transportSetups)("$name", (carrier) => {
  test("accepts a call as the first message", () =>
    converse(carrier, "workshop", [
      { "->": stateless(1, "tools/call", call("count")) },
      {
        "<-": {
          id: 1,
          result: { ...text("1"), resultType: "complete", _meta: { [serverInfo]: { name: "workshop", version: "1" } } },
        },
      },
    ]));

  test("uses each request's own capabilities, and responds in order of completion", () =>
    converse(carrier, "workshop", [
      { "->": stateless(1, "tools/call", call("hold", { name: "a" }), { roots: {} }) },
      { "->": stateless("1", "tools/call", call("who"), { elicitation: { url: {} } }) },
      { "<-": { id: "1", result: seen({ elicitation: { url: {} } }) } },
      { "->": stateless(2, "tools/call", call("who"), {}) },
      { "<-": { id: 2, result: seen({}) } },
      { "->": stateless(0, "tools/call", call("release", { name: "a" })) },
      { unordered: [{ id: 0 }, { id: 1, result: text("a released") }] },
    ]));

  test.each([
    ["no metadata", { params: call("count") }, { message: /protocolVersion.*clientCapabilities/ }],
    [
      "no capabilities",
      { params: { ...call("count"), _meta: { "io.modelcontextprotocol/protocolVersion": R5 } } },
      { message: /clientCapabilities/ },
    ],
    [
      "a version that is not a string",
      { params: { ...call("count"), _meta: meta({}, { "io.modelcontextprotocol/protocolVersion": 5 }) } },
      { message: /protocolVersion.*string/ },
    ],
    [
      "capabilities that are not an object",
      { params: { ...call("count"), _meta: meta({}, { "io.modelcontextprotocol/clientCapabilities": [] }) } },
      { message: /clientCapabilities.*object/ },
    ],
    [
      "a log level that does not exist",
      { params: { ...call("count"), _meta: meta({}, { "io.modelcontextprotocol/logLevel": "verbose" }) } },
      {},
    ],
  ])("%s: rejects the request with -32602, and serves the next one", (_name, message, error) =>
    converse(carrier, "workshop", [
      { "->": { id: "bad", method: "tools/call", ...message } },
      { "<-": { id: "bad", result: absent, error: { code: -32602, ...error } } },
      { "->": stateless(2, "tools/call", call("count")) },
      { "<-": { id: 2, result: text("1") } },
    ]),
  );

  test("`server/discover` returns versions and capabilities", () =>
    converse(carrier, "workshop", [
      { "->": stateless("d", "server/discover") },
      {
        "<-": {
          id: "d",
          result: exactly({
            resultType: "complete",
            supportedVersions: [...everyRevision].reverse(),
            capabilities: { logging: {}, tools: { listChanged: true } },
            ttlMs: any(),
            cacheScope: any(),
            _meta: { [serverInfo]: { name: "workshop", version: "1" } },
          }),
        },
      },
    ]));

  test("rejects an unsupported version, and lists the supported ones", () =>
    converse(
      carrier,
      "workshop",
      ["2099-01-01", "2025-11-25", "x"].flatMap((requested, id) => [
        {
          "->": {
            id,
            method: "tools/list",
            params: { _meta: meta({}, { "io.modelcontextprotocol/protocolVersion": requested }) },
          },
        },
        { "<-": { id, error: { code: -32022, data: exactly({ supported: [R5], requested }) } } },
      ]),
      { revisions: [R5] },
    ));

  test.each([
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "__proto__",
    "constructor",
    "prompts/list",
  ])("has no method %s", (method) =>
    converse(carrier, "workshop", [
      { "->": stateless(1, method, { protocolVersion: R5, capabilities: {}, level: "info", uri: "x:y" }) },
      { "<-": { id: 1, error: { code: -32601, message: `Method not found: ${method}` } } },
    ]),
  );
});

// Over HTTP, each of these gets an HTTP response with an error status.
describe.each(channels)("$name", (carrier) => {
  test("invalid messages and unexpected responses do not affect other requests", () =>
    converse(carrier, "workshop", [
      { "->": stateless("busy", "tools/call", call("hold", { name: "a" })) },
      { do: (peer) => peer.send([stateless(1, "tools/call", call("count"))]) },
      { "<-": exactly({ jsonrpc: "2.0", id: 1, error: { code: -32600, message: any() } }) },
      { "->": { id: 1, result: {} } },
      { "->": { id: "busy", error: { code: 1, message: "no" } } },
      { do: (peer) => peer.send({ text: "no message" }) },
      { "<-": { error: { code: -32600 }, id: absent } },
      { "->": { jsonrpc: "1.0", id: 3, method: "tools/list" } },
      { "<-": { id: 3, error: { code: -32600 } } },
      { "->": { id: null, method: "tools/list" } },
      { "<-": { error: { code: -32600 }, id: absent } },
      { "->": { id: 1.5, method: "tools/list" } },
      { "<-": { error: { code: -32600 }, id: absent } },
      { "->": { id: 4, method: "tools/call", params: [] } },
      { "<-": { id: 4, error: { code: -32600 } } },
      { "->": { method: "no/such/notification" } },
      { "->": stateless("busy", "tools/call", call("count")) },
      { "<-": { id: "busy", error: { code: -32600, message: /in use/ } } },
      { "->": stateless(5, "tools/call", call("release", { name: "a" })) },
      { unordered: [{ id: 5 }, { id: "busy", result: text("a released") }] },
      { "->": stateless(6, "tools/call", call("count")) },
      { "<-": { id: 6, result: text("1") } },
    ]));
});
