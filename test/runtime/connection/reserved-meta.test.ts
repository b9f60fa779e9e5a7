/** Problems are reported once per process and method, so each test has its own methods. */
import { describe, expect, test } from "vitest";
import { McpServer } from "../../../runtime/src/server.js";
import { connect, info, settled, text } from "../api/pair.js";

const own = { "com.example/a": 1, traceparent: "00", plain: 2 };

function serving(meta: object) {
  const errors: Error[] = [];
  const server = new McpServer(info, { onerror: (error) => errors.push(error) });
  const _meta = meta as Record<string, unknown>;
  server.registerTool("t", { _meta }, () => ({ ...text("ok"), _meta }));
  server.registerResource("r", "x:r", { _meta }, () => ({ contents: [{ uri: "x:r", text: "" }] }));
  return { server, errors };
}

const isReported = (method: string, key: string) => ({
  name: "SdkError",
  code: "INVALID_CONFIGURATION",
  message: expect.stringMatching(new RegExp(`^${method}: the _meta key "${key}" is malformed or reserved`)) as string,
});

describe("keys of _meta", () => {
  test("of one's own, and those of a forwarded request, are not reported", async () => {
    const forwarded = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
    const { server, errors } = serving(own);
    const { client, problems } = await connect(server, "2026-07-28");
    await client.listTools();
    await client.callTool({ name: "t" }, { meta: { ...own, ...forwarded } });
    expect([...errors, ...problems]).toEqual([]);
  });

  test("that the server adds to the result of a stream of changes are not reported", async () => {
    const { server, errors } = serving({});
    const { client, wire } = await connect(server, "2026-07-28");
    client.onChanged("tools", () => undefined);
    await settled();
    await server.close();
    await settled();
    const subscription = { "io.modelcontextprotocol/subscriptionId": expect.anything() as unknown };
    expect(wire.filter(({ result }) => result)).toContainEqual(
      expect.objectContaining({
        result: expect.objectContaining({ _meta: expect.objectContaining(subscription) as unknown }) as unknown,
      }),
    );
    expect(errors).toEqual([]);
  });

  test("that no revision reserves are not reported", async () => {
    const { server, errors } = serving({ "io.modelcontextprotocol/x": 1, "!": 1 });
    const { client } = await connect(server, "2025-03-26");
    await client.listTools();
    await client.callTool({ name: "t" });
    expect(errors).toEqual([]);
  });

  test("that are reserved or malformed are reported once per method, and sent", async () => {
    const { server, errors } = serving({ ...own, "io.modelcontextprotocol/x": 1 });
    const { client } = await connect(server, "2026-07-28");
    for (let round = 0; round < 2; round++) {
      await client.listTools();
      const { _meta } = await client.callTool({ name: "t" });
      expect(_meta).toMatchObject({ ...own, "io.modelcontextprotocol/x": 1 });
    }
    expect(errors).toMatchObject([
      isReported("tools/list", "io.modelcontextprotocol/x"),
      isReported("tools/call", "io.modelcontextprotocol/x"),
    ]);
    const malformed = serving({ "a b": 1 });
    const other = await connect(malformed.server, "2025-11-25");
    await other.client.listResources();
    expect(malformed.errors).toMatchObject([isReported("resources/list", "a b")]);
  });

  test("in the option meta of a client's call are reported, too", async () => {
    const { server, errors } = serving({});
    const { client, problems } = await connect(server, "2025-11-25");
    for (let round = 0; round < 2; round++)
      await client.readResource({ uri: "x:r" }, { meta: { "dev.mcp/x": 1, ...own } });
    expect(problems).toMatchObject([isReported("resources/read", "dev.mcp/x")]);
    expect(errors).toEqual([]);
  });
});
