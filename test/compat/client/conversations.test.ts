import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as original from "@modelcontextprotocol/client";
import {
  createMcpHandler,
  inputRequired,
  acceptedContent,
  McpServer,
  ProtocolError,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/server";
import { toNodeHandler } from "@modelcontextprotocol/node";
import * as own from "@mcpwright/compat/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod/v4";

type Sdk = typeof original;
type Mode = "auto" | "legacy";
const sdks = { original, own: own as unknown as Sdk };

let toolCalls = 0;

function makeServer(): McpServer {
  const server = new McpServer(
    { name: "test", version: "1.0.0" },
    { capabilities: { logging: {} }, instructions: "Ask." },
  );
  const word = z.object({ word: z.string() });
  server.registerTool("echo", { description: "Echo", inputSchema: word }, ({ word: text }) => ({
    content: [{ type: "text", text: `${text} ${++toolCalls > 0}` }],
  }));
  server.registerTool("lie", { inputSchema: z.object({}), outputSchema: z.object({ sum: z.number() }) }, () => ({
    content: [],
    structuredContent: { sum: 1 },
  }));
  server.registerTool("fail", { inputSchema: z.object({}) }, () => {
    throw new Error("out of order");
  });
  server.registerTool("progress", { inputSchema: z.object({}) }, async (_args, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    if (progressToken !== undefined)
      await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2 } });
    return { content: [] };
  });
  server.registerTool("ask", { inputSchema: z.object({}) }, (_args, ctx) => {
    const answer = acceptedContent<{ name: string }>(ctx.mcpReq.inputResponses, "name");
    if (answer) return { content: [{ type: "text" as const, text: `Hello ${answer.name}` }] };
    const requestedSchema = { type: "object" as const, properties: { name: { type: "string" as const } } };
    return inputRequired({
      inputRequests: { name: inputRequired.elicit({ message: "Your name?", requestedSchema }) },
    });
  });
  server.registerTool("pay", { inputSchema: z.object({}) }, () => {
    const [mode, elicitationId] = ["url" as const, "payment"];
    throw new UrlElicitationRequiredError([{ mode, message: "Pay", url: "https://pay.example/", elicitationId }]);
  });
  server.registerTool("hang", { inputSchema: z.object({}) }, () => new Promise(() => undefined));
  server.registerResource("readme", "file:///readme", {}, (uri) => ({
    contents: [{ uri: uri.href, text: "Read me" }],
  }));
  server.registerPrompt("greet", { argsSchema: word }, ({ word: text }) => ({
    messages: [{ role: "user", content: { type: "text", text } }],
  }));
  server.server.setRequestHandler("acme/double", { params: z.object({ n: z.number() }) }, ({ n }) => {
    if (n < 0) throw new ProtocolError(-32602, "too small", { n });
    return { n: n * 2 };
  });
  return server;
}

const handle = toNodeHandler(createMcpHandler(makeServer));
const host = createServer((request, response) => void handle(request as Parameters<typeof handle>[0], response));
let url: URL;

beforeAll(async () => {
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  url = new URL(`http://127.0.0.1:${(host.address() as AddressInfo).port}/mcp`);
});
afterAll(() => {
  host.closeAllConnections();
  host.close();
});

type Program = (client: original.Client, sdk: Sdk) => unknown;

/** What a program sees of an error. */
function described(error: unknown, sdk: Sdk): unknown {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  return {
    isProtocolError: error instanceof sdk.ProtocolError,
    isSdkError: error instanceof sdk.SdkError,
    code,
    message,
    data,
  };
}

async function run(sdk: Sdk, mode: Mode, program: Program, options: original.ClientOptions = {}): Promise<unknown> {
  const client = new sdk.Client(
    { name: "client", version: "1.0.0" },
    { versionNegotiation: { mode }, capabilities: { elicitation: {} }, ...options },
  );
  await client.connect(new sdk.StreamableHTTPClientTransport(url));
  try {
    return await program(client, sdk);
  } catch (error) {
    return described(error, sdk);
  } finally {
    await client.close();
  }
}

