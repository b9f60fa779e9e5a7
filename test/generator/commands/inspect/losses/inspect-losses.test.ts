/** What inspect says that clients do not get is what they do not get through a gateway. */
import { describe, expect, onTestFinished, test } from "vitest";
import { inspect } from "../../../../../generator/commands/inspect/inspect.js";
import type { FoundLoss, Inspection } from "../../../../../generator/commands/inspect/inspection.js";
import { printInspection } from "../../../../../generator/commands/inspect/print-inspection.js";
import { requireBearerAuth } from "../../../../../runtime/src/auth-server.js";
import { StreamableHTTPClientTransport } from "../../../../../runtime/src/client/http.js";
import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type GatewayServer,
  requireScopes,
} from "../../../../../runtime/src/gateway.js";
import { conversionLosses } from "../../../../../runtime/src/gateway/losses.js";
import { serveHttp } from "../../../../../runtime/src/node.js";
import { StdioClientTransport } from "../../../../../runtime/src/stdio.js";
import { clientOf, type Revision, revisions } from "../../../../runtime/api/pair.js";
import { factsWith, resource, verifierOf } from "../../../../runtime/auth-server/requests.js";
import { endOf } from "../../../../runtime/gateway/in-memory.js";
import { weatherCommand, weatherUrl } from "../../../shared/sessions/places.js";
import { rawCommand } from "./raw-stdio-server.js";

type Members = Readonly<Record<string, unknown>>;

function gatewayTo(servers: Record<string, GatewayServer>, options: Partial<GatewayOptions> = {}): Gateway {
  const gateway = createGateway({ servers, onerror: () => undefined, losses: conversionLosses(), ...options });
  onTestFinished(() => gateway.close(0));
  return gateway;
}

/** A client, and the results that it received, as they were sent. */
async function join(gateway: Gateway, revision: Revision) {
  const results: Members[] = [];
  const questions: string[] = [];
  const { client } = clientOf(revision, {
    capabilities: { elicitation: { form: {} } },
    trace: (direction, message) => {
      const { result } = message as { readonly result?: Members };
      if (direction === "in" && result) results.push(result);
    },
  });
  client.setRequestHandler("elicitation/create", ({ message }) => {
    questions.push(message);
    return { action: "decline" };
  });
  await client.connect(await endOf(gateway));
  onTestFinished(() => client.close());
  return { client, results, questions };
}

/** A server as a process of node. */
const processOf = (args: readonly string[]): GatewayServer => ({
  transport: () => new StdioClientTransport({ command: process.execPath, args }),
});

async function urlOf(gateway: Gateway, options: Parameters<typeof serveHttp>[1] = {}): Promise<string> {
  const served = await serveHttp(gateway, { graceMs: 0, ...options });
  onTestFinished(() => served.close());
  return served.url.href;
}

const certain = (losses: readonly FoundLoss[], at: string): readonly string[] =>
  losses.flatMap((loss) => (loss.at === at && loss.certainty === "certain" ? (loss.items ?? []) : []));

async function lossesOf(target: readonly string[], clients: string): Promise<readonly FoundLoss[]> {
  const { losses } = await inspect({ target, losses: clients });
  expect(losses?.revisions.map(({ revision }) => revision)).toEqual([clients]);
  return losses?.revisions[0]?.losses ?? [];
}

