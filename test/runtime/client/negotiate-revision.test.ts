import { describe, expect, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { InMemoryTransport } from "../../../runtime/src/transport/in-memory.js";
import { Server } from "../../../runtime/src/server.js";
import {
  all,
  capabilitiesKey,
  clientInfo,
  clientSide,
  discovered,
  handshakeEra,
  infoKey,
  serverInfoKey,
  R1,
  R2,
  R3,
  R4,
  R5,
  serverInfo,
  serverSide,
  versionKey,
} from "../connection/connection-ends.js";
import { error, notification, request, result, Wire } from "../connection/wire.js";
import { abandon } from "../../support/abandon.js";

function subsets<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: 2 ** items.length - 1 }, (_, bits) =>
    items.filter((_, index) => ((bits + 1) >> index) & 1),
  );
}

/** What the specification has a client and a server agree on. */
function agreed(client: readonly string[], server: readonly string[]): string {
  if (client.includes(R5) && server.includes(R5)) return R5;
  const [ours, theirs] = [client, server].map((revisions) => revisions.filter((one) => one !== R5)) as [
    string[],
    string[],
  ];
  const asked = ours.at(-1);
  const answer = asked !== undefined && theirs.includes(asked) ? asked : theirs.at(-1);
  return answer !== undefined && ours.includes(answer) ? answer : "NO_COMMON_REVISION";
}

describe("what client and server agree on", () => {
  test.each(subsets(all).map((ours) => [ours.join("+"), ours] as const))("%s, with every server", async (_, ours) => {
    const outcomes: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const theirs of subsets(all)) {
      const server = new Server(serverInfo, { revisions: theirs.map(serverSide), capabilities: { tools: {} } });
      server.handle({ "tools/list": () => ({ tools: [] }) });
      const client = new Client(clientInfo, { revisions: ours.map(clientSide) });
      const [near, far] = InMemoryTransport.createLinkedPair();
      await server.connect(far);
      const name = theirs.join("+");
      expected[name] = agreed(ours, theirs);
      try {
        await client.connect(near);
        outcomes[name] = client.getNegotiatedProtocolVersion() ?? "none";
        // What was agreed on is what is spoken.
        expect((await client.listTools()).tools).toEqual([]);
        await client.close();
      } catch (problem) {
        outcomes[name] = (problem as { code: string }).code;
      }
      expect(server.connections.size).toBe(0);
    }
    expect(outcomes).toEqual(expected);
  });
});

/** A client that begins to connect to the test. */
function connecting(revisions: readonly string[], options: Parameters<Client["connect"]>[1] = {}, capabilities = {}) {
  const client = new Client(clientInfo, { revisions: revisions.map(clientSide), capabilities });
  const wire = new Wire();
  const connected = client.connect(wire, options);
  connected.catch(() => undefined);
  return { client, wire, connected };
}

const welcome = (protocolVersion: string, more: object = {}): object => ({
  protocolVersion,
  capabilities: { tools: {} },
  serverInfo,
  ...more,
});