const programs: Record<string, Program> = {
  "learns about the server": (client) => [
    client.getServerVersion(),
    client.getServerCapabilities(),
    client.getInstructions(),
    client.getNegotiatedProtocolVersion(),
    client.getProtocolEra(),
    client.getDiscoverResult()?.supportedVersions,
  ],
  "lists everything": async (client) => [
    await client.listTools(),
    await client.listResources(),
    await client.listPrompts(),
    await client.listResourceTemplates(),
  ],
  "calls a tool": (client) => client.callTool({ name: "echo", arguments: { word: "hi" } }),
  "gets the failure of a tool": (client) => client.callTool({ name: "fail", arguments: {} }),
  "gets the rejection of arguments": (client) => client.callTool({ name: "echo", arguments: { word: 1 } }),
  "gets progress": async (client) => {
    const seen: unknown[] = [];
    await client.callTool({ name: "progress", arguments: {} }, { onprogress: (progress) => seen.push(progress) });
    return seen;
  },
  "answers an input request": async (client) => {
    client.setRequestHandler("elicitation/create", ({ method, params }) => ({
      action: "accept",
      content: { name: `${method}: ${params.message}` },
    }));
    return client.callTool({ name: "ask", arguments: {} });
  },
  "reads a resource and a prompt": async (client) => [
    await client.readResource({ uri: "file:///readme" }),
    await client.getPrompt({ name: "greet", arguments: { word: "hi" } }),
  ],
  "gets the error of an unknown resource": (client) => client.readResource({ uri: "file:///none" }),
  "sends a request of its own": (client) =>
    client.request({ method: "acme/double", params: { n: 4 } }, z.object({ n: z.number() })),
  "gets the error of a request of its own": (client) =>
    client.request({ method: "acme/double", params: { n: -4 } }, z.object({ n: z.number() })),
  "rejects a request of its own without a schema": (client) => client.request({ method: "acme/double" } as never),
  "rejects a result that its schema does not describe": async (client, sdk) => {
    const sent = client.request({ method: "acme/double", params: { n: 4 } }, z.object({ n: z.string() }));
    const { code } = described(await sent.catch((error: unknown) => error), sdk) as { code: unknown };
    return code;
  },
  "gives up after a time": (client) => client.callTool({ name: "hang", arguments: {} }, { timeout: 50 }),
  "aborts a call": (client) => client.callTool({ name: "hang", arguments: {} }, { signal: AbortSignal.timeout(50) }),
  "rejects handlers of undeclared capabilities": (client) => {
    client.setRequestHandler("sampling/createMessage", () => ({}) as never);
  },
  "cannot use a closed connection": async (client) => {
    await client.close();
    return [client.transport, client.getServerVersion()];
  },
};

describe.each(["auto", "legacy"] as const)("with the mode %s, a client", (mode) => {
  it.each(Object.entries(programs))("%s as with the official package", async (_name, program) => {
    expect(await run(sdks.own, mode, program)).toEqual(await run(sdks.original, mode, program));
  });
});

describe("structured output", () => {
  const jsonSchemaValidator = {
    getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "no sum" }),
  };
  const program: Program = async (client) => {
    await client.listTools();
    return client.callTool({ name: "lie", arguments: {} });
  };

  it.each(["auto", "legacy"] as const)("is checked with the validator of the program, mode %s", async (mode) => {
    const found = await run(sdks.own, mode, program, { jsonSchemaValidator });
    expect(found).toEqual(await run(sdks.original, mode, program, { jsonSchemaValidator }));
    expect(found).toMatchObject({ code: -32602 });
  });

  it("is accepted by the default validator", async () => {
    expect(await run(sdks.own, "auto", program)).toMatchObject({ structuredContent: { sum: 1 } });
  });
});

describe("URLs that a tool requires the user to visit", () => {
  const capabilities = { elicitation: { form: {}, url: {} } };
  /** Waits for the server, which reports nothing. */
  const program: Program = async (client, sdk) => {
    let visits = 0;
    client.setRequestHandler("elicitation/create", () => (visits++, new Promise(() => undefined)));
    const error = await client.callTool({ name: "pay", arguments: {} }).catch((failure: unknown) => failure);
    const { elicitations } = error as Partial<UrlElicitationRequiredError>;
    const isKnown = error instanceof sdk.UrlElicitationRequiredError;
    return { ...(described(error, sdk) as object), isKnown, elicitations, visits };
  };

  it.each(["auto", "legacy"] as const)("are those of the error of the call, mode %s", async (mode) => {
    const found = await run(sdks.own, mode, program, { capabilities });
    expect(found).toEqual(await run(sdks.original, mode, program, { capabilities }));
    if (mode === "legacy") expect(found).toMatchObject({ code: -32042, isKnown: true, visits: 0 });
  });
});

describe("a connection", () => {
  it.each(Object.entries(sdks))("is resumed from what is known about the server: %s", async (_name, sdk) => {
    const first = await run(sdk, "auto", (client) => client.getDiscoverResult());
    const client = new sdk.Client({ name: "client", version: "1.0.0" });
    const prior = { kind: "modern" as const, discover: first as original.DiscoverResult };
    await client.connect(new sdk.StreamableHTTPClientTransport(url), { prior });
    expect(client.getServerVersion()).toEqual({ name: "test", version: "1.0.0" });
    expect((await client.listTools()).tools.length).toBeGreaterThan(4);
    await client.close();
  });

  it.each(Object.entries(sdks))("fails when no revision is shared: %s", async (_name, sdk) => {
    const client = new sdk.Client(
      { name: "client", version: "1.0.0" },
      { versionNegotiation: { mode: { pin: "2099-01-01" } } },
    );
    const failed = await client.connect(new sdk.StreamableHTTPClientTransport(url)).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Error);
    expect(client.transport).toBeUndefined();
  });
});
