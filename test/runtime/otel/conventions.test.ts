/** Spans and durations as the semantic conventions for MCP define them, in both eras and over each transport. */
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { describe, expect, test, vi } from "vitest";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { openTelemetry } from "../../../runtime/src/otel.js";
import { inputRequired } from "../../../runtime/src/server.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { buckets, histograms, type Level, spans, unit } from "./conventions.js";
import { connected, createClient, createServer, type Era, eras, type Way, ways } from "./programs.js";
import { label, Recorder, useGlobals } from "./recorder.js";

useGlobals();

/** The attributes of which there is one for each argument. */
const families = ["gen_ai.prompt.variable"];

function levelIn(allowed: Readonly<Record<string, Level>>, key: string): Level | undefined {
  return allowed[families.find((family) => key.startsWith(`${family}.`)) ?? key];
}

/** Uses everything once that a client and a server can say. Both sides use one recorder, unless the server has its own. */
async function useEverything(
  recorder: Recorder,
  era: Era,
  way: Way,
  { recordContent = false, ofServer = recorder }: { recordContent?: boolean; ofServer?: Recorder } = {},
): Promise<void> {
  const { client, server } = await connected(
    { ...recorder.providers, recordContent },
    { era, way },
    {
      server: { telemetry: openTelemetry({ ...ofServer.providers, recordContent }) },
    },
  );
  const changed = vi.fn();
  await client.subscribeResource({ uri: "note://one" }, changed);
  await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
  await client.callTool({ name: "fail" });
  await client.callTool({ name: "greet" });
  await client.callTool({ name: "report" }, { onProgress: () => undefined });
  await client.callTool({ name: "unknown" }).catch(() => undefined);
  await client.getPrompt({ name: "review", arguments: { language: "de" } });
  await client.complete({ ref: { type: "ref/prompt", name: "review" }, argument: { name: "language", value: "d" } });
  await client.readResource({ uri: "note://one" });
  await client.readResource({ uri: "note://none" }).catch(() => undefined);
  await client.listTools();
  server.sendResourceUpdated({ uri: "note://one" });
  await vi.waitFor(() => {
    expect(changed).toHaveBeenCalled();
  });
  await client.close();
  await server.close(0);
}

/** The attributes of the network, in the spans of one program. */
function network(program: "client" | "server", kind: SpanKind, way: Way): object {
  if (way === "in memory") return {};
  const http = { "network.transport": "tcp", "network.protocol.name": "http" };
  const address = { address: "127.0.0.1", port: expect.any(Number) as number };
  if (program === "client")
    return kind === SpanKind.CLIENT
      ? { ...http, "server.address": address.address, "server.port": address.port }
      : http;
  const versioned = { ...http, "network.protocol.version": "1.1" };
  return kind === SpanKind.CLIENT
    ? versioned
    : { ...versioned, "client.address": address.address, "client.port": address.port };
}

