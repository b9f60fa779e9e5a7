/** The tokens of accounts at a provider that misbehaves, and in unlucky orders. */
import { expect, it } from "vitest";
import { MemoryProxyStore } from "../../../runtime/src/auth-proxy/memory-proxy-store.js";
import { randomSecret } from "../../../runtime/src/auth-proxy/random-ids.js";
import { SealedRecords } from "../../../runtime/src/auth-proxy/sealed-records.js";
import { Sealer } from "../../../runtime/src/auth-proxy/sealer.js";
import { UpstreamError } from "../../../runtime/src/auth-proxy/upstream-error.js";
import { type LoginRecord, UpstreamLogins } from "../../../runtime/src/auth-proxy/upstream-logins.js";
import type {
  UpstreamLogin,
  UpstreamProvider,
  UpstreamTokenSet,
} from "../../../runtime/src/auth-proxy/upstream-provider.js";
import { type TokenRecord, UpstreamTokens } from "../../../runtime/src/auth-proxy/upstream-tokens.js";
import type { PendingAuthorization } from "../../../runtime/src/auth-proxy/proxy-pages.js";

const secrets = ["a secret of the tests, which is long enough"];
const sealer = new Sealer(secrets);

/** Does not encrypt: calls that begin one after the other also read in this order, which WebCrypto does not promise. */
class PlainSealer extends Sealer {
  override seal(_kind: string, _id: string, plain: string): Promise<string> {
    return Promise.resolve(plain);
  }

  override open(_kind: string, _id: string, sealed: string): Promise<string> {
    return Promise.resolve(sealed);
  }
}

function providerOf(parts: Partial<UpstreamProvider>): UpstreamProvider {
  const unused = (): never => {
    throw new Error("the test does not use this");
  };
  return {
    issuer: "https://provider.example",
    name: "Provider",
    scopes: [],
    authorizationUrl: () => new URL("https://provider.example/authorize"),
    finish: unused,
    refresh: unused,
    ...parts,
  };
}

const user = { issuer: "https://provider.example", subject: "ada", claims: {} };
const expired = { accessToken: "old", refreshToken: "old refresh", expiresAt: 1, scopes: [] };
const fresh = { accessToken: "fresh", refreshToken: "fresh refresh", scopes: [] };
const other = { accessToken: "of the second log-in", refreshToken: "second refresh", scopes: [] };

/** The tokens of one process. */
function tokensOf(store: MemoryProxyStore, refresh: UpstreamProvider["refresh"]) {
  const revoked: string[] = [];
  const tokens = new UpstreamTokens(
    providerOf({ refresh }),
    store,
    new SealedRecords<TokenRecord>("UpstreamTokens", store, new PlainSealer(secrets)),
    { timeoutMs: 1_000, keepMs: 60_000, revokeAccount: (id) => void revoked.push(id) },
  );
  return { tokens, revoked };
}

it.each([
  ["refuses the earlier refresh token", () => Promise.reject(new UpstreamError("login-required", "ended"))],
  ["gives new tokens for the earlier refresh token", () => Promise.resolve(fresh)],
] as const)("keeps the tokens of a log-in during which the provider %s", async (_name, answer) => {
  const store = new MemoryProxyStore();
  const { tokens, revoked } = tokensOf(store, async () => {
    await tokens.add({ user, tokens: other });
    return answer();
  });
  const accountId = await tokens.add({ user, tokens: expired });
  expect((await tokens.of(accountId)).accessToken).toBe(other.accessToken);
  expect((await tokens.of(accountId)).accessToken).toBe(other.accessToken);
  expect(revoked).toEqual([]);
});

it("does not return a token that the API has refused to a caller that waits for another refresh", async () => {
  const store = new MemoryProxyStore();
  const answers: (() => Promise<UpstreamTokenSet>)[] = [
    () => Promise.reject(new UpstreamError("unreachable", "down")),
    () => Promise.resolve(fresh),
  ];
  const { tokens } = tokensOf(store, () => (answers.shift() ?? (() => Promise.resolve(fresh)))());
  // Near its end: refreshed early, and still good for the first caller.
  const accountId = await tokens.add({ user, tokens: { ...expired, expiresAt: Date.now() + 30_000 } });
  const [first, second] = await Promise.all([tokens.of(accountId), tokens.of(accountId, "old")]);
  expect(first.accessToken).toBe("old");
  expect(second.accessToken).toBe("fresh");
});

const logins = (provider: UpstreamProvider, store: MemoryProxyStore): UpstreamLogins =>
  new UpstreamLogins(new SealedRecords<LoginRecord>("UpstreamLogin", store, sealer), provider, {
    redirectUri: "https://mcp.example/callback",
    timeoutMs: 1_000,
  });
const pending = { uid: "one", expiresAt: Date.now() + 60_000 } as PendingAuthorization;

it.each([
  ["no subject", { user: { ...user, subject: undefined }, tokens: other }],
  ["an empty subject", { user: { ...user, subject: "" }, tokens: other }],
  ["a number as the subject", { user: { ...user, subject: 7 }, tokens: other }],
  ["no issuer", { user: { subject: "ada", claims: {} }, tokens: other }],
  ["no access token", { user, tokens: { scopes: [] } }],
  ["no user", { tokens: other }],
  ["nothing", undefined],
])("ends the log-in when an own provider gives %s", async (_name, login) => {
  const store = new MemoryProxyStore();
  const state = await startedState(store, login as unknown as UpstreamLogin);
  await expect(state()).rejects.toMatchObject({ name: "UpstreamError", reason: "invalid" });
});

/** Begins a log-in and returns from the provider. */
async function startedState(store: MemoryProxyStore, login: UpstreamLogin): Promise<() => Promise<UpstreamLogin>> {
  let state = "";
  const started = logins(
    providerOf({
      authorizationUrl: (request) => {
        ({ state } = request);
        return new URL("https://provider.example/authorize");
      },
      finish: () => Promise.resolve(login),
    }),
    store,
  );
  const { cookieValue } = await started.start(pending, { isRemembered: false });
  const returned = await started.returned(new URLSearchParams({ state, code: randomSecret() }), () => cookieValue);
  if (typeof returned === "string") throw new Error(returned);
  return () => returned.finish();
}

it("keeps one log-in per authorization, however often the page is answered", async () => {
  const store = new MemoryProxyStore();
  const states: string[] = [];
  const started = logins(
    providerOf({
      authorizationUrl: ({ state }) => {
        states.push(state);
        return new URL("https://provider.example/authorize");
      },
    }),
    store,
  );
  const cookies: string[] = [];
  for (let at = 0; at < 5; at++) cookies.push((await started.start(pending, { isRemembered: false })).cookieValue);
  await started.start({ ...pending, uid: "two" }, { isRemembered: false });
  expect(store.count("UpstreamLogin")).toBe(2);
  const returned = await Promise.all(
    states.slice(0, 5).map((state, at) => started.returned(new URLSearchParams({ state }), () => cookies[at])),
  );
  expect(returned.slice(0, 4)).toEqual(Array(4).fill("unknown-state"));
  expect(returned[4]).toMatchObject({ record: { uid: "one" } });
});
