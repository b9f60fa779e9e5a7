/** The context of traces in `_meta`: the messages of one call are one tree. */
import { context, type Context, propagation, trace } from "@opentelemetry/api";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { openTelemetry } from "../../../runtime/src/otel.js";
import { tasks } from "../../../runtime/src/tasks.js";
import { tasks as clientTasks } from "../../../runtime/src/tasks/client.js";
import { connected, createClient, createServer, eras, reach, ways } from "./programs.js";
import { label, Recorder, useGlobals } from "./recorder.js";

useGlobals();

const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

/** The ids of all traces that contain one of these messages. */
function tracesOf(recorder: Recorder, name: RegExp): readonly string[] {
  return [...new Set(recorder.spans.filter((span) => name.test(span.name)).map((span) => span.spanContext().traceId))];
}

describe.each(eras)("%s", (era) => {
  describe.each(ways)("%s", (way) => {
    test("a call, its question, its progress and a nested call are one tree", async () => {
      const recorder = new Recorder();
      const inner = await connected(recorder, { era, way });
      const telemetry = openTelemetry(recorder);
      const outer = createServer({ telemetry });
      outer.registerTool("delegate", {}, async (call) => {
        const { content } = await call.elicit("name", {
          message: "Who?",
          requestedSchema: { type: "object", properties: { name: { type: "string" } } },
        });
        call.progress({ progress: 1 });
        await inner.client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
        return { content: [{ type: "text", text: String(content?.["name"]) }] };
      });
      const client = createClient({ telemetry });
      client.setRequestHandler("elicitation/create", () => {
        recorder.tracerProvider.getTracer("program").startSpan("ask user").end();
        return { action: "accept", content: { name: "Ada" } };
      });
      await client.connect(await reach(outer, way), { era });
      onTestFinished(() => client.close());
      await recorder.within("task", () => client.callTool({ name: "delegate" }, { onProgress: () => undefined }));
      await vi.waitFor(() => {
        recorder.span("> tools/call add");
        recorder.span("< notifications/progress");
      });
      const tree = recorder.tree();
      expect(tree.slice(tree.search(/^task$/m))).toBe(
        era === "handshake"
          ? `task
  > tools/call delegate
    < tools/call delegate
      > elicitation/create
        < elicitation/create
          ask user
      > notifications/progress
        < notifications/progress
      > tools/call add
        < tools/call add`
          : `task
  > tools/call delegate
    < tools/call delegate
      > elicitation/create
      > notifications/progress
        < notifications/progress
      > tools/call add
        < tools/call add
    < elicitation/create
      ask user
  > tools/call delegate
    < tools/call delegate`,
      );
    });

    test("without a span of the program, a call and its retry are one tree, too", async () => {
      const recorder = new Recorder();
      const { client } = await connected(recorder, { era, way });
      await client.callTool({ name: "greet" });
      expect(tracesOf(recorder, /tools\/call|elicitation/)).toHaveLength(1);
    });

    test("one side can observe without the other", async () => {
      const [ofClient, ofServer] = [new Recorder(), new Recorder()];
      const { client } = await connected(ofClient, { era, way }, { server: { telemetry: undefined } });
      const other = await connected(ofServer, { era, way }, { client: { telemetry: undefined } });
      for (const one of [client, other.client])
        expect((await one.callTool({ name: "greet" })).content).toEqual([{ type: "text", text: "Hello, Ada" }]);
      expect(ofClient.spans.map(label)).toContain("> tools/call greet");
      expect(ofServer.spans.map(label)).toContain("< tools/call greet");
    });
  });

  test("the span and the baggage that a program has put into _meta are kept", async () => {
    const recorder = new Recorder();
    const { client, server } = await connected(recorder, { era });
    const seen: unknown[] = [];
    server.registerTool("look", {}, () => {
      seen.push(propagation.getActiveBaggage()?.getEntry("user")?.value);
      return { content: [] };
    });
    await client.callTool({ name: "look" }, { meta: { traceparent: parent, baggage: "user=ada" } });
    expect(recorder.span("> tools/call look").spanContext().traceId).toBe(traceId);
    expect(recorder.span("< tools/call look").parentSpanContext?.spanId).toBe(
      recorder.span("> tools/call look").spanContext().spanId,
    );
    expect(seen).toEqual(["ada"]);
  });

  test("the span of the program takes precedence over one in _meta, and stale fields go", async () => {
    const recorder = new Recorder();
    const metas: Record<string, unknown>[] = [];
    const { client, server } = await connected(recorder, { era });
    server.registerTool("look", {}, ({ _meta }) => {
      metas.push(_meta);
      return { content: [] };
    });
    const meta = { traceparent: parent, tracestate: "vendor=1", "com.example/own": 1 };
    await recorder.within("task", () => client.callTool({ name: "look" }, { meta }));
    expect(metas[0]).not.toHaveProperty("tracestate");
    expect(metas[0]).toMatchObject({ "com.example/own": 1 });
    expect(recorder.span("> tools/call look").parentSpanContext?.spanId).toBe(
      recorder.span("task").spanContext().spanId,
    );
  });

  test("without a tracer, the context passes through", async () => {
    const metas: Record<string, unknown>[] = [];
    const { client, server } = await connected({}, { era });
    server.registerTool("look", {}, ({ traceContext }) => {
      metas.push(traceContext);
      return { content: [] };
    });
    const whole = { traceparent: parent, tracestate: "vendor=1", baggage: "user=ada" };
    await client.callTool({ name: "look" }, { meta: whole });
    expect(metas).toEqual([whole]);
  });

  test("a propagator of the program has fields of its own", async () => {
    const recorder = new Recorder();
    const propagator = {
      fields: () => ["com.example/span"],
      inject: (from: Context, carrier: unknown, setter: { set(to: unknown, key: string, value: string): void }) => {
        setter.set(carrier, "com.example/span", trace.getSpanContext(from)?.spanId ?? "");
      },
      extract: (from: Context, carrier: unknown, getter: { get(of: unknown, key: string): unknown }) => {
        const spanId = getter.get(carrier, "com.example/span");
        return typeof spanId === "string" ? trace.setSpanContext(from, { traceId, spanId, traceFlags: 1 }) : from;
      },
    };
    const metas: Record<string, unknown>[] = [];
    const { client, server } = await connected({ ...recorder.providers, propagator }, { era });
    server.registerTool("look", {}, ({ _meta }) => {
      metas.push(_meta);
      return { content: [] };
    });
    await client.callTool({ name: "look" });
    const sent = recorder.span("> tools/call look");
    expect(metas[0]).toMatchObject({ "com.example/span": sent.spanContext().spanId });
    expect(metas[0]).not.toHaveProperty("traceparent");
    expect(recorder.span("< tools/call look").parentSpanContext?.spanId).toBe(sent.spanContext().spanId);
  });

  test.each([17, null, ["a"], { a: 1 }, "", "00-0-0-0", "x".repeat(10_000)])(
    "a traceparent %j is ignored",
    async (traceparent) => {
      const recorder = new Recorder();
      const { client } = await connected(recorder, { era }, { client: { telemetry: undefined } });
      await client.callTool(
        { name: "add", arguments: { a: 1, b: 2 } },
        { meta: { traceparent, baggage: traceparent } },
      );
      expect(recorder.span("< tools/call add").status.code).toBe(0);
    },
  );

  test("the span of the HTTP server is linked", async () => {
    const recorder = new Recorder();
    const { client } = await connected(recorder, { era }, {});
    // In memory, the server gets a message in the context of its sender, as it would in that of an HTTP server.
    const foreign = { traceId, spanId: "00f067aa0ba902b7", traceFlags: 1 };
    const { connection } = client;
    const send = connection.transport.send.bind(connection.transport);
    connection.transport.send = (...all) =>
      context.with(trace.setSpanContext(context.active(), foreign), () => send(...all));
    await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
    const received = recorder.span("< tools/call add");
    expect(received.parentSpanContext?.spanId).toBe(recorder.span("> tools/call add").spanContext().spanId);
    expect(received.links.map((link) => link.context.spanId)).toEqual([foreign.spanId]);
  });

  test("a retry is linked to the request that it continues", async () => {
    const recorder = new Recorder();
    const { client } = await connected(recorder, { era });
    await recorder.within("task", () => client.callTool({ name: "greet" }));
    for (const way of [">", "<"]) {
      const [first, second] = recorder.spans.filter((span) => label(span) === `${way} tools/call greet`);
      if (era === "handshake") expect(second).toBeUndefined();
      else expect(second?.links.map((link) => link.context.spanId)).toEqual([first?.spanContext().spanId]);
    }
  });

  test("tools that run as tasks belong to the trace of their call", async () => {
    const recorder = new Recorder();
    const telemetry = openTelemetry(recorder);
    const server = createServer({ telemetry, extensions: [tasks()] });
    server.registerTool("build", { task: "required" }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      recorder.tracerProvider.getTracer("program").startSpan("compile").end();
      return { content: [] };
    });
    const client = createClient({ telemetry, extensions: [clientTasks()] });
    await client.connect(await reach(server, "in memory"), { era });
    onTestFinished(() => client.close());
    await recorder.within("task", () => client.callTool({ name: "build" }));
    await vi.waitFor(() => {
      recorder.span("compile");
    });
    const [call] = recorder.spans.filter((span) => label(span) === "< tools/call build");
    expect(recorder.span("compile").parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
    expect(tracesOf(recorder, /^tasks\/|tools\/call/)).toEqual([recorder.span("task").spanContext().traceId]);
  });
});

