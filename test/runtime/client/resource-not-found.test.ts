import { describe, expect, test } from "vitest";
import { RemoteResourceNotFoundError } from "../../../runtime/src/client.js";
import { ProtocolError, RemoteError } from "../../../runtime/src/index.js";
import { McpServer, Server } from "../../../runtime/src/server.js";
import { connect, info, revisions } from "../api/pair.js";

const uri = "file:///gone";

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** A server whose reads fail with an error. */
function failing(error: Error): Server {
  const server = new Server(info, { capabilities: { resources: {}, tools: {} } });
  server.handle({ "resources/read": () => Promise.reject(error), "tools/call": () => Promise.reject(error) });
  return server;
}

describe.each(revisions)("%s: a resource that the server does not have", (revision) => {
  const older = revision !== "2026-07-28";

  test("is one error for callers", async () => {
    const server = new McpServer(info);
    server.registerResource("a", "file:///a", {}, () => ({ contents: [] }));
    const { client } = await connect(server, revision);
    const error = await errorOf(client.readResource({ uri }));
    expect(error).toBeInstanceOf(RemoteResourceNotFoundError);
    expect(error).toBeInstanceOf(RemoteError);
    expect(error).toMatchObject({
      name: "RemoteResourceNotFoundError",
      code: -32602,
      message: "Resource not found",
      uri,
      data: { uri },
      cause: { code: older ? -32002 : -32602 },
    });
  });

  test("has the code of the revision, if a handler uses that of 2026-07-28 and the URI", async () => {
    const { client, wire } = await connect(failing(new ProtocolError(-32602, "gone", { uri, why: "sold" })), revision);
    expect(await errorOf(client.readResource({ uri }))).toBeInstanceOf(RemoteResourceNotFoundError);
    expect(wire.at(-1)?.error).toEqual({ code: older ? -32002 : -32602, message: "gone", data: { uri, why: "sold" } });
  });

  test.each([
    ["another URI", new ProtocolError(-32602, "bad", { uri: "file:///b" })],
    ["no URI", new ProtocolError(-32602, "bad")],
    ["another code", new ProtocolError(-32000, "bad", { uri })],
  ])("is not meant by an error with %s", async (_name, thrown) => {
    const { client } = await connect(failing(thrown), revision);
    const error = await errorOf(client.readResource({ uri }));
    expect(error).not.toBeInstanceOf(RemoteResourceNotFoundError);
    expect(error).toMatchObject({ name: "RemoteError", code: thrown.code });
  });

  test("is not meant by errors of other requests", async () => {
    const { client } = await connect(failing(new ProtocolError(-32602, "bad", { uri })), revision);
    const error = await errorOf(client.callTool({ name: "t" }));
    expect(error).not.toBeInstanceOf(RemoteResourceNotFoundError);
    expect(error).toMatchObject({ code: -32602, data: { uri } });
  });
});

test("2026-07-28: a server that still has the older code means the same", async () => {
  const { client } = await connect(new Server(info, { capabilities: { resources: {} } }), "2026-07-28");
  client.connection.request = () => Promise.reject(new RemoteError(-32002, "gone"));
  expect(await errorOf(client.readResource({ uri }))).toMatchObject({ name: "RemoteResourceNotFoundError", uri });
});
