/** Over standard input and output. */
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { openTelemetry } from "../../../runtime/src/otel.js";
import { StdioServerTransport } from "../../../runtime/src/stdio.js";
import { stdio } from "../../conversations/transports.js";
import { createClient, createServer, eras } from "./programs.js";
import { Recorder, useGlobals } from "./recorder.js";

useGlobals();

test.each(eras)("a %s client of a process", async (era) => {
  const recorder = new Recorder();
  const client = createClient({ telemetry: openTelemetry(recorder) });
  await client.connect(await stdio.server("calculator"), { era });
  onTestFinished(() => client.close());
  await client.listTools();
  const { attributes, status } = recorder.span("> tools/list");
  expect(attributes).toMatchObject({ "network.transport": "pipe" });
  expect(Object.keys(attributes).filter((key) => /^network\.protocol|^server\./.test(key))).toEqual([]);
  expect(status.code).toBe(0);
});

test("a server, in the trace of its client", async () => {
  const recorder = new Recorder();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = createServer({ telemetry: openTelemetry(recorder) });
  await server.connect(new StdioServerTransport(input, output));
  onTestFinished(() => server.close(0));
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  };
  const request = { jsonrpc: "2.0", id: "one", method: "resources/read", params: { uri: "note://one", _meta } };
  input.write(`${JSON.stringify(request)}\n`);
  await once(output, "data");
  const span = recorder.span("< resources/read");
  expect(span.parentSpanContext).toMatchObject({ spanId: "00f067aa0ba902b7", isRemote: true });
  expect(span.attributes).toEqual({
    "jsonrpc.request.id": "one",
    "mcp.method.name": "resources/read",
    "mcp.protocol.version": "2026-07-28",
    "mcp.resource.uri": "note://one",
    "network.transport": "pipe",
  });
});
