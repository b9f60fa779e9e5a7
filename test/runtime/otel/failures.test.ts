/** Calls that fail, end early or lose their connection; and OpenTelemetry that fails. */
import { context, diag, DiagLogLevel, SpanStatusCode, type TracerProvider } from "@opentelemetry/api";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ProtocolError } from "../../../runtime/src/jsonrpc/errors.js";
import { openTelemetry, type OpenTelemetryOptions } from "../../../runtime/src/otel.js";
import { limitRequests } from "../../../runtime/src/rate-limits.js";
import { InMemoryTransport } from "../../../runtime/src/transport/in-memory.js";
import type { McpServerOptions } from "../../../runtime/src/server.js";
import { callerCodes } from "./conventions.js";
import { connected, createClient, createServer, eras, ways } from "./programs.js";
import { label, Recorder, useGlobals } from "./recorder.js";

useGlobals();

/** A server that is observed, and the client's end of its transport. */
async function observed(options: McpServerOptions = {}) {
  const recorder = new Recorder();
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createServer({ telemetry: openTelemetry(recorder), ...options });
  await server.connect(far);
  onTestFinished(() => server.close(0));
  await near.start();
  return { recorder, near };
}

describe.each(eras)("%s", (era) => {
  const codes = [-32700, -32600, -32601, -32602, -32603, -32000, 1];
  test.each(codes)("the error response %i", async (code) => {
    const recorder = new Recorder();
    const { client, server } = await connected(recorder, { era });
    server.registerPrompt("broken", {}, () => {
      throw new ProtocolError(code, "it is broken");
    });
    await expect(client.getPrompt({ name: "broken" })).rejects.toMatchObject({ code });
    const error = { code: SpanStatusCode.ERROR, message: "it is broken" };
    const text = String(code);
    const sent = recorder.span("> prompts/get broken");
    expect(sent.status).toEqual(error);
    expect(sent.attributes).toMatchObject({ "error.type": text, "rpc.response.status_code": text });
    const received = recorder.span("< prompts/get broken");
    const isCallers = callerCodes.includes(code);
    expect(received.status).toEqual(isCallers ? { code: SpanStatusCode.UNSET } : error);
    expect(received.attributes["rpc.response.status_code"]).toBe(text);
    expect(received.attributes["error.type"]).toBe(isCallers ? undefined : text);
  });

  test("an error that the peer does not receive is an internal error", async () => {
    const recorder = new Recorder();
    const { client, server } = await connected(recorder, { era });
    server.registerPrompt("broken", {}, () => {
      throw new Error("secret");
    });
    await client.getPrompt({ name: "broken" }).catch(() => undefined);
    const { attributes, status } = recorder.span("< prompts/get broken");
    expect(attributes).toMatchObject({ "error.type": "-32603", "rpc.response.status_code": "-32603" });
    expect(status.message).toBe("Internal error");
  });

  test("a result that cannot be serialized is an internal error", async () => {
    const recorder = new Recorder();
    const { client, server } = await connected(recorder, { era, way: "over HTTP" });
    server.registerTool("loop", {}, () => {
      const content: unknown[] = [];
      content.push({ type: "text", text: "", _meta: { content } });
      return { content } as never;
    });
    await client.callTool({ name: "loop" }).catch(() => undefined);
    expect(recorder.span("< tools/call loop").attributes["rpc.response.status_code"]).toBe("-32603");
    expect(recorder.span("> tools/call loop").attributes["rpc.response.status_code"]).toBe("-32603");
  });

  test.each(ways)("a call that the program cancels, %s", async (way) => {
    const recorder = new Recorder();
    const { client } = await connected(recorder, { era, way });
    const controller = new AbortController();
    const call = client.callTool({ name: "wait" }, { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 30));
    controller.abort();
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => {
      recorder.span("< tools/call wait");
    });
    expect(recorder.span("> tools/call wait").attributes["error.type"]).toBe("AbortError");
    const { attributes, status } = recorder.span("< tools/call wait");
    expect(["REQUEST_CANCELLED", "CONNECTION_CLOSED"]).toContain(attributes["error.type"]);
    expect(attributes).not.toHaveProperty(["rpc.response.status_code"]);
    expect(status.code).toBe(SpanStatusCode.ERROR);
  });

  test("a call without a response in time", async () => {
    const recorder = new Recorder();
    const { client } = await connected(recorder, { era });
    await expect(client.callTool({ name: "wait" }, { timeoutMs: 10 })).rejects.toThrow();
    expect(recorder.span("> tools/call wait").attributes["error.type"]).toBe("REQUEST_TIMEOUT");
  });

  test("a connection that ends during a call", async () => {
    const recorder = new Recorder();
    const { client } = await connected(recorder, { era });
    const call = client.callTool({ name: "wait" });
    await new Promise((resolve) => setTimeout(resolve, 10));
    await client.close();
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => {
      recorder.span("< tools/call wait");
    });
    for (const way of [">", "<"])
      expect(recorder.span(`${way} tools/call wait`).attributes["error.type"]).toBe("CONNECTION_CLOSED");
  });

  test("a message that cannot be sent", async () => {
    const recorder = new Recorder();
    const { client } = await connected(recorder, { era });
    client.connection.transport.send = () => {
      throw new TypeError("full");
    };
    await expect(client.callTool({ name: "add" })).rejects.toMatchObject({ code: "SEND_FAILED" });
    expect(recorder.span("> tools/call add").attributes["error.type"]).toBe("SEND_FAILED");
  });

  test("names that a client makes up are not series of the server's histogram", async () => {
    const { recorder, near } = await observed();
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    for (let id = 0; id < 5; id++) {
      near.send({ jsonrpc: "2.0", id: `m${id}`, method: `made/up${id}`, params: { _meta } });
      near.send({ jsonrpc: "2.0", id: `t${id}`, method: "tools/call", params: { name: `tool${id}`, _meta } });
    }
    await vi.waitFor(() => {
      expect(recorder.spans).toHaveLength(10);
    });
    const series = await recorder.series();
    expect(series.map(({ attributes }) => attributes)).toEqual([
      { "mcp.method.name": "_OTHER", "mcp.protocol.version": "2026-07-28", "rpc.response.status_code": "-32601" },
      {
        "gen_ai.operation.name": "execute_tool",
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": "2026-07-28",
        "rpc.response.status_code": "-32602",
      },
    ]);
  });

  describe("OpenTelemetry that fails breaks no call", () => {
    const fails = (): never => {
      throw new Error("broken");
    };
    const broken = <Kind extends object>(working: Kind, ...methods: readonly string[]): Kind =>
      new Proxy(working, {
        get: (target, key) => {
          const value: unknown = Reflect.get(target, key);
          if (methods.includes(String(key))) return fails;
          return typeof value === "function" ? (value as () => unknown).bind(target) : value;
        },
      });
    const recorder = new Recorder();
    const tracer = recorder.tracerProvider.getTracer("x");
    const meter = recorder.meterProvider.getMeter("x");
    const inTracer = (method: string): TracerProvider => ({
      getTracer: () => ({ ...tracer, startSpan: (...all) => broken(tracer.startSpan(...all), method) }),
    });
    const table: readonly (readonly [string, OpenTelemetryOptions])[] = [
      ["getTracer", { tracerProvider: { getTracer: fails } }],
      ["startSpan", { tracerProvider: { getTracer: () => broken(tracer, "startSpan") } }],
      ...["setAttributes", "setStatus", "spanContext", "end"].map(
        (method) => [method, { tracerProvider: inTracer(method) }] as const,
      ),
      ["getMeter", { meterProvider: { getMeter: fails } }],
      ["createHistogram", { meterProvider: { getMeter: () => broken(meter, "createHistogram") } }],
      [
        "record",
        { meterProvider: { getMeter: () => ({ ...meter, createHistogram: () => ({ record: fails }) }) as never } },
      ],
      ...["inject", "extract", "fields"].map(
        (method) =>
          [
            method,
            {
              propagator: broken(
                {
                  inject: (_: unknown, to: { traceparent?: string }) => void (to.traceparent = "x"),
                  extract: (it: never) => it,
                  fields: () => [],
                },
                method,
              ),
            },
          ] as const,
      ),
    ];
    test.each(table)("%s", async (_name, options) => {
      const errors: unknown[] = [];
      const logger = { error: (...all: unknown[]) => errors.push(all) };
      diag.setLogger(
        { ...console, ...logger, verbose: () => undefined },
        { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
      );
      onTestFinished(() => {
        diag.disable();
      });
      const { client } = await connected({ tracerProvider: recorder.tracerProvider, ...options }, { era });
      expect((await client.callTool({ name: "greet" })).content).toEqual([{ type: "text", text: "Hello, Ada" }]);
      await expect(client.callTool({ name: "nothing" })).rejects.toMatchObject({ code: -32602 });
      await client.close();
      expect(errors.length).toBeGreaterThan(0);
    });

    test("an exporter", async () => {
      const exporter = { export: fails, shutdown: () => Promise.resolve() };
      const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
      const { client } = await connected({ tracerProvider }, { era });
      expect((await client.callTool({ name: "greet" })).content).toEqual([{ type: "text", text: "Hello, Ada" }]);
    });

    test("a context manager", async () => {
      context.disable();
      context.setGlobalContextManager({
        active: fails,
        with: fails,
        bind: fails,
        enable: fails,
        disable: () => context as never,
      });
      const { client } = await connected(recorder, { era });
      expect((await client.callTool({ name: "greet" })).content).toEqual([{ type: "text", text: "Hello, Ada" }]);
    });
  });
});