describe.each(revisions)("a server of %s", (server) => {
  test.each(revisions)("clients of %s miss what inspect names, and nothing else", async (clients) => {
    const url = await weatherUrl({ revisions: [server] });
    const losses = await lossesOf([url], clients);
    const gateway = gatewayTo({ up: { url } });
    const { client, results, questions } = await join(gateway, clients);
    const { tools: own = [] } = await inspect({ target: [url] });

    const { tools } = await client.listTools();
    const missing = own.filter((tool) => {
      const passed = tools.find(({ name }) => name === `up_${tool.name}`) ?? tool;
      expect(Object.keys(tool).filter((name) => name !== "outputSchema" && !Object.hasOwn(passed, name))).toEqual([]);
      return tool.outputSchema && !Object.hasOwn(passed, "outputSchema");
    });
    expect(missing).toHaveLength(server >= "2025-06-18" && clients < "2025-06-18" ? 1 : 0);
    expect(missing.map(({ name }) => name)).toEqual(certain(losses, "Tool.outputSchema"));

    await client.callTool({ name: "up_get-forecast", arguments: { city: "Rome" } });
    const hasStructure = own.some(({ outputSchema }) => outputSchema);
    expect(Object.hasOwn(results.at(-1) ?? {}, "structuredContent")).toBe(
      hasStructure && !certain(losses, "CallToolResult.structuredContent").includes("get-forecast"),
    );
    expect(certain(losses, "CallToolResult.structuredContent")).toEqual(missing.map(({ name }) => name));

    await client.callTool({ name: "up_ask" }).catch(() => undefined);
    const canAsk = server >= "2025-06-18";
    const isLost = losses.some(({ at }) => at === "elicitation/create");
    expect({ isLost, asked: questions.length }).toEqual({
      isLost: canAsk && clients < "2025-06-18",
      asked: canAsk && !isLost ? 1 : 0,
    });

    // The gateway records what messages can lose; inspect leaves out what the lists do not.
    const found = losses.map(({ direction, method, kind, at }) => [direction, method, kind, at].join());
    const recorded = gateway.losses
      .filter(({ method, from }) => from !== undefined && !method.endsWith("/list"))
      .map(({ direction, method, kind, at }) => [direction, method, kind, at].join());
    expect(recorded.filter((loss) => !found.includes(loss))).toEqual([]);
  });
});

test("a server over stdio that sends members of all revisions", async () => {
  const gateway = gatewayTo({ up: processOf(rawCommand().slice(1)) });
  const expected: readonly (readonly [Revision, readonly string[], readonly string[]])[] = [
    ["2026-07-28", ["Tool.execution"], ["execution"]],
    ["2025-11-25", ["Tool.execution"], ["execution"]],
    ["2025-06-18", ["Tool.execution"], ["execution"]],
    ["2025-03-26", ["Tool.execution", "Tool.outputSchema"], ["execution", "outputSchema"]],
    ["2024-11-05", ["Tool.execution", "Tool.outputSchema"], ["execution", "outputSchema"]],
  ];
  const { losses, tools = [] } = await inspect({ target: rawCommand(), losses: true });
  expect(losses?.recorded).toBeUndefined();
  for (const [revision, places, members] of expected) {
    const found = losses?.revisions.find((one) => one.revision === revision)?.losses ?? [];
    const ofList = found.filter(({ method }) => method === "tools/list");
    expect(ofList.map(({ at }) => at).sort()).toEqual([...places].sort());
    expect(ofList.map(({ items }) => items)).toEqual(places.map(() => ["paint"]));
    const { client, results } = await join(gateway, revision);
    await client.listTools();
    const [tool = {}] = results.at(-1)?.["tools"] as readonly Members[];
    expect(tool).toMatchObject({ title: "Paint", icons: [{ sizes: ["48x48"] }], annotations: { readOnlyHint: true } });
    expect(["execution", "outputSchema"].filter((name) => !Object.hasOwn(tool, name))).toEqual(members);
    await client.callTool({ name: "up_paint", arguments: {} });
    const [, link] = results.at(-1)?.["content"] as readonly Members[];
    const isLink = !found.some(({ at }) => at === "ResourceLink");
    expect(link?.["type"]).toBe(isLink ? "resource_link" : "text");
  }
  expect(tools[0]).toMatchObject({ name: "paint" });
});

test("over stdio and over HTTP, the losses of a server are the same", async () => {
  const overStdio = await inspect({ target: weatherCommand(), losses: true });
  const overHttp = await inspect({ target: [await weatherUrl()], losses: true });
  expect(overStdio.losses).toEqual(overHttp.losses);
  expect(overStdio.losses?.revisions.map(({ revision, losses }) => [revision, losses.length > 0])).toEqual([
    ["2026-07-28", false],
    ["2025-11-25", true],
    ["2025-06-18", true],
    ["2025-03-26", true],
    ["2024-11-05", true],
  ]);
  const { losses: spoken } = await inspect({ target: weatherCommand(), revision: "2025-06-18", losses: "2025-03-26" });
  expect(spoken?.revisions[0]?.losses.map(({ at }) => at)).not.toContain("CacheableResult.ttlMs");
});

