import { describe, expect, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { clientInfo, clientSide, connectClient, R4, R5, serverInfo } from "../connection/connection-ends.js";
import { error, idle, notification, request, result, Wire } from "../connection/wire.js";
import { abandon } from "../../support/abandon.js";

const welcome = (protocolVersion: string): object => ({ protocolVersion, capabilities: { tools: {} }, serverInfo });

describe("a client", () => {
  test("connects once at a time, and can connect again after its end", async () => {
    const { client, wire } = await connectClient(R4);
    await expect(client.connect(new Wire())).rejects.toMatchObject({ code: "ALREADY_CONNECTED" });
    wire.break();
    expect(client.getNegotiatedProtocolVersion()).toBeUndefined();
    const again = new Wire();
    const connected = client.connect(again);
    again.receive(result((await again.next()).id ?? "", welcome(R4)));
    await connected;
    expect(client.getNegotiatedProtocolVersion()).toBe(R4);
  });

  test.each([R4, R5])("of %s that is closed while it subscribes to changes is not connected", async (revision) => {
    const wire = new Wire();
    const client = new Client(clientInfo, { revisions: [clientSide(revision)] });
    await client.subscribeResource({ uri: "a:b" }, () => undefined);
    const connected = client.connect(wire);
    const capabilities = { resources: { subscribe: true } };
    const answer = { ...welcome(revision), resultType: "complete", supportedVersions: [revision], capabilities };
    wire.receive(result((await wire.next()).id ?? "", answer));
    expect((await wire.rest()).at(-1)?.method).toMatch(/subscri/);
    await client.close();
    await expect(connected).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });

  test("does not hold an aborted call until the renegotiation ends", async () => {
    const { client, wire } = await connectClient(R5);
    const calling = new AbortController();
    const called = client.callTool({ name: "t" }, { signal: calling.signal });
    wire.receive(error((await wire.next()).id ?? "", -32022, "no", { supported: [R5] }));
    expect(await wire.next()).toMatchObject({ method: "server/discover" });
    calling.abort(new Error("enough"));
    await expect(called).rejects.toThrow("enough");
  });

  test.each([undefined, new Error("crashed")])("calls onclose once: %s", async (cause) => {
    const ends: unknown[] = [];
    const { client, wire } = await connectClient(R4, { onclose: (problem) => ends.push(problem) });
    wire.break(cause);
    wire.break();
    await client.close();
    expect(ends).toEqual([cause]);
  });

  test.each([
    [R4, "ping"],
    [R5, "server/discover"],
  ])("of %s checks whether its server is alive, with %s", async (revision, method) => {
    const { client, wire } = await connectClient(revision);
    const alive = client.isAlive();
    const { id = "", ...asked } = await wire.next();
    expect(asked.method).toBe(method);
    wire.receive(result(id));
    expect(await alive).toBe(true);
    expect(await client.isAlive({ timeoutMs: 5 })).toBe(false);
  });

  test("sends the log level in each request of the stateless era", async () => {
    const { client, wire } = await connectClient(R5);
    await client.setLoggingLevel("warning");
    abandon(client.callTool({ name: "t" }));
    expect((await wire.next()).params?._meta).toMatchObject({ "io.modelcontextprotocol/logLevel": "warning" });
    const other = await connectClient(R4, {}, { logging: {}, tools: {} });
    abandon(other.client.setLoggingLevel("warning"));
    expect(await other.wire.next()).toEqual(request(2, "logging/setLevel", { level: "warning" }));
  });

  test("notifies the server of changed roots only if it declared that, and the revision has it", async () => {
    const root = { uri: "file:///a" };
    const changed = notification("notifications/roots/list_changed");
    for (const [revision, roots, told] of [
      [R4, { listChanged: true }, [changed, changed]],
      [R4, {}, []],
      [R5, { listChanged: true }, []],
    ] as const) {
      const { client, wire } = await connectClient(revision, { capabilities: { roots } });
      client.addRoot(root);
      client.removeRoot(root.uri);
      client.removeRoot(root.uri);
      expect(await wire.rest()).toEqual(told);
    }
  });

  test("responds to roots/list with its current roots", async () => {
    const { client, wire } = await connectClient(R4, { capabilities: { roots: {} } });
    expect(await wire.ask(1, "roots/list")).toEqual(result(1, { roots: [] }));
    client.addRoot({ uri: "file:///a", name: "A" });
    expect(await wire.ask(2, "roots/list")).toEqual(result(2, { roots: [{ uri: "file:///a", name: "A" }] }));
    await idle();
  });

  test("forwards a request of the stateless era as one of its own revision", async () => {
    const { client, wire } = await connectClient(R4);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": R5,
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "other", version: "1.0.0" },
      "io.modelcontextprotocol/logLevel": "debug",
      traceparent: "00-1-2-01",
    };
    abandon(client.callTool({ name: "t", _meta }));
    expect((await wire.next()).params?._meta).toEqual({ traceparent: "00-1-2-01" });
    abandon(client.listTools({}, { meta: _meta }));
    expect((await wire.next()).params?._meta).toEqual({ traceparent: "00-1-2-01" });
  });

  test("sends no progress token that another of its pending requests uses", async () => {
    const { client, wire } = await connectClient(R4);
    const call = (_meta: object): Promise<unknown> => client.callTool({ name: "t", _meta });
    const first = call({ progressToken: "p" });
    await expect(call({ progressToken: "p" })).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
    abandon(call({ progressToken: "q" }));
    const sent = await wire.rest();
    expect(sent.map(({ params }) => params?._meta?.["progressToken"])).toEqual(["p", "q"]);
    // A number could be a token that the connection assigns to a later request.
    await expect(call({ progressToken: 50 })).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
    wire.receive(result(sent[0]?.id ?? "", { content: [] }));
    await first;
    abandon(call({ progressToken: "p" }));
    expect((await wire.next()).params?._meta).toEqual({ progressToken: "p" });
  });
});