describe("names that a client makes up are not series", () => {
  const metaOf = (version: string) => ({
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": {},
  });
  const meta = metaOf("2026-07-28");
  const version = { "mcp.protocol.version": "2026-07-28" };
  const tool = { "gen_ai.operation.name": "execute_tool", "mcp.method.name": "tools/call" };
  const refuse = limitRequests(({ tool: name }) => (name === "add" ? undefined : {}));

  test.each<readonly [what: string, send: (index: number) => object, attributes: object, options: McpServerOptions]>([
    [
      "methods of notifications",
      (index) => ({ method: `notifications/n${index}`, params: { _meta: meta } }),
      { "mcp.method.name": "_OTHER", ...version },
      {},
    ],
    [
      "versions of notifications",
      (index) => ({ method: "notifications/cancelled", params: { requestId: 9, _meta: metaOf(`v${index}`) } }),
      { "mcp.method.name": "notifications/cancelled" },
      {},
    ],
    [
      "methods and versions of requests",
      (id) => ({ id, method: `made/up${id}`, params: { _meta: metaOf(`v${id}`) } }),
      { "mcp.method.name": "_OTHER", "rpc.response.status_code": "-32022", "error.type": "-32022" },
      {},
    ],
    [
      "tools of requests that a limit refuses",
      (id) => ({ id, method: "tools/call", params: { name: `tool${id}`, _meta: meta } }),
      { ...tool, ...version, "rpc.response.status_code": "429", "error.type": "429" },
      { rateLimits: refuse },
    ],
  ])("%s", async (_, send, attributes, options) => {
    const { recorder, near } = await observed(options);
    for (let index = 0; index < 5; index++) near.send({ jsonrpc: "2.0", ...send(index) } as never);
    await vi.waitFor(() => {
      expect(recorder.spans).toHaveLength(5);
    });
    expect((await recorder.series()).map((one) => one.attributes)).toEqual([attributes]);
  });

  test("but the name of a tool that has responded is, also when a later call fails", async () => {
    const { recorder, near } = await observed();
    for (const [id, args] of [{ a: 1, b: 2 }, { a: "no number" }].entries())
      near.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "add", arguments: args, _meta: meta } });
    await vi.waitFor(() => {
      expect(recorder.spans).toHaveLength(2);
    });
    for (const { attributes } of await recorder.series()) expect(attributes["gen_ai.tool.name"]).toBe("add");
  });
});

