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

/** The revision that the specification has a client and a server negotiate. */
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

describe("the negotiated revision", () => {
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
        // Later messages use the negotiated revision.
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

/** A client that starts to connect to the test. */
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

describe("with the handshake", () => {
  test.each(handshakeEra)(
    "%s: sends initialize with the client's info and capabilities, then initialized",
    async (revision) => {
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
    },
  );

  test("sends its newest revision, and accepts an older one that it supports", async () => {
    const { client, wire, connected } = connecting([R1, R3, R2]);
    expect((await wire.next()).params).toMatchObject({ protocolVersion: R3 });
    wire.receive(result(1, welcome(R1)));
    await connected;
    expect(client.getNegotiatedProtocolVersion()).toBe(R1);
  });

  test.each<[string, object, unknown]>([
    ["a version that the client lacks", result(1, welcome(R4)), "NO_COMMON_REVISION"],
    ["a version of the stateless era", result(1, welcome(R5)), "NO_COMMON_REVISION"],
    ["an unknown version", result(1, welcome("1.0.0")), "NO_COMMON_REVISION"],
    ["no version", result(1, { capabilities: {}, serverInfo }), "INVALID_RESULT"],
    ["no capabilities", result(1, { protocolVersion: R3, serverInfo }), "INVALID_RESULT"],
    ["an empty result", result(1, {}), "INVALID_RESULT"],
    ["an error", error(1, -32603), -32603],
    [
      "an error that lists unsupported versions",
      error(1, -32602, "Unsupported protocol version", { supported: ["1.0.0"], requested: R3 }),
      "NO_COMMON_REVISION",
    ],
  ])("ends with %s: initialized is not sent, and the transport is closed", async (_, answer, code) => {
    const { client, wire, connected } = connecting([R3, R1]);
    await wire.next();
    wire.receive(answer);
    await expect(connected).rejects.toMatchObject({ code });
    expect(wire.take()).toEqual([]);
    expect(wire.isClosed).toBe(true);
    expect(client.getNegotiatedProtocolVersion()).toBeUndefined();
    expect(() => client.connection).toThrow("not connected");
  });

  test("requests a server's own version once, when the server insists on it", async () => {
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

  test("a server that rejects unknown versions, and supports another one", async () => {
    const server = new Server(serverInfo, { revisions: [serverSide(R1)], rejectUnknownVersions: true });
    const client = new Client(clientInfo, { revisions: all.map(clientSide) });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    expect(client.getNegotiatedProtocolVersion()).toBe(R1);
    await client.close();
  });

  test.each([{ completions: true }, { tasks: true }])(
    "checks the response by the revision that it names: %j",
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

  test("sends only initialize before the response, and responds to pings meanwhile", async () => {
    const { client, wire, connected } = connecting([R3]);
    await wire.next();
    expect(await wire.ask("p", "ping")).toEqual(result("p"));
    await expect(client.listTools()).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    wire.receive(result(1, welcome(R3)));
    await connected;
    expect(wire.take()).toEqual([notification("notifications/initialized")]);
  });

  test("times out without cancelling", async () => {
    const { wire, connected } = connecting([R3], { timeoutMs: 5 });
    await wire.next();
    await expect(connected).rejects.toMatchObject({ code: "CONNECT_TIMEOUT", cause: { code: "REQUEST_TIMEOUT" } });
    expect(wire.take()).toEqual([]);
    expect(wire.isClosed).toBe(true);
  });

  test("fails when the server exits", async () => {
    const { wire, connected } = connecting([R3]);
    await wire.next();
    wire.break(new Error("crashed"));
    await expect(connected).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });
});

/** A result of discovery with a fault. */
const faulty = (members: object): object => result(1, { ...discovered([R5]), ...members });

describe("with server/discover", () => {
  test("ignores an invalid ttlMs", async () => {
    const { client, wire, connected } = connecting([R5, R4]);
    await wire.next();
    wire.receive(faulty({ ttlMs: -1 }));
    await connected;
    expect(client.getNegotiatedProtocolVersion()).toBe(R5);
  });

  test("responds to pings until a revision is negotiated", async () => {
    const { client, wire, connected } = connecting([R5, R1]);
    await wire.next();
    expect(await wire.ask("p", "ping")).toEqual(result("p"));
    wire.receive(error(1, -32601));
    const { id = "" } = await wire.next();
    wire.receive(result(id, welcome(R1)));
    await connected;
    expect(client.getNegotiatedProtocolVersion()).toBe(R1);
  });

  test("a slow server that responds to the probe and then to the handshake belongs to the stateless era", async () => {
    const { client, wire, connected } = connecting([R5, R3], { probeTimeoutMs: 5 });
    await wire.next();
    const { id = "" } = await wire.next();
    wire.receive(result(1, discovered([R5, R3])));
    wire.receive(result(id, welcome(R3)));
    await connected;
    expect([client.getNegotiatedProtocolVersion(), client.era]).toEqual([R5, "stateless"]);
    expect(await wire.rest()).toEqual([]);
  });

  test("the first request carries version, capabilities and client, like every later one", async () => {
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
    ["versions that the client lacks", [R5], result(1, discovered(["2099-01-01"])), "NO_COMMON_REVISION"],
    ["only handshake versions, to a client that has none", [R5], result(1, discovered([R4])), "NO_COMMON_REVISION"],
    [
      "an error that lists other versions",
      [R5],
      error(1, -32022, "no", { supported: ["2099-01-01"], requested: R5 }),
      "NO_COMMON_REVISION",
    ],
    ["an unknown method, to a client without the handshake", [R5], error(1, -32601), "NO_COMMON_REVISION"],
    ["a missing capability", [R5, R4], error(1, -32021, "no", { requiredCapabilities: {} }), -32021],
    ["an error that lists no versions", [R5, R4], error(1, -32022), -32022],
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
    ["an unknown method", error(1, -32601)],
    ["invalid params", error(1, -32602)],
    ["another error of the server", error(1, -32000, "Server not initialized")],
    ["an invalid result", result(1, {})],
    ["an error that lists versions of the handshake era", error(1, -32022, "no", { supported: [R3], requested: R5 })],
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

  test("no response leads to the handshake", async () => {
    const { client, wire, connected } = connecting([R5, R3], { probeTimeoutMs: 5 });
    expect((await wire.next()).method).toBe("server/discover");
    const { method, id = "" } = await wire.next();
    expect(method).toBe("initialize");
    wire.receive(result(id, welcome(R3)));
    await connected;
    expect(client.getNegotiatedProtocolVersion()).toBe(R3);
  });

  test("a known era is not probed", async () => {
    const { wire, connected, client } = connecting([R5, R3], { era: "handshake" });
    expect((await wire.next()).method).toBe("initialize");
    wire.receive(result(1, welcome(R3)));
    await connected;
    expect(client.era).toBe("handshake");
  });

  test.each([
    ["accepted", result(2, discovered([R5])), undefined],
    ["rejected again", error(2, -32022, "no", { supported: [R5], requested: R5 }), -32022],
  ])("a version that a server rejects, but lists, is tried once more: %s", async (_, answer, code) => {
    const { wire, connected } = connecting([R5, R3]);
    await wire.next();
    wire.receive(error(1, -32022, "no", { supported: [R5], requested: R5 }));
    expect(await wire.next()).toMatchObject({ id: 2, method: "server/discover" });
    wire.receive(answer);
    if (code === undefined) await connected;
    else await expect(connected).rejects.toMatchObject({ code });
    expect(wire.take()).toEqual([]);
  });

  test("detects a server that was upgraded since", async () => {
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
