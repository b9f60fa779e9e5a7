import { expect, it } from "vitest";
import { MemoryProxyStore } from "../../../runtime/src/auth-proxy/memory-proxy-store.js";
import { SealedRecords } from "../../../runtime/src/auth-proxy/sealed-records.js";
import { Sealer } from "../../../runtime/src/auth-proxy/sealer.js";
import { UpstreamError } from "../../../runtime/src/auth-proxy/upstream-error.js";
import { type TokenRecord, UpstreamTokens } from "../../../runtime/src/auth-proxy/upstream-tokens.js";
import { fakeUpstream } from "./started-proxy.js";

const user = { issuer: "https://upstream.example", subject: "ada", claims: {} };

/** Two processes with one store. */
function setUp(outcome: "new" | "ended" | "down" = "new") {
  const store = new MemoryProxyStore();
  const used: string[] = [];
  const revoked: string[] = [];
  const provider = {
    ...fakeUpstream,
    async refresh(refreshToken: string) {
      used.push(refreshToken);
      await Promise.resolve();
      if (outcome === "ended") throw new UpstreamError("login-required", "ended");
      if (outcome === "down") throw new UpstreamError("unreachable", "down");
      return {
        accessToken: `access ${used.length}`,
        refreshToken: `refresh ${used.length}`,
        expiresAt: Date.now() + 3_600_000,
        scopes: [],
      };
    },
  };
  const records = new SealedRecords<TokenRecord>(
    "UpstreamTokens",
    store,
    new Sealer(["a secret of the tests, which is long enough"]),
  );
  const create = (): UpstreamTokens =>
    new UpstreamTokens(provider, store, records, {
      timeoutMs: 1_000,
      keepMs: 86_400_000,
      revokeAccount: (id) => void revoked.push(id),
    });
  return { one: create(), other: create(), store, used, revoked };
}

const login = (expiresAt: number | undefined, refreshToken?: string) => ({
  user,
  tokens: { accessToken: "access 0", refreshToken, expiresAt, scopes: ["read"] },
});

it("returns a token that is valid, without its refresh token, and keeps it encrypted", async () => {
  const { one, store, used } = setUp();
  const id = await one.add(login(Date.now() + 3_600_000, "refresh 0"));
  const access = await one.of(id);
  expect(access).toMatchObject({ accessToken: "access 0", subject: "ada" });
  expect(access).not.toHaveProperty("refreshToken");
  expect(store.get("UpstreamTokens", id)).not.toContain("access 0");
  expect(used).toEqual([]);
});

it("refreshes an expired token once for all calls of two processes, and keeps the new refresh token", async () => {
  const { one, other, used } = setUp();
  const id = await one.add(login(Date.now() - 1, "refresh 0"));
  const found = await Promise.all([one.of(id), one.of(id), other.of(id), other.of(id)]);
  expect(found.map(({ accessToken }) => accessToken)).toEqual(Array.from({ length: 4 }, () => "access 1"));
  expect(used).toEqual(["refresh 0"]);
  expect((await one.of(id, "access 1")).accessToken).toBe("access 2");
  expect(used).toEqual(["refresh 0", "refresh 1"]);
});

it("demands a log-in and revokes the tokens of the account when the provider has ended it", async () => {
  for (const [outcome, refreshToken, rejected] of [
    ["ended", "refresh 0", undefined],
    ["new", undefined, undefined],
    ["new", undefined, "access 0"],
  ] as const) {
    const { one, revoked } = setUp(outcome);
    const id = await one.add(login(rejected === undefined ? Date.now() - 1 : undefined, refreshToken));
    await expect(one.of(id, rejected)).rejects.toMatchObject({ reason: "login-required", code: "UPSTREAM_FAILED" });
    await expect(one.of(id)).rejects.toMatchObject({ reason: "login-required" });
    expect(revoked).toEqual([id, id]);
  }
});

it("keeps the log-in while the provider is down, and returns a token that has not ended yet", async () => {
  const { one, revoked } = setUp("down");
  const id = await one.add(login(Date.now() + 30_000, "refresh 0"));
  expect((await one.of(id)).accessToken).toBe("access 0");
  await expect(one.of(id, "access 0")).rejects.toMatchObject({ reason: "unreachable" });
  expect(revoked).toEqual([]);
});
