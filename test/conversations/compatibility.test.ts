import { clientSides } from "@mcpwright/protocol/client-sides";
import { conversions } from "@mcpwright/protocol/conversions";
import { describe, expect, onTestFinished, test } from "vitest";
import { Client } from "../../runtime/src/client/core.js";
import type { StreamableHTTPClientTransportOptions } from "../../runtime/src/client/http.js";
import type { ConnectOptions } from "../../runtime/src/client/connect-options.js";
import type { Transport } from "../../runtime/src/transport/transport.js";
import { Recorder } from "../../runtime/src/testing.js";
import { transportSetups } from "./transports.js";
import { origin, reach, reachByEvents, recordedFetch, serveNamed } from "./http.js";
import { everyRevision, handshakeEra, R1, R3, R4, R5 } from "./messages.js";
import type { SharedOptions } from "./nodes.js";
import { openWorkshop, workshop } from "./servers/workshop.js";

const eras = { legacy: [...handshakeEra], dual: [...everyRevision], modern: [R5] } as const;
type Eras = keyof typeof eras;

const [newest] = clientSides.filter(({ revision }) => revision === R5);
const later = { ...newest, revision: "2031-01-01" } as (typeof clientSides)[number];

function clientOf(kind: Eras, sides = clientSides.filter(({ revision }) => eras[kind].includes(revision as never))) {
  const recorder = new Recorder();
  const client = new Client(
    { name: kind, version: "1" },
    { revisions: sides, conversions, trace: recorder.trace, onerror: () => undefined },
  );
  onTestFinished(() => client.close());
  return {
    client,
    connect: (transport: Transport, options?: ConnectOptions) =>
      client.connect(transport, options).then(
        () => client.getNegotiatedProtocolVersion(),
        (error: unknown) => error as Error,
      ),
    /** The methods of the sent messages. */
    sent: () => recorder.find("out").map((message) => (message as { method: string }).method),
    count: async () => (await client.callTool({ name: "count" })).content,
  };
}

/** Creates the nodes of a workshop. */
function workshopOf(revisions: readonly string[]) {
  const state = openWorkshop();
  return (options: SharedOptions) => workshop({ revisions, options }, state);
}
const counted = (count: number) => [{ type: "text", text: String(count) }];

const handshaken = ["initialize", "notifications/initialized"];
const refused = { code: "NO_COMMON_REVISION" };
const matrix: readonly (readonly [client: Eras, server: Eras, outcome: string | object, sent: readonly string[]])[] = [
  ["legacy", "legacy", R4, handshaken],
  ["legacy", "dual", R4, handshaken],
  ["legacy", "modern", { ...refused, data: { ours: [...handshakeEra].reverse(), theirs: [R5] } }, ["initialize"]],
  ["dual", "legacy", R4, ["server/discover", ...handshaken]],
  ["dual", "dual", R5, ["server/discover"]],
  ["dual", "modern", R5, ["server/discover"]],
  ["modern", "legacy", refused, ["server/discover"]],
  ["modern", "dual", R5, ["server/discover"]],
  ["modern", "modern", R5, ["server/discover"]],
];

describe.each(transportSetups)("$name", (carrier) => {
  test.each(matrix)("a %s client, a %s server: %j", async (ours, theirs, outcome, sent) => {
    const { client, ...made } = clientOf(ours);
    const result = await made.connect(await carrier.server("workshop", { revisions: eras[theirs] }));
    expect(made.sent()).toEqual(sent);
    if (typeof outcome === "string") {
      expect(result).toBe(outcome);
      expect(await made.count()).toEqual(counted(1));
    } else {
      expect(result).toMatchObject(outcome);
      await expect(client.callTool({ name: "count" })).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    }
  });

  test("when a server rejects a later version, the client repeats the probe and does not send `initialize`", async () => {
    const made = clientOf("modern", newest ? [later, newest] : []);
    expect(await made.connect(await carrier.server("workshop", { revisions: [R5] }))).toBe(R5);
    expect(made.sent()).toEqual(["server/discover", "server/discover"]);
    expect(await made.count()).toEqual(counted(1));
  });
});