test("a session that ends with an error", async () => {
  const recorder = new Recorder();
  const { client } = await connected(recorder, { era: "handshake" });
  await client.connection.fail(new RangeError("broken"));
  const [session] = (await recorder.series()).filter(({ metric }) => metric === "mcp.client.session.duration");
  expect(session?.attributes).toEqual({ "mcp.protocol.version": "2025-11-25", "error.type": "RangeError" });
});

test.each([
  [{ tracerProvider: {} }, /tracerProvider/],
  [{ meterProvider: {} }, /meterProvider/],
  [{ propagator: {} }, /propagator/],
])("the options %j are rejected", (options, message) => {
  expect(() => openTelemetry(options as OpenTelemetryOptions)).toThrow(message);
});

test.each([[openTelemetry], [{}]])("the value %o is rejected as telemetry", (telemetry) => {
  const options = { telemetry: telemetry as never };
  const message = expect.stringMatching(/^telemetry must be what openTelemetry\(\) returns; got/) as string;
  for (const create of [createServer, createClient])
    expect(() => create(options)).toThrow(expect.objectContaining({ code: "INVALID_CONFIGURATION", message }) as Error);
});

test("a request that a stateless client refuses ends", async () => {
  const recorder = new Recorder();
  const { client } = await connected(recorder, { era: "stateless" });
  client.connection.transport.onmessage?.({ jsonrpc: "2.0", id: 1, method: "roots/list" });
  expect(recorder.spans.map(label)).toContain("< roots/list");
  expect(recorder.span("< roots/list").attributes["error.type"]).toBe("INVALID_MESSAGE");
});

test("requests of one batch have spans of their own", async () => {
  const { recorder, near } = await observed();
  const clientInfo = { name: "c", version: "1" };
  near.send({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-03-26", capabilities: {}, clientInfo },
  });
  near.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  near.send([
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "add", arguments: { a: 1, b: 2 } } },
    { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "fail" } },
  ]);
  await vi.waitFor(() => {
    expect(recorder.span("< tools/call add").attributes["mcp.protocol.version"]).toBe("2025-03-26");
    expect(recorder.span("< tools/call fail").attributes["error.type"]).toBe("tool_error");
  });
});
