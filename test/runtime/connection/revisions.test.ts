import type { Side } from "@mcpwright/protocol/contract";
import { describe, expect, test } from "vitest";
import { Client } from "../../../runtime/src/client/core.js";
import { ResourceNotFoundError } from "../../../runtime/src/jsonrpc/errors.js";
import { InMemoryTransport } from "../../../runtime/src/transport/in-memory.js";
import type { MethodHandlers } from "../../../runtime/src/connection/dispatch-table.js";
import { McpServer, Server } from "../../../runtime/src/server/core.js";
import {
  all,
  clientInfo,
  clientSide,
  initialize,
  modern,
  R2,
  R4,
  R5,
  serverInfo,
  serverSide,
} from "./connection-ends.js";
import { request, result, Wire } from "./wire.js";

/** A custom revision with its own id and behaviour. */
function madeUp(side: Side, revision: string, profile: Partial<Side["profile"]> = {}): Side {
  return { ...side, revision, profile: { ...side.profile, ...profile } };
}

describe.each(all)("a server and a client that support only %s", (revision) => {
  test("communicate, and reject other revisions", async () => {
    const server = new McpServer(serverInfo, { revisions: [serverSide(revision)] });
    server.registerTool("t", {}, () => ({ content: [{ type: "text", text: revision }] }));
    const client = new Client(clientInfo, { revisions: [clientSide(revision)] });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    expect((await client.callTool({ name: "t" })).content).toEqual([{ type: "text", text: revision }]);
    await client.close();

    const wire = new Wire();
    await server.connect(wire);
    for (const other of all.filter((one) => one !== revision)) {
      const answer =
        other === R5
          ? await wire.ask(1, "tools/call", modern({ name: "t" }))
          : await wire.ask(1, "initialize", { protocolVersion: other, capabilities: {}, clientInfo });
      // `initialize` returns the supported revision; other requests are rejected.
      if (answer.result) {
        expect(answer.result["protocolVersion"]).toBe(revision);
        break;
      }
      expect(answer.error?.data).toMatchObject({ supported: [revision] });
    }
  });
});

describe("a custom revision", () => {
  const later = "2025-12-24";
  const side = madeUp(serverSide(R4), later, { batch: true, notFoundCode: -32077 });

  test("is passed in the same way on both sides", async () => {
    const server = new McpServer(serverInfo, { revisions: [serverSide(R4), side] });
    server.registerTool("t", {}, (ctx) => ({ content: [{ type: "text", text: ctx.client.side.revision }] }));
    const client = new Client(clientInfo, { revisions: [clientSide(R4), madeUp(clientSide(R4), later)] });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    expect(client.getNegotiatedProtocolVersion()).toBe(later);
    expect((await client.callTool({ name: "t" })).content).toEqual([{ type: "text", text: later }]);
    await client.close();
  });

  test("follows its profile, and other revisions follow theirs", async () => {
    const server = new Server(serverInfo, {
      revisions: [side, serverSide(R2), serverSide(R4)],
      capabilities: { resources: {} },
    });
    server.handle({ "resources/read": ({ uri }: { uri: string }) => Promise.reject(new ResourceNotFoundError(uri)) });
    for (const [revision, batches, code] of [
      [later, true, -32077],
      [R2, true, -32002],
      [R4, false, -32002],
    ] as const) {
      const wire = new Wire();
      await server.connect(wire);
      expect((await initialize(wire, revision)).result).toMatchObject({ protocolVersion: revision });
      wire.receive([request(1, "ping")]);
      const [answer] = wire.take();
      if (batches) expect(answer).toEqual([result(1)]);
      else expect(answer?.error?.code).toBe(-32600);
      expect((await wire.ask(2, "resources/read", { uri: "a:b" })).error?.code).toBe(code);
    }
  });

  test("in the stateless era, the newest is offered first", async () => {
    const next = "2027-01-01";
    const server = new Server(serverInfo, {
      revisions: [serverSide(R5), madeUp(serverSide(R5), next, { unsupportedVersionCode: -32055 })],
      capabilities: { tools: {} },
    });
    const wire = new Wire();
    await server.connect(wire);
    const version = (revision: string) => modern({}, {}, { "io.modelcontextprotocol/protocolVersion": revision });
    for (const revision of [R5, next])
      expect((await wire.ask(1, "server/discover", version(revision))).result).toMatchObject({
        supportedVersions: [next, R5],
      });
    expect((await wire.ask(1, "server/discover", version("2030-01-01"))).error).toMatchObject({
      code: -32055,
      data: { supported: [next, R5] },
    });

    const client = new Client(clientInfo, { revisions: [clientSide(R5), madeUp(clientSide(R5), next)] });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    expect(client.getNegotiatedProtocolVersion()).toBe(next);
    await client.close();
  });

  test("a client that supports it connects to servers that do not", async () => {
    const next = madeUp(clientSide(R5), "2027-01-01");
    const server = new Server(serverInfo, { revisions: [serverSide(R5)], capabilities: { tools: {} } });
    const client = new Client(clientInfo, { revisions: [next, clientSide(R5)] });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    expect(client.getNegotiatedProtocolVersion()).toBe(R5);
    await client.close();
  });

  test("serves its own method only to its own clients", async () => {
    const { requests } = serverSide(R4).receives;
    const own: Side = {
      ...side,
      receives: {
        ...side.receives,
        requests: { ...requests, "shop/buy": { params: null, paramsOptional: true, capability: null } },
      },
    };
    const server = new Server(serverInfo, { revisions: [own, serverSide(R4)] });
    server.handle<MethodHandlers>({ "shop/buy": () => ({ bought: true }) });
    for (const [revision, answer] of [
      [later, { result: { bought: true } }],
      [R4, { error: { code: -32601 } }],
    ] as const) {
      const wire = new Wire();
      await server.connect(wire);
      await initialize(wire, revision);
      expect(await wire.ask(1, "shop/buy")).toMatchObject(answer);
    }
  });
});

describe("rejects invalid revisions", () => {
  test.each<[string, readonly Side[], readonly Side[]]>([
    ["nothing", [], []],
    ["a side of the other role", [clientSide(R4)], [serverSide(R4)]],
    ["a side of the other role among others", [serverSide(R5), clientSide(R4)], [clientSide(R5), serverSide(R4)]],
    ["the same side twice", [serverSide(R4), serverSide(R4)], [clientSide(R4), clientSide(R4)]],
    [
      "another side with the same id",
      [serverSide(R4), madeUp(serverSide(R2), R4)],
      [clientSide(R4), madeUp(clientSide(R2), R4)],
    ],
  ])("%s", (_, servers, clients) => {
    const refused = expect.objectContaining({ code: "INVALID_CONFIGURATION" }) as Error;
    expect(() => new Server(serverInfo, { revisions: servers })).toThrow(refused);
    expect(() => new McpServer(serverInfo, { revisions: servers })).toThrow(refused);
    expect(() => new Client(clientInfo, { revisions: clients })).toThrow(refused);
  });

  test("accepts them in any order and does not change them", () => {
    const sides = [serverSide(R4), serverSide(R5), serverSide(R2)];
    const before = [...sides];
    expect(new Server(serverInfo, { revisions: sides }).revisions.ids).toEqual([R5, R4, R2]);
    expect(sides).toEqual(before);
  });
});