describe("HTTP statuses", () => {
  /** A server, and a recorder of the requests that a client sends to it. */
  async function served(kind: Eras) {
    const recorded = recordedFetch();
    return {
      recorded,
      at: await serveNamed("workshop", { revisions: eras[kind] }),
      options: { fetch: recorded.fetch },
    };
  }

  test("a stateless server rejects a handshake with 400 and names its revisions", async () => {
    const { recorded, at, options } = await served("modern");
    const failure = await clientOf("legacy").connect(reach(at, options));
    expect(recorded.posted).toEqual(["initialize 400"]);
    expect(String(failure)).toContain(R5);
  });

  test("a stateless server rejects a client of HTTP+SSE with 405", async () => {
    const { recorded, at, options } = await served("modern");
    expect(await clientOf("legacy").connect(reachByEvents(at, options))).toMatchObject({
      code: "HTTP_ERROR",
      data: { status: 405 },
    });
    expect(recorded.exchanged).toHaveLength(1);
  });

  test.each<Eras>(["legacy", "dual"])("a %s server serves HTTP+SSE at the same URL", async (kind) => {
    const { at, options } = await served(kind);
    const sides = clientSides.filter(({ revision }) => revision === R1);
    const made = clientOf("legacy", sides);
    expect(await made.connect(reachByEvents(at, options))).toBe(R1);
    expect(await made.count()).toEqual(counted(1));
  });

  test("a client of both eras falls back to HTTP+SSE at a server that has only 2024-11-05", async () => {
    const recorded = recordedFetch();
    const made = clientOf("dual");
    expect(
      await made.connect(reach(await serveNamed("workshop", { revisions: [R1] }), { fetch: recorded.fetch })),
    ).toBe(R1);
    expect(recorded.exchanged.map(({ method, status }) => `${method} ${status}`)).toEqual([
      "POST 400", // server/discover
      "POST 400", // initialize
      "GET 200",
      "POST 202", // initialize
      "POST 202", // notifications/initialized
    ]);
    expect(await made.count()).toEqual(counted(1));
  });

  test("a server of the handshake era rejects the probe with 400", async () => {
    const { recorded, at, options } = await served("legacy");
    await clientOf("modern").connect(reach(at, options));
    expect(recorded.posted).toEqual(["server/discover 400"]);
  });

  test("a server of both eras opens no session for a client of both", async () => {
    const { recorded, at, options } = await served("dual");
    const made = clientOf("dual");
    await made.connect(reach(at, options));
    await made.count();
    expect(recorded.posted).toEqual(["server/discover 200", "tools/call 200"]);
    expect(recorded.exchanged.map(({ sessionId }) => sessionId)).toEqual([null, null]);
  });
});