describe.each(eras)("%s", (era) => {
  describe.each(ways)("%s", (way) => {
    test("spans", async () => {
      const programs = { client: new Recorder(), server: new Recorder() };
      await useEverything(programs.client, era, way, { ofServer: programs.server });
      const version = era === "stateless" ? "2026-07-28" : "2025-11-25";
      for (const program of ["client", "server"] as const) {
        expect(programs[program].spans.length).toBeGreaterThan(12);
        for (const span of programs[program].spans) {
          const { attributes, kind, name, status } = span;
          expect([SpanKind.CLIENT, SpanKind.SERVER], name).toContain(kind);
          const allowed = spans[kind === SpanKind.CLIENT ? "client" : "server"];
          for (const key of Object.keys(attributes)) {
            expect(levelIn(allowed, key), `${label(span)}: ${key}`).toBeDefined();
            expect(levelIn(allowed, key), `${label(span)}: ${key}`).not.toBe("optIn");
          }
          const target = attributes["gen_ai.tool.name"] ?? attributes["gen_ai.prompt.name"];
          const method = String(attributes["mcp.method.name"]);
          expect(name).toBe(target === undefined ? method : `${method} ${String(target)}`);
          const known = { "mcp.protocol.version": version, ...network(program, kind, way) };
          expect(attributes, `${program}: ${label(span)}`).toMatchObject(known);
          const hasSession = era === "handshake" && way === "over HTTP";
          expect(attributes["mcp.session.id"] !== undefined, label(span)).toBe(hasSession);
          const isError = attributes["error.type"] !== undefined;
          expect(status.code).toBe(isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET);
        }
      }
    });

    test("metrics", async () => {
      const recorder = new Recorder();
      await useEverything(recorder, era, way);
      const series = await recorder.series();
      const sessions = era === "handshake" ? ["mcp.client.session.duration", "mcp.server.session.duration"] : [];
      expect([...new Set(series.map(({ metric }) => metric))].sort()).toEqual(
        ["mcp.client.operation.duration", "mcp.server.operation.duration", ...sessions].sort(),
      );
      for (const { metric, attributes, point, ...one } of series) {
        expect(one.unit).toBe(unit);
        expect(point.value.buckets.boundaries).toEqual(buckets);
        expect(point.value.max).toBeLessThan(60);
        const allowed = histograms[metric] ?? {};
        for (const key of Object.keys(attributes)) expect(["optIn", undefined], key).not.toContain(allowed[key]);
        for (const [key, level] of Object.entries(allowed))
          if (level === "required") expect(attributes).toHaveProperty([key]);
      }
    });
  });

  test.each(ways)("only the calls that fail are errors, %s", async (way) => {
    const recorder = new Recorder();
    await useEverything(recorder, era, way);
    const failed = recorder.spans.filter(({ attributes }) => attributes["error.type"] !== undefined);
    expect([...new Set(failed.map(label))].sort()).toEqual([
      "< tools/call fail",
      "> resources/read",
      "> tools/call fail",
      "> tools/call unknown",
    ]);
    expect(
      recorder.spans
        .filter(({ name }) => name === "resources/read")
        .map(({ attributes }) => attributes["mcp.resource.uri"])
        .sort(),
    ).toEqual(["note://none", "note://none", "note://one", "note://one"]);
  });

  test("the client is known also where its streams can be resumed", async () => {
    const recorder = new Recorder();
    const place = { era, way: "over HTTP" } as const;
    const { client } = await connected(recorder.providers, place, { server: { backplane: new MemoryBackplane() } });
    await client.listTools();
    await vi.waitFor(() => {
      const { attributes } = recorder.span("< tools/list");
      expect(attributes).toMatchObject(network("server", SpanKind.SERVER, "over HTTP"));
    });
  });

  test("requests in both directions", async () => {
    const recorder = new Recorder();
    await useEverything(recorder, era, "in memory");
    const [sent, received] = [recorder.span("> elicitation/create"), recorder.span("< elicitation/create")];
    const seconds = ({ duration: [whole, nanoseconds] }: ReadableSpan): number => whole + nanoseconds / 1e9;
    expect(seconds(sent)).toBeGreaterThan(seconds(received));
    const { "jsonrpc.request.id": id } = sent.attributes;
    // In the stateless era, the question is part of a result.
    expect(id !== undefined).toBe(era === "handshake");
  });

  test.each(ways)("each question that a handler awaits has a span until the response, %s", async (way) => {
    const recorder = new Recorder();
    const { client, server } = await connected(recorder, { era, way });
    const ask = { message: "?", requestedSchema: { type: "object", properties: {} } } as const;
    server.registerTool("ask", {}, async (context) => {
      await context.elicit("first", ask);
      await context.elicit("second", ask);
      // Is not sent, as the client does not have the capability.
      await expect(context.sample("third", { messages: [], maxTokens: 1 })).rejects.toThrow();
      return { content: [] };
    });
    await client.callTool({ name: "ask" });
    const asked = recorder.spans.filter((span) => /^> (elicitation|sampling)/.test(label(span)));
    expect(asked.map(({ attributes }) => attributes["error.type"])).toEqual([undefined, undefined]);
    const version = era === "stateless" ? "2026-07-28" : "2025-11-25";
    expect(asked.map(({ attributes }) => attributes["mcp.protocol.version"])).toEqual([version, version]);
  });

  test("a question that is not answered is an error, with the reason", async () => {
    const recorder = new Recorder();
    const { client } = await connected(recorder, { era });
    const aborting = new AbortController();
    client.setRequestHandler("elicitation/create", async () => {
      aborting.abort(new Error("no"));
      await new Promise(() => undefined);
      return { action: "cancel" };
    });
    await expect(client.callTool({ name: "greet" }, { signal: aborting.signal })).rejects.toThrow("no");
    await client.close();
    await vi.waitFor(() => expect(recorder.span("> elicitation/create").attributes["error.type"]).toBeDefined());
  });

  test("a question in the result of a handler that does not wait has a span at the client only", async () => {
    const recorder = new Recorder();
    const { client, server } = await connected(recorder, { era });
    const ask = { message: "?", requestedSchema: { type: "object" as const, properties: {} } };
    server.registerTool("ask", {}, ({ inputResponses }) =>
      inputResponses
        ? { content: [] }
        : inputRequired({ inputRequests: { one: { method: "elicitation/create", params: ask } } }),
    );
    await client.callTool({ name: "ask" });
    const labels = recorder.spans.map(label);
    expect(labels).toContain("< elicitation/create");
    // The runtime waits for the handler in the handshake era.
    expect(labels.includes("> elicitation/create")).toBe(era === "handshake");
  });

  const rows: readonly (readonly [span: string, expected: Readonly<Record<string, unknown>>])[] = [
    [
      "tools/call add",
      {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "add",
        "jsonrpc.request.id": expect.any(String) as string,
      },
    ],
    [
      "tools/call fail",
      { "gen_ai.tool.name": "fail", "error.type": "tool_error", "rpc.response.status_code": undefined },
    ],
    ["prompts/get review", { "gen_ai.prompt.name": "review", "gen_ai.operation.name": undefined }],
    ["completion/complete review", { "gen_ai.prompt.name": "review" }],
    [
      "tools/list",
      { "gen_ai.operation.name": undefined, "gen_ai.tool.name": undefined, "mcp.resource.uri": undefined },
    ],
    ["notifications/progress", { "jsonrpc.request.id": undefined }],
    ["notifications/resources/updated", { "mcp.resource.uri": "note://one", "jsonrpc.request.id": undefined }],
  ];
  test.each(rows)("%s", async (name, expected) => {
    const recorder = new Recorder();
    await useEverything(recorder, era, "in memory");
    for (const span of [recorder.span(`> ${name}`), recorder.span(`< ${name}`)])
      for (const [key, value] of Object.entries(expected))
        expect(span.attributes[key], `${label(span)}: ${key}`).toEqual(value);
  });

  test("error responses that blame the caller are errors of the caller only", async () => {
    const recorder = new Recorder();
    await useEverything(recorder, era, "in memory");
    const sent = recorder.span("> tools/call unknown");
    expect(sent.attributes).toMatchObject({ "rpc.response.status_code": "-32602", "error.type": "-32602" });
    expect(sent.status).toEqual({ code: SpanStatusCode.ERROR, message: expect.stringContaining("unknown") as string });
    const received = recorder.span("< tools/call unknown");
    expect(received.attributes["rpc.response.status_code"]).toBe("-32602");
    expect(received.attributes).not.toHaveProperty(["error.type"]);
    expect(received.status).toEqual({ code: SpanStatusCode.UNSET });
  });

  test("content is recorded only if the program asks for it", async () => {
    const recorder = new Recorder();
    await useEverything(recorder, era, "in memory", { recordContent: true });
    for (const way of [">", "<"]) {
      expect(recorder.span(`${way} tools/call add`).attributes).toMatchObject({
        "gen_ai.tool.call.arguments": '{"a":1,"b":2}',
        "gen_ai.tool.call.result": '{"sum":3}',
      });
      expect(recorder.span(`${way} prompts/get review`).attributes).toMatchObject({
        "gen_ai.prompt.variable.language": "de",
      });
      expect(recorder.span(`${way} tools/call fail`).attributes).not.toHaveProperty(["gen_ai.tool.call.result"]);
    }
    for (const { attributes } of await recorder.series())
      expect(Object.keys(attributes).filter((key) => /arguments|result|variable/.test(key))).toEqual([]);
  });
});

