import * as root from "@mcpwright/runtime";
import { Client } from "@mcpwright/runtime/client";
import * as errors from "@mcpwright/runtime/errors";
import { ajvValidator } from "@mcpwright/runtime/json-schema";
import { McpServer, ResourceTemplate, UriTemplate } from "@mcpwright/runtime/server";
import { McpServer as CoreMcpServer } from "@mcpwright/runtime/server/core";
import { Client as CoreClient } from "@mcpwright/runtime/client/core";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";

const info = { name: "test", version: "1.0.0" };
const { InMemoryTransport, McpError, ProtocolError, RemoteError, ResourceNotFoundError, SdkError } = root;

async function caught(action: () => unknown): Promise<unknown> {
  try {
    await action();
  } catch (error) {
    return error;
  }
  return expect.fail("it went well");
}

/** A server that fails in every way, and its client. */
async function pair(server = new McpServer(info)) {
  server.registerTool("fail", {}, () => {
    throw new ProtocolError(4077, "failed", { why: 1 });
  });
  server.registerResource("r", "test:r", {}, () => ({ contents: [] }));
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  const connection = await server.connect(serverEnd);
  const client = new Client(info);
  await client.connect(clientEnd);
  return { client, connection };
}

describe("every entry throws errors of one family, with a code", () => {
  const rows: readonly [string, () => unknown, root.SdkErrorCode | number, string][] = [
    [
      "server: a schema",
      () => new McpServer(info).registerTool("t", { inputSchema: z.string() }, () => ({})),
      "INVALID_CONFIGURATION",
      "SdkError",
    ],
    [
      "server: a handler",
      () => new McpServer(info).server.handle({ "tools/list": () => ({ tools: [] }) }),
      "CAPABILITY_NOT_SUPPORTED",
      "SdkError",
    ],
    ["server: a template", () => new ResourceTemplate("{"), "INVALID_CONFIGURATION", "SdkError"],
    [
      "server: a list in a prefix",
      () => new UriTemplate("{a:3}").expand({ a: ["x"] }),
      "INVALID_CONFIGURATION",
      "SdkError",
    ],
    ["server/core: no revision", () => new CoreMcpServer(info, { revisions: [] }), "INVALID_CONFIGURATION", "SdkError"],
    ["client: not connected", () => new Client(info).listTools(), "NOT_CONNECTED", "SdkError"],
    [
      "client: a handler",
      () => new Client(info).setRequestHandler("roots/list", () => ({ roots: [] })),
      "CAPABILITY_NOT_SUPPORTED",
      "SdkError",
    ],
    ["client/core: no revision", () => new CoreClient(info, { revisions: [] }), "INVALID_CONFIGURATION", "SdkError"],
    ["the root: a transport", () => new InMemoryTransport().start(), "NOT_CONNECTED", "SdkError"],
    ["json-schema: a schema", () => ajvValidator().compile({ type: "strange" }), "INVALID_CONFIGURATION", "SdkError"],
    [
      "stdio: a transport",
      () => new StdioClientTransport({ command: "x" }).send({ jsonrpc: "2.0", method: "x" }),
      "NOT_CONNECTED",
      "SdkError",
    ],
    ["the peer: an error", async () => (await pair()).client.callTool({ name: "fail" }), 4077, "RemoteError"],
    [
      "the peer: no such resource",
      async () => (await pair()).client.readResource({ uri: "test:no" }),
      -32602,
      "RemoteResourceNotFoundError",
    ],
    [
      "an input request that cannot be sent",
      async () => (await pair()).connection.request("roots/list", {}),
      "NOT_IN_THIS_REVISION",
      "SdkError",
    ],
  ];
  test.each(rows)("%s", async (_name, action, code, name) => {
    const error = await caught(action);
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(McpError);
    expect(error).toBeInstanceOf(name === "SdkError" ? SdkError : RemoteError);
    expect(error).toMatchObject({ name, code });
    expect((error as Error).message).not.toBe("");
  });
});

test("every entry throws the same classes", () => {
  for (const [name, value] of Object.entries(errors)) expect(root).toHaveProperty(name, value);
});

test("a protocol error arrives with code, message and data, and names the side that sent it", async () => {
  const { client } = await pair();
  const error = await caught(() => client.callTool({ name: "fail" }));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(error).toMatchObject({ code: 4077, message: "failed", data: { why: 1 } });
  expect(error).not.toBeInstanceOf(SdkError);
});

const visit = { mode: "url", message: "Pay", url: "https://x.test/pay", elicitationId: "1" } as const;

test.each<[string, readonly object[], string]>([
  ["nothing", [], "elicitations must not be empty"],
  ["a form", [{ ...visit, mode: "form" }], 'mode must be "url"'],
  ["no mode", [{ ...visit, mode: undefined }], 'mode must be "url"'],
  ["no id", [visit, { ...visit, elicitationId: undefined }], "elicitationId must be a non-empty string"],
  ["no message", [{ ...visit, message: undefined }], "message must be a string"],
  ["no URL", [{ ...visit, url: "nonsense" }], "url must be an absolute URL"],
  ["a name before the host", [{ ...visit, url: "https://bank.example@evil.example" }], "user name or password"],
  ["a script", [{ ...visit, url: "javascript:alert(1)" }], "url must be an absolute URL"],
])("a UrlElicitationRequiredError cannot ask for %s", async (_, elicitations, message) => {
  const error = await caught(() => new root.UrlElicitationRequiredError(elicitations as never));
  const wanted = expect.stringContaining(message) as string;
  expect(error).toMatchObject({ name: "SdkError", code: "CANNOT_ASK", message: wanted });
});

test.each([
  ["ProtocolError", new ProtocolError(-1, "m", 1), { code: -1, data: 1 }, [ProtocolError]],
  ["RemoteError", new RemoteError(-1, "m"), { code: -1, data: undefined }, [ProtocolError]],
  [
    "ResourceNotFoundError",
    new ResourceNotFoundError("test:r"),
    { code: -32602, data: { uri: "test:r" } },
    [ProtocolError],
  ],
  [
    "MissingRequiredClientCapabilityError",
    new root.MissingRequiredClientCapabilityError(-32021, "m", { roots: {} }),
    { code: -32021, data: { requiredCapabilities: { roots: {} } } },
    [ProtocolError],
  ],
  [
    "UrlElicitationRequiredError",
    new root.UrlElicitationRequiredError([visit]),
    { code: -32042, data: { elicitations: [visit] } },
    [ProtocolError],
  ],
  [
    "UnsupportedProtocolVersionError",
    new root.UnsupportedProtocolVersionError(-32022, ["a"], "b"),
    { code: -32022, data: { supported: ["a"], requested: "b" } },
    [ProtocolError],
  ],
  ["SdkError", new SdkError("CANNOT_ASK", "m", 1, { cause: "c" }), { code: "CANNOT_ASK", data: 1, cause: "c" }, []],
] as const)("%s has its name, code and data", (name, error, members, parents) => {
  expect(error).toMatchObject({ name, ...members });
  for (const parent of [Error, McpError, ...parents]) expect(error).toBeInstanceOf(parent);
});

test("the compiler narrows errors by their codes", () => {
  expectTypeOf<root.SdkError["code"]>().toEqualTypeOf<root.SdkErrorCode>();
  expectTypeOf<root.ProtocolError["code"]>().toEqualTypeOf<number>();
  expectTypeOf<root.McpError["code"]>().toEqualTypeOf<number | string>();
});