describe("by handshake", () => {
  test.each(handshakeEra)("%s: initialize, with all that the client is; then initialized", async (revision) => {
    const capabilities = { roots: { listChanged: true }, sampling: {}, experimental: { a: { b: 1 } } };
    const { client, wire, connected } = connecting([revision], {}, capabilities);
    expect(await wire.next()).toEqual(
      request(1, "initialize", { protocolVersion: revision, capabilities, clientInfo }),
    );
    expect(await wire.rest()).toEqual([]);
    wire.receive(result(1, welcome(revision, { instructions: "be kind", later: 1 })));
    await connected;
    expect(wire.take()).toEqual([notification("notifications/initialized")]);
    expect([
      client.getNegotiatedProtocolVersion(),
      client.getServerCapabilities(),
      client.getServerVersion(),
      client.getInstructions(),
      client.era,
    ]).toEqual([revision, { tools: {} }, serverInfo, "be kind", "handshake"]);
  });

  test("sends the newest it has, and takes an older one that it has", async () => {
    const { client, wire, connected } = connecting([R1, R3, R2]);
    expect((await wire.next()).params).toMatchObject({ protocolVersion: R3 });
    wire.receive(result(1, welcome(R1)));
    await connected;
    expect(client.getNegotiatedProtocolVersion()).toBe(R1);
  });

  test.each<[string, object, unknown]>([
    ["a version that is not its own", result(1, welcome(R4)), "NO_COMMON_REVISION"],
    ["a version of the stateless era", result(1, welcome(R5)), "NO_COMMON_REVISION"],
    ["a version that there is not", result(1, welcome("1.0.0")), "NO_COMMON_REVISION"],
    ["no version", result(1, { capabilities: {}, serverInfo }), "INVALID_RESULT"],
    ["no capabilities", result(1, { protocolVersion: R3, serverInfo }), "INVALID_RESULT"],
    ["nothing", result(1, {}), "INVALID_RESULT"],
    ["a refusal", error(1, -32603), -32603],
    [
      "a refusal that names versions it does not have",
      error(1, -32602, "Unsupported protocol version", { supported: ["1.0.0"], requested: R3 }),
      "NO_COMMON_REVISION",
    ],
  ])("ends with %s: no initialized, and the transport is closed", async (_, answer, code) => {
    const { client, wire, connected } = connecting([R3, R1]);
    await wire.next();
    wire.receive(answer);
    await expect(connected).rejects.toMatchObject({ code });
    expect(wire.take()).toEqual([]);
    expect(wire.isClosed).toBe(true);
    expect(client.getNegotiatedProtocolVersion()).toBeUndefined();
    expect(() => client.connection).toThrow("not connected");
  });

  test("a server that insists on a version of its own is asked for that, once", async () => {
    const refusal = { supported: [R5, R1, R2, "1.0.0"], requested: R4 };
    const { client, wire, connected } = connecting([R4, R2, R1]);
    await wire.next();
    wire.receive(error(1, -32602, "Unsupported protocol version", refusal));
    expect(await wire.next()).toMatchObject({ id: 2, method: "initialize", params: { protocolVersion: R2 } });
    wire.receive(result(2, welcome(R2)));
    await connected;
    expect(client.getNegotiatedProtocolVersion()).toBe(R2);
    const again = connecting([R4, R2]);
    await again.wire.next();
    again.wire.receive(error(1, -32602, "no", refusal));
    await again.wire.next();
    again.wire.receive(error(2, -32602, "no", refusal));
    await expect(again.connected).rejects.toMatchObject({ code: -32602 });
    expect(again.wire.take()).toEqual([]);
  });

  test("a server that refuses unknown versions, and has another one", async () => {
    const server = new Server(serverInfo, { revisions: [serverSide(R1)], rejectUnknownVersions: true });
    const client = new Client(clientInfo, { revisions: all.map(clientSide) });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    expect(client.getNegotiatedProtocolVersion()).toBe(R1);
    await client.close();
  });

  test.each([{ completions: true }, { tasks: true }])(
    "an answer is judged by the revision it names: %j",
    async (more) => {
      const { client, wire, connected } = connecting([R4, R1]);
      await wire.next();
      wire.receive(result(1, welcome(R1, { capabilities: { tools: {}, ...more } })));
      await connected;
      expect([client.getNegotiatedProtocolVersion(), client.getServerCapabilities()]).toEqual([
        R1,
        { tools: {}, ...more },
      ]);
    },
  );

  test("says nothing but initialize before the answer, and answers pings meanwhile", async () => {
    const { client, wire, connected } = connecting([R3]);
    await wire.next();
    expect(await wire.ask("p", "ping")).toEqual(result("p"));
    await expect(client.listTools()).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    wire.receive(result(1, welcome(R3)));
    await connected;
    expect(wire.take()).toEqual([notification("notifications/initialized")]);
  });

  test("gives up in its time, without cancelling", async () => {
    const { wire, connected } = connecting([R3], { timeoutMs: 5 });
    await wire.next();
    await expect(connected).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
    expect(wire.take()).toEqual([]);
    expect(wire.isClosed).toBe(true);
  });

  test("fails when the server goes away", async () => {
    const { wire, connected } = connecting([R3]);
    await wire.next();
    wire.break(new Error("crashed"));
    await expect(connected).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });
});

/** A result of discovery with something wrong in it. */
const faulty = (members: object): object => result(1, { ...discovered([R5]), ...members });

