/** Clients get the losses that a gateway has recorded, if they request them together with a list. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { Client } from "../../../../runtime/src/client.js";
import { createGateway, type Gateway, type GatewayOptions, requireScopes } from "../../../../runtime/src/gateway.js";
import { conversionLosses, type GatewayLoss, lossesOf, META_LOSSES } from "../../../../runtime/src/gateway/losses.js";
import { isReservedMetaKey, parseMetaKey } from "../../../../runtime/src/rules/meta-key.js";
import { clientOf, eras, errorOf, type Revision, revisions } from "../../api/pair.js";
import { everything } from "../everything.js";
import { fetchOf, httpTransport } from "../http.js";
import { endOf } from "../in-memory.js";
import { protect } from "../protected.js";
import { linkIn, logInPlace } from "../log-in/log-in-place.js";
import { rawServer, tool } from "../raw-server.js";

const lists = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] as const;

function gatewayTo(servers: GatewayOptions["servers"], options: Partial<GatewayOptions> = {}): Gateway {
  const gateway = createGateway({ servers, onerror: () => undefined, losses: conversionLosses(), ...options });
  onTestFinished(() => gateway.close(0));
  return gateway;
}

async function join(gateway: Gateway, revision: Revision): Promise<Client> {
  const { client } = clientOf(revision);
  await client.connect(await endOf(gateway));
  onTestFinished(() => client.close());
  return client;
}

async function requested(client: Client, value: unknown = true, method: (typeof lists)[number] = "tools/list") {
  const result = await client.request(method, { _meta: { [META_LOSSES]: value } });
  return { result, losses: result._meta?.[META_LOSSES] as readonly GatewayLoss[] | undefined };
}

test("the key follows the grammar of the specification and is not reserved", () => {
  expect(parseMetaKey(META_LOSSES)).toEqual({ prefix: "mcpwright", name: "losses" });
  for (const rule of ["lastLabels", "secondLabel"] as const) expect(isReservedMetaKey(META_LOSSES, rule)).toBe(false);
});

describe.each(eras)("a client of %s", (revision) => {
  test.each(lists)("gets the losses of all clients with %s, in process and over HTTP", async (method) => {
    const gateway = gatewayTo({ up: { server: everything("2026-07-28").server } });
    await (await join(gateway, "2025-03-26")).callTool({ name: "up_add", arguments: { a: 1, b: 1 } });
    const { client: remote } = clientOf(revision);
    await remote.connect(httpTransport(fetchOf(gateway).fetch));
    onTestFinished(() => remote.close());
    for (const client of [await join(gateway, revision), remote]) {
      const { losses } = await requested(client, true, method);
      expect(losses).toEqual(gateway.losses);
      expect(losses?.map(({ at, to }) => `${at} ${to ?? ""}`)).toContain("CallToolResult.structuredContent 2025-03-26");
    }
  });

  test("gets none unless it requests them, and the list that others get stays the same", async () => {
    const gateway = gatewayTo({ up: { server: everything("2026-07-28").server } });
    const client = await join(gateway, revision);
    const before = await client.request("tools/list", {});
    const { result } = await requested(client);
    expect(result).toMatchObject({ tools: before.tools, ...(revision === "2026-07-28" && { ttlMs: 0 }) });
    expect(result.cacheScope).toBe("private");
    expect(await requested(client, false)).toEqual({ result: before, losses: undefined });
    expect(await client.request("tools/list", {})).toEqual(before);
  });

  test.each(["yes", 1, null, {}])("is refused for %j in place of true", async (value) => {
    const client = await join(gatewayTo({ up: { server: everything(revision).server } }), revision);
    expect(await errorOf(requested(client, value))).toMatchObject({
      code: -32602,
      message: 'Invalid params: _meta["mcpwright/losses"] must be true or false',
    });
    expect((await client.request("tools/list", {})).tools).not.toEqual([]);
  });

  test("gets only those of servers that it may use", async () => {
    const server = (): ReturnType<typeof everything>["server"] => everything("2026-07-28").server;
    const gateway = gatewayTo({
      docs: { server: server(), scopes: requireScopes(["docs:read"]) },
      byTool: { server: server(), scopes: requireScopes({ "*": ["docs:read"], add: ["docs:write"] }) },
      open: { server: server() },
    });
    const at = protect(gateway, { "ann-none": [], "bo-reads": ["docs:read"], "cy-all": ["docs:read", "docs:write"] });
    const old = await at.connect("cy-all", "2025-03-26");
    await old.listTools();
    for (const method of lists)
      for (const [token, servers] of [
        ["ann-none", ["open"]],
        ["bo-reads", ["docs", "byTool", "open"]],
        ["cy-all", ["docs", "byTool", "open"]],
        ["ann-none", ["open"]],
      ] as const) {
        const { losses = [] } = await requested(await at.connect(token, revision), true, method);
        expect([...new Set(losses.map((loss) => loss.server))].sort()).toEqual([...servers].sort());
      }
    expect(at.refused).toEqual([]);
  });
});

test.each(eras)("a user of %s gets those of a server after the log-in there", async (revision) => {
  const at = logInPlace({ gateway: { losses: conversionLosses() } });
  const [ann, bo] = [await at.connect("ann", "2025-03-26"), await at.connect("bo", revision)];
  const logIn = async (user: string, client: Client): Promise<void> => {
    const asked = await client.callTool({ name: "docs_log_in" });
    expect((await at.browserOf(user).logIn(linkIn(asked))).status).toBe(200);
  };
  const ofDocs = async (client: Client): Promise<readonly GatewayLoss[]> =>
    ((await requested(client)).losses ?? []).filter(({ server }) => server === "docs");
  await logIn("ann", ann);
  expect(await ofDocs(ann)).not.toEqual([]);
  expect(await ofDocs(bo)).toEqual([]);
  await logIn("bo", bo);
  expect(await ofDocs(bo)).toEqual(at.node.gateway.losses.filter(({ server }) => server === "docs"));
});

test("a gateway that records no losses ignores the request", async () => {
  const gateway = createGateway({ servers: { up: { server: everything("2026-07-28").server } } });
  onTestFinished(() => gateway.close(0));
  const client = await join(gateway, "2026-07-28");
  expect((await requested(client)).losses).toBeUndefined();
  expect((await requested(client, "yes")).losses).toBeUndefined();
});

test("losses come with what is missing, and those of removed servers do not come", async () => {
  const up = { server: everything("2026-07-28").server };
  const gateway = gatewayTo({ up, down: { transport: () => Promise.reject(new Error("down")) } });
  await (await join(gateway, "2025-03-26")).listTools();
  const client = await join(gateway, "2026-07-28");
  const { result, losses } = await requested(client);
  expect(losses).toHaveLength(4);
  expect(result._meta?.["mcpwright/unavailable"]).toMatchObject([{ server: "down" }]);
  await gateway.update({ other: { server: everything("2026-07-28").server } });
  expect((await requested(client)).losses).toEqual([]);
});

test("a request concerns one gateway: servers of it do not get the key", async () => {
  const got: unknown[] = [];
  const raw = rawServer((message, peer) => {
    if (message.method !== "tools/list") return;
    got.push(message.params?.["_meta"]);
    peer.respond(message, { tools: [tool("one")] });
  });
  const client = await join(gatewayTo({ raw }), "2025-11-25");
  await requested(client);
  expect(got).toHaveLength(1);
  expect(Object.keys(got[0] ?? {})).toEqual(["mcpwright/gateways"]);
});

describe("lossesOf", () => {
  test("returns the losses with the steps that cause them", () => {
    const messages = { sender: "client", part: "results", method: "tools/list" } as const;
    expect(lossesOf({ from: "2025-06-18", to: "2025-03-26", ...messages })).toEqual([
      {
        kind: "drop",
        at: "Tool.outputSchema",
        text: "The schema of structured content.",
        from: "2025-06-18",
        to: "2025-03-26",
      },
    ]);
    expect(lossesOf({ from: "2024-11-05", to: "2026-07-28", ...messages })).toEqual([]);
    expect(lossesOf({ from: "2025-03-26", to: "1999-01-01", ...messages })).toEqual([]);
    expect(lossesOf({ from: "2025-06-18", to: "2025-03-26", ...messages, method: "toString" })).toEqual([]);
  });

  test("a message that the receiver does not know loses no parts of its own", () => {
    const messages = { from: "2026-07-28", sender: "server", part: "params", method: "elicitation/create" } as const;
    expect(lossesOf({ ...messages, to: "2025-06-18" }).map(({ kind }) => kind)).toEqual(["refuse", "refuse", "refuse"]);
    for (const to of ["2025-03-26", "2024-11-05"])
      expect(lossesOf({ ...messages, to })).toEqual([
        {
          kind: "unsupported",
          at: "elicitation/create",
          text: "2025-03-26 does not have it",
          from: "2025-06-18",
          to: "2025-03-26",
        },
      ]);
  });

  test("a task is lost on the way through the newest revision, if the server has tasks", () => {
    const messages = { from: "2025-11-25", to: "2025-11-25", sender: "client", part: "results" } as const;
    expect(lossesOf({ ...messages, method: "tools/list" })).toEqual([]);
    expect(lossesOf({ ...messages, method: "tools/list", hasTasks: true })).toMatchObject([
      { at: "Tool.execution", from: "2025-11-25", to: "2026-07-28" },
    ]);
  });

  test.each(revisions)("has all that a gateway records for clients of %s", async (revision) => {
    const servers = Object.fromEntries(revisions.map((one) => [one, { server: everything(one).server }]));
    const gateway = gatewayTo(servers);
    const client = await join(gateway, revision);
    for (const method of lists) await client.request(method, {});
    for (const one of revisions) {
      await client.callTool({ name: `${one}_add`, arguments: { a: 1, b: 1 } });
      await client.getPrompt({ name: `${one}_greet`, arguments: { name: "Bo" } });
    }
    const found = gateway.losses.filter(({ from, to }) => from !== undefined && to !== undefined);
    if (revision !== "2026-07-28") expect(found).not.toEqual([]);
    for (const { from = "", to = "", method, kind, at, text } of found) {
      const losses = lossesOf({ from, to, sender: "client", part: "results", method });
      expect(losses.map((loss) => [loss.kind, loss.at, loss.text])).toContainEqual([kind, at, text]);
    }
  });
});