describe("a server that changes while its clients are connected", () => {
  /** Clients that are connected to a server, and a function that replaces this server. */
  async function before(kind: Eras, ...clients: readonly (readonly [Eras, ConnectOptions?])[]) {
    const at = await origin();
    const place = await at.mount("/mcp", workshopOf(eras[kind]));
    const made = await Promise.all(
      clients.map(async ([ours, options]) => {
        const one = clientOf(ours);
        expect(await one.connect(reach(place), options)).toBe(ours === "legacy" || options ? R4 : R5);
        return one;
      }),
    );
    for (const [at, one] of made.entries()) expect(await one.count()).toEqual(counted(at + 1));
    return { place, made, become: (next: Eras) => at.mount("/mcp", workshopOf(eras[next])) };
  }

  test("without the handshake era, its clients get an error and the others are not affected", async () => {
    const { place, made, become } = await before("dual", ["legacy"], ["modern"], ["dual"]);
    await become("modern");
    const [legacy, modern, dual] = made;
    await expect(legacy?.count()).rejects.toMatchObject({ code: -32022, data: { supported: [R5], requested: R4 } });
    expect(await modern?.count()).toEqual(counted(1));
    expect(await dual?.count()).toEqual(counted(2));
    expect(modern?.sent()).toEqual(["server/discover", "tools/call", "tools/call"]);
    expect(dual?.sent()).toEqual(["server/discover", "tools/call", "tools/call"]);
    expect(await clientOf("legacy").connect(reach(place))).toMatchObject(refused);
  });

  test("without the stateless era, a client of both negotiates again and calls once", async () => {
    const { made, become } = await before("dual", ["dual"], ["modern"]);
    await become("legacy");
    const [dual, modern] = made;
    expect(await dual?.count()).toEqual(counted(1));
    expect(dual?.client.getNegotiatedProtocolVersion()).toBe(R4);
    expect(dual?.sent()).toEqual([
      ...["server/discover", "tools/call", "tools/call"],
      ...["server/discover", "initialize", "notifications/initialized", "tools/call"],
    ]);
    await expect(modern?.count()).rejects.toMatchObject({ data: { supported: [...handshakeEra].reverse() } });
    expect(await dual?.count()).toEqual(counted(2));
  });

  test("without the stateless era, two concurrent calls cause one negotiation", async () => {
    const { made, become } = await before("dual", ["dual"]);
    await become("legacy");
    const [dual] = made;
    const counts = await Promise.all([dual?.count(), dual?.count()]);
    expect(counts).toEqual(expect.arrayContaining([counted(1), counted(2)]));
    expect(dual?.sent().filter((method) => method === "initialize")).toHaveLength(1);
  });

  test("after a change from the handshake era to both, the client opens a new session", async () => {
    const { made, become } = await before("legacy", ["legacy"]);
    await become("dual");
    const [legacy] = made;
    await expect(legacy?.count()).rejects.toMatchObject({ code: "SESSION_LOST" });
    expect(await legacy?.count()).toEqual(counted(1));
    expect(legacy?.sent().filter((method) => method === "initialize")).toHaveLength(2);
  });

  test("after a change to the stateless era, a stored `era` is corrected", async () => {
    const { place, made, become } = await before("dual", ["dual", { era: "handshake" }]);
    await become("modern");
    await expect(made[0]?.count()).rejects.toMatchObject({ code: -32022, data: { supported: [R5] } });
    const next = clientOf("dual");
    expect(await next.connect(reach(place), { era: "handshake" })).toBe(R5);
    expect(await next.count()).toEqual(counted(1));
  });
});

describe("a gateway that removes unknown headers", () => {
  const strips = (headers: Headers): void => {
    for (const name of [...headers.keys()]) if (name.startsWith("mcp-")) headers.delete(name);
  };
  async function behind(kind: Eras, options: StreamableHTTPClientTransportOptions = {}) {
    const recorded = recordedFetch(strips);
    const at = await serveNamed("workshop", { revisions: eras[kind] });
    return { recorded, transport: reach(at, { ...options, fetch: recorded.fetch }) };
  }

  test("a stateless server names the missing header, and the client does not fall back to a handshake", async () => {
    const { recorded, transport } = await behind("dual");
    const failure = await clientOf("dual").connect(transport);
    expect(failure).toMatchObject({ code: -32020, message: expect.stringMatching(/mcp-protocol-version/i) as unknown });
    expect(recorded.posted).toEqual(["server/discover 400"]);
  });

  test("a request without its session id is rejected, and the client does not open a second session", async () => {
    const { recorded, transport } = await behind("legacy");
    const failure = await clientOf("legacy").connect(transport);
    expect(failure).toMatchObject({ data: { status: 400, body: expect.stringMatching(/mcp-session-id/i) as unknown } });
    expect(recorded.posted.filter((one) => one.startsWith("initialize"))).toHaveLength(1);
  });
});

test("two endpoints of different eras on one origin do not affect each other", async () => {
  const at = await origin();
  const places = {
    old: await at.mount("/old", workshopOf([R3])),
    new: await at.mount("/new", workshopOf([R5])),
  };
  const seen = { old: recordedFetch(), new: recordedFetch() };
  const clients = { old: clientOf("dual"), new: clientOf("dual") };
  const versions = await Promise.all(
    (["old", "new"] as const).map((one) => clients[one].connect(reach(places[one], { fetch: seen[one].fetch }))),
  );
  expect(versions).toEqual([R3, R5]);
  for (const count of [1, 2]) {
    expect(await clients.old.count()).toEqual(counted(count));
    expect(await clients.new.count()).toEqual(counted(count));
  }
  expect(seen.new.exchanged.filter(({ headers }) => headers.has("mcp-session-id"))).toEqual([]);
  expect(seen.old.exchanged.filter(({ headers }) => headers.get("mcp-protocol-version") === R5)).toHaveLength(1);
});