test("each node measures how long it has a session, also one that another node has opened", async () => {
  const backplane = new MemoryBackplane();
  const nodes = [new Recorder(), new Recorder()].map((recorder) => {
    const server = createServer({ telemetry: openTelemetry(recorder.providers), backplane });
    return { recorder, handler: createMcpHandler(server) };
  });
  const visited: string[] = [];
  const transport = new StreamableHTTPClientTransport("http://localhost/mcp", {
    fetch: async (url, init) => {
      const request = new Request(url, init);
      const node = nodes[visited.push(request.method) % nodes.length];
      return (await node?.handler.fetch(request)) ?? Response.error();
    },
  });
  const client = createClient({});
  await client.connect(transport, { era: "handshake" });
  for (let times = 0; times < 4; times++) await client.listTools();
  await client.close();
  expect(visited).toContain("DELETE");
  for (const { recorder, handler } of nodes) {
    await vi.waitFor(async () => {
      const sessions = (await recorder.series()).filter(({ metric }) => metric === "mcp.server.session.duration");
      expect(sessions.map(({ point }) => point.value.count)).toEqual([1]);
      expect(sessions[0]?.attributes).toEqual({
        "mcp.protocol.version": "2025-11-25",
        "network.transport": "tcp",
        "network.protocol.name": "http",
      });
    });
    await handler.close(0);
  }
});