describe("by discovery", () => {
  test("a time to keep the result that is none does no harm", async () => {
    const { client, wire, connected } = connecting([R5, R4]);
    await wire.next();
    wire.receive(faulty({ ttlMs: -1 }));
    await connected;
    expect(client.getNegotiatedProtocolVersion()).toBe(R5);
  });

  test("pings are answered until something is agreed on", async () => {
    const { client, wire, connected } = connecting([R5, R1]);
    await wire.next();
    expect(await wire.ask("p", "ping")).toEqual(result("p"));
    wire.receive(error(1, -32601));
    const { id = "" } = await wire.next();
    wire.receive(result(id, welcome(R1)));
    await connected;
    expect(client.getNegotiatedProtocolVersion()).toBe(R1);
  });

  test("a slow server that answers the probe first, and then the handshake, is of this era", async () => {
    const { client, wire, connected } = connecting([R5, R3], { probeTimeoutMs: 5 });
    await wire.next();
    const { id = "" } = await wire.next();
    wire.receive(result(1, discovered([R5, R3])));
    wire.receive(result(id, welcome(R3)));
    await connected;
    expect([client.getNegotiatedProtocolVersion(), client.era]).toEqual([R5, "stateless"]);
    expect(await wire.rest()).toEqual([]);
  });

  test("the first request says version, capabilities and client, as every later one", async () => {
    const capabilities = { roots: {}, extensions: { "com.example/x": { on: true } } };
    const { client, wire, connected } = connecting([R5], {}, capabilities);
    const _meta = { [versionKey]: R5, [capabilitiesKey]: capabilities, [infoKey]: clientInfo };
    expect(await wire.next()).toEqual(request(1, "server/discover", { _meta }));
    wire.receive(result(1, discovered([R5, R4], { tools: {} })));
    await connected;
    expect(wire.take()).toEqual([]);
    expect([client.getNegotiatedProtocolVersion(), client.era]).toEqual([R5, "stateless"]);
    abandon(client.callTool({ name: "t", arguments: { a: 1 } }));
    expect(await wire.next()).toEqual(request(2, "tools/call", { name: "t", arguments: { a: 1 }, _meta }));
  });

  test.each<[string, readonly string[], object, unknown]>([
    ["versions that the client has not", [R5], result(1, discovered(["2099-01-01"])), "NO_COMMON_REVISION"],
    ["handshake-era versions alone, to one that has none", [R5], result(1, discovered([R4])), "NO_COMMON_REVISION"],
    [
      "a refusal that names other versions",
      [R5],
      error(1, -32022, "no", { supported: ["2099-01-01"], requested: R5 }),
      "NO_COMMON_REVISION",
    ],
    ["a method that is unknown, to one that has no handshake", [R5], error(1, -32601), "NO_COMMON_REVISION"],
    ["a missing capability", [R5, R4], error(1, -32021, "no", { requiredCapabilities: {} }), -32021],
    ["a refusal that names no versions", [R5, R4], error(1, -32022), -32022],
    ["a malformed name", [R5, R4], faulty({ _meta: { [serverInfoKey]: { name: 5 } } }), "INVALID_RESULT"],
    ["malformed capabilities", [R5, R4], faulty({ capabilities: { tools: true } }), "INVALID_RESULT"],
  ])("ends with %s", async (_, revisions, answer, code) => {
    const { wire, connected } = connecting(revisions);
    await wire.next();
    wire.receive(answer);
    await expect(connected).rejects.toMatchObject({ code });
    expect(wire.isClosed).toBe(true);
    expect(wire.take()).toEqual([]);
  });

  test.each<[string, object]>([
    ["a method that is unknown", error(1, -32601)],
    ["params that are wrong", error(1, -32602)],
    ["a refusal of its own", error(1, -32000, "Server not initialized")],
    ["a result that is none", result(1, {})],
    ["a refusal that names versions of the handshake era", error(1, -32022, "no", { supported: [R3], requested: R5 })],
    ["versions of the handshake era", result(1, discovered([R3]))],
  ])("%s leads to the handshake, on the same connection", async (_, answer) => {
    const { client, wire, connected } = connecting([R5, R3]);
    await wire.next();
    wire.receive(answer);
    expect(await wire.next()).toEqual(request(2, "initialize", { protocolVersion: R3, capabilities: {}, clientInfo }));
    wire.receive(result(2, welcome(R3)));
    await connected;
    expect([client.getNegotiatedProtocolVersion(), client.era]).toEqual([R3, "handshake"]);
    expect(wire.take()).toEqual([notification("notifications/initialized")]);
  });

  test("silence leads to the handshake", async () => {
    const { client, wire, connected } = connecting([R5, R3], { probeTimeoutMs: 5 });
    expect((await wire.next()).method).toBe("server/discover");
    const { method, id = "" } = await wire.next();
    expect(method).toBe("initialize");
    wire.receive(result(id, welcome(R3)));
    await connected;
    expect(client.getNegotiatedProtocolVersion()).toBe(R3);
  });

  test("an era that is known is not looked for", async () => {
    const { wire, connected, client } = connecting([R5, R3], { era: "handshake" });
    expect((await wire.next()).method).toBe("initialize");
    wire.receive(result(1, welcome(R3)));
    await connected;
    expect(client.era).toBe("handshake");
  });

  test.each([
    ["accepted", result(2, discovered([R5])), undefined],
    ["refused again", error(2, -32022, "no", { supported: [R5], requested: R5 }), -32022],
  ])("a version that is refused by a server that names it is tried once more: %s", async (_, answer, code) => {
    const { wire, connected } = connecting([R5, R3]);
    await wire.next();
    wire.receive(error(1, -32022, "no", { supported: [R5], requested: R5 }));
    expect(await wire.next()).toMatchObject({ id: 2, method: "server/discover" });
    wire.receive(answer);
    if (code === undefined) await connected;
    else await expect(connected).rejects.toMatchObject({ code });
    expect(wire.take()).toEqual([]);
  });

  test("a server that was upgraded since is found out", async () => {
    const { wire, connected, client } = connecting([R5, R3], { era: "handshake" });
    await wire.next();
    wire.receive(error(1, -32022, "Unsupported protocol version", { supported: [R5], requested: R3 }));
    const { method, id = "" } = await wire.next();
    expect(method).toBe("server/discover");
    wire.receive(result(id, discovered([R5])));
    await connected;
    expect(client.getNegotiatedProtocolVersion()).toBe(R5);
  });
});
