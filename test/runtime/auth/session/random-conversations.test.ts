import { afterEach, describe, expect, test, vi } from "vitest";
import { randomFrom } from "../../../support/random-instances.js";
import { down, type Fault, json } from "../fake-network.js";
import { SharedStore } from "./stores.js";
import { createWorld, mcpUrl, tokenRequests, type World } from "./world.js";

type Process = Pick<World, "call" | "provider">;

interface Conversation extends World {
  readonly store: SharedStore;
  readonly processes: Process[];
  readonly pick: <Value>(values: readonly Value[]) => Value;
  /** Switch the faults off. */
  readonly repairs: (() => void)[];
  readonly passSeconds: (seconds: number) => void;
}

/** Three processes of one user on one store. */
function startConversation(seed: number): Conversation {
  const random = randomFrom(String(seed));
  const store = new SharedStore();
  const world = createWorld({ store });
  let offset = 0;
  const now = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => now() + offset);
  return {
    ...world,
    store,
    repairs: [],
    processes: [world.another(), world.another(), world.another()],
    pick: (values) => {
      const value = values[Math.floor(random() * values.length)];
      if (value === undefined) throw new Error("nothing to pick");
      return value;
    },
    passSeconds: (seconds) => (offset += seconds * 1_000),
  };
}

type Step = (conversation: Conversation) => unknown;

/** Sends requests at the same time; returns what failed. */
async function callTogether({ processes, pick }: Conversation): Promise<readonly unknown[]> {
  const calls = [1, 2, 3, 4].map(() => pick(processes).call({ transport: pick(["a", "b"]) }));
  const settled = await Promise.allSettled(calls);
  return settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
}

const restart: Step = ({ processes, another, pick }) => {
  processes[pick([0, 1, 2])] = another();
};
const harmless: readonly Step[] = [
  ({ passSeconds, pick }) => passSeconds(pick([60, 3_592, 7_200])),
  ({ server }) => server.expireAccessTokens(),
  restart,
];

/** Fails before the server has done anything. */
const outages: readonly Fault[] = [
  { at: "/token", times: 3, respond: down },
  { at: "/token", times: 1, respond: () => json({ error: "temporarily_unavailable" }, 503) },
  { at: "/.well-known/", times: 2, respond: down },
];
const harmful: readonly Step[] = [
  ...harmless,
  ({ network, pick, repairs }) => repairs.push(network.fail(pick(outages))),
  ({ server }) => server.endLogins(),
  ({ processes, pick }) => pick(processes).provider.logout(mcpUrl),
  ({ store, pick }) => store.set(pick([...store.keys, "other"]), "corrupt"),
  ({ mcp, pick }) => (mcp.settings.challengeScope = pick(["read", "write"])),
  ({ mcp, pick }) => {
    const needed = [pick(["read", "write"])];
    mcp.settings.neededScopes = () => needed;
  },
];

const seeds = Array.from({ length: 12 }, (_, index) => index + 1);

describe("random conversations of three processes on one store", () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each(seeds)("need one log-in while only tokens expire: seed %i", async (seed) => {
    const conversation = startConversation(seed);
    const { server, network, grant, processes } = conversation;
    await processes[0]?.call();
    for (let round = 0; round < 30; round++) {
      expect(await callTogether(conversation)).toEqual([]);
      await conversation.pick(harmless)(conversation);
    }
    expect(grant.logins).toHaveLength(1);
    // No refresh token was used twice: otherwise the server would have ended the log-in.
    const used = tokenRequests(network, "refresh_token").map((form) => form.get("refresh_token"));
    expect(used.length).toBeGreaterThan(5);
    expect(new Set(used).size).toBe(used.length);
    expect(server.refreshTokens.size).toBe(1);
  });

  test.each(seeds)("fail with reasons only, and recover: seed %i", async (seed) => {
    const conversation = startConversation(seed);
    const { mcp, network, store, server } = conversation;
    for (let round = 0; round < 40; round++) {
      for (const error of await callTogether(conversation)) {
        expect(error).toMatchObject({
          code: expect.stringMatching(/^(AUTHORIZATION_FAILED|INSUFFICIENT_SCOPE)$/) as string,
        });
        const text = String(error) + JSON.stringify(error);
        for (const token of [...server.accessTokens.keys(), ...server.refreshTokens.keys(), ...server.retired.keys()])
          expect(text).not.toContain(token);
      }
      await conversation.pick(harmful)(conversation);
    }
    for (const repair of conversation.repairs) repair();
    mcp.settings.neededScopes = () => [];
    for (const { call } of [...conversation.processes, conversation.another()]) expect((await call()).status).toBe(200);
    expect([...store.keys].filter((key) => key !== "other").sort()).toEqual([
      `server ${mcpUrl.href}`,
      `tokens ${server.issuer} ${mcpUrl.href}`,
    ]);
    for (const { url, headers } of network.seen)
      if (headers.has("authorization")) expect(url.origin).toBe(mcpUrl.origin);
  });
});