test("notifications of a stream are linked to the request that opened it", async () => {
  const recorder = new Recorder();
  const { client, server } = await connected(recorder, { era: "stateless" });
  const changed = vi.fn();
  await client.subscribeResource({ uri: "note://one" }, changed);
  await recorder.within("change", () => {
    server.sendResourceUpdated({ uri: "note://one" });
    return Promise.resolve();
  });
  await vi.waitFor(() => {
    recorder.span("< notifications/resources/updated");
  });
  await client.close();
  const sent = recorder.span("> notifications/resources/updated");
  expect(sent.parentSpanContext?.spanId).toBe(recorder.span("change").spanContext().spanId);
  expect(sent.links.map((link) => link.context.spanId)).toEqual([
    recorder.span("< subscriptions/listen").spanContext().spanId,
  ]);
  const received = recorder.span("< notifications/resources/updated");
  expect(received.links.map((link) => link.context.spanId)).toContain(
    recorder.span("> subscriptions/listen").spanContext().spanId,
  );
});

test("a call that another node continues is one tree", async () => {
  const recorder = new Recorder();
  const telemetry = openTelemetry(recorder);
  const backplane = new MemoryBackplane();
  const stateKeys = [{ id: "k", key: new Uint8Array(32).fill(7) }];
  const nodes = await Promise.all(
    [1, 2].map(async () => {
      const transport = await reach(createServer({ telemetry, backplane, stateKeys }), "over HTTP");
      return new URL((transport as StreamableHTTPClientTransport).serverId);
    }),
  );
  let posts = 0;
  const transport = new StreamableHTTPClientTransport("http://cluster.example/mcp", {
    // Every request goes to the next node.
    fetch: (_url, init) => fetch(String(nodes[posts++ % nodes.length]), init),
  });
  const client = createClient({ telemetry });
  await client.connect(transport, { era: "stateless" });
  onTestFinished(() => client.close());
  await recorder.within("task", () => client.callTool({ name: "greet" }));
  expect(posts).toBeGreaterThan(2);
  expect(recorder.tree().replace(/[^]*^task$/m, "task")).toBe(`task
  > tools/call greet
    < tools/call greet
      > elicitation/create
    < elicitation/create
  > tools/call greet
    < tools/call greet
    < tools/call greet`);
});