describe("a gateway", () => {
  const upstreams = async (): Promise<Record<string, GatewayServer>> => ({
    stdio: processOf(weatherCommand({ revisions: ["2024-11-05"] })),
    http: { url: await weatherUrl({ revisions: ["2025-11-25"] }) },
    new: { url: await weatherUrl() },
  });

  test("has recorded the losses of its clients, over HTTP", async () => {
    const gateway = gatewayTo(await upstreams());
    const url = await urlOf(gateway);
    for (const revision of ["2024-11-05", "2025-06-18"] as const) {
      const { client } = clientOf(revision);
      await client.connect(new StreamableHTTPClientTransport(url));
      await client.listTools();
      for (const name of ["stdio", "http", "new"])
        await client.callTool({ name: `${name}_get-forecast`, arguments: { city: "Rome" } });
      await client.close();
    }
    const { losses, notes } = await inspect({ target: [url], losses: "2024-11-05" });
    expect(notes).toEqual([]);
    expect(losses?.recorded).toEqual(gateway.losses);
    expect(losses?.recorded).toContainEqual({
      server: "http",
      from: "2025-11-25",
      to: "2024-11-05",
      direction: "toClient",
      method: "tools/call",
      kind: "drop",
      at: "CallToolResult.structuredContent",
      text: "Structured content; `content` is kept.",
    });
    const { losses: none } = await inspect({ target: [url] });
    expect(none).toBeUndefined();
  });

  test("shows each user the losses of the servers that it may use", async () => {
    const { http = {}, new: open = {} } = await upstreams();
    const gateway = gatewayTo({ http: { ...http, scopes: requireScopes(["docs"]) }, open });
    const tokens = {
      ann: factsWith({ subject: "ann", scopes: [] }),
      bo: factsWith({ subject: "bo", scopes: ["docs"] }),
    };
    const authorization = requireBearerAuth({ resource, verifier: verifierOf(tokens) });
    const url = await urlOf(gateway, { authorization });
    const seen = async (token: string): Promise<Inspection> =>
      inspect({ target: [url], headers: { authorization: `Bearer ${token}` }, revision: "2024-11-05", losses: true });
    const { losses: ofBo } = await seen("bo");
    expect(new Set(ofBo?.recorded?.map(({ server }) => server))).toEqual(new Set(["http", "open"]));
    const { losses: ofAnn, tools } = await seen("ann");
    expect(tools?.map(({ name }) => name)).toContain("open_cities");
    expect(new Set(ofAnn?.recorded?.map(({ server }) => server))).toEqual(new Set(["open"]));
    expect(gateway.losses.map(({ server }) => server)).toContain("http");
  });

  test("that records no losses shows none", async () => {
    const gateway = createGateway({ servers: { new: { url: await weatherUrl() } } });
    onTestFinished(() => gateway.close(0));
    const { losses, notes } = await inspect({ target: [await urlOf(gateway)], losses: true });
    expect(losses?.recorded).toBeUndefined();
    expect(notes).toEqual([]);
  });
});

test("malformed losses of a server are reported, and its texts cannot control the terminal", async () => {
  const loss = {
    server: "a\u001b[31m",
    direction: "toClient",
    method: "tools/list",
    kind: "drop",
    at: "A",
    text: "\nB",
  };
  const invalid = [null, "x", {}, { ...loss, kind: "toString" }, { ...loss, direction: "up" }, { ...loss, from: 1 }];
  const target = rawCommand({ "mcpwright/losses": [...invalid, loss] });
  const inspection = await inspect({ target, losses: "2025-11-25" });
  expect(inspection.losses?.recorded).toEqual([loss]);
  expect(inspection.notes.map(({ id }) => id)).toEqual(["server-item-invalid"]);
  const printed = printInspection(inspection);
  expect(printed).toContain(
    'Losses that the gateway has recorded (1)\n  tools/list from server "a\\u001b[31m" to clients\n    drops A: B\n',
  );
  const { losses } = await inspect({ target: rawCommand({ "mcpwright/losses": { length: 3 } }), losses: true });
  expect(losses?.recorded).toBeUndefined();
});

test("a revision that does not exist is an error before the server starts", async () => {
  await expect(inspect({ target: ["no-such-program-1"], losses: "2025-06-19" })).rejects.toThrow(
    "unknown revision 2025-06-19; known revisions: 2026-07-28, 2025-11-25,",
  );
});
