/** Providers that are broken, hostile or slow: log-ins, refreshes and profiles. */
import { describe, expect, it } from "vitest";
import { github } from "../../../runtime/src/auth-proxy/providers/github.js";
import type { ProviderOptions } from "../../../runtime/src/auth-proxy/providers/provider-options.js";
import { callUpstream } from "../../../runtime/src/auth-proxy/upstream-calls.js";
import type { UpstreamLogin } from "../../../runtime/src/auth-proxy/upstream-provider.js";
import {
  type Answer,
  clientSecret,
  failureOf,
  finish,
  githubKind,
  kinds,
  sent,
  tokens,
  withAnswer,
} from "./fake-provider.js";

/** Responses of a token endpoint that does not work as it should. */
const broken: readonly (readonly [string, Answer, string])[] = [
  ["does not exist", () => new Response("Not found", { status: 404 }), "invalid"],
  ["is down", () => Promise.reject(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })), "unreachable"],
  ["throws the request", (_url, init) => Promise.reject(new Error(formOf(init))), "unreachable"],
  ["never responds", () => new Promise(() => undefined), "unreachable"],
  ["begins a body that does not end", () => new Response(new ReadableStream()), "unreachable"],
  ["has status 503", () => new Response("later", { status: 503 }), "unreachable"],
  ["has status 429", () => new Response("{}", { status: 429 }), "unreachable"],
  ["redirects", () => Response.redirect("https://evil.example/token", 307), "invalid"],
  ["sends HTML", () => new Response("<html>", { headers: { "content-type": "text/html" } }), "invalid"],
  ["sends nothing", () => new Response(null, { status: 204 }), "invalid"],
  ["sends an array", () => Response.json([tokens]), "invalid"],
  ["sends null", () => Response.json(null), "invalid"],
  ["sends more than a megabyte", () => Response.json({ ...tokens, more: "x".repeat(1 << 20) }), "invalid"],
  ["sends a token that is an object", () => Response.json({ ...tokens, access_token: {} }), "invalid"],
  ["sends a token with a line break", () => Response.json({ ...tokens, access_token: "a\r\nb" }), "invalid"],
  ["sends a DPoP token", () => Response.json({ ...tokens, token_type: "DPoP" }), "invalid"],
  ["sends a lifetime that is no number", () => Response.json({ ...tokens, expires_in: "soon" }), "invalid"],
  ["sends an error with status 200", () => Response.json({ error: "bad_verification_code" }), "refused"],
  [
    "repeats the request in its error",
    (_url, init) =>
      Response.json({ error: "invalid_grant", error_description: `got ${formOf(init)}` }, { status: 400 }),
    "refused",
  ],
  [
    "sends markup in its error",
    () => Response.json({ error: "<img src=x>", error_description: "\u202E<script>" }, { status: 400 }),
    "refused",
  ],
];

/** The body of a request of the proxy. */
function formOf({ body }: RequestInit): string {
  return body instanceof URLSearchParams ? body.toString() : "";
}

describe.each([...kinds, githubKind])("a log-in at $name", (kind) => {
  it.each(broken)("fails when the token endpoint %s", async (_name, answer, reason) => {
    expect((await failureOf(finish(withAnswer(kind, answer), {}, 30))).reason).toBe(reason);
  });

  it.each([
    ["another state", { state: "other" }, "invalid"],
    ["an error", { error: "server_error", error_description: `<b>${sent.codeVerifier}` }, "refused"],
    ["the refusal of the user", { error: "access_denied" }, "denied"],
    ["a code and a token", { response: "ey.ey.x" }, "invalid"],
    ["the iss of another provider", { iss: "https://evil.example" }, "invalid"],
  ] as const)("fails when the redirect has %s", async (_name, parameters, reason) => {
    let asked = 0;
    const provider = withAnswer(kind, () => {
      asked++;
      return Response.json({ ...tokens, id_token: "a.b.c" });
    });
    expect((await failureOf(finish(provider, parameters))).reason).toBe(reason);
    if (!("iss" in parameters) || !kind.name.endsWith("many directories")) expect(asked).toBe(0);
  });

  it.each(broken.filter(([name]) => !/HTML|array|null|nothing|exist/.test(name)))(
    "keeps a refresh from succeeding when the token endpoint %s",
    async (_name, answer) => {
      const provider = withAnswer(kind, answer);
      const call = callUpstream(provider, 30, (context) => provider.refresh("provider-refresh-token", context));
      await failureOf(call);
    },
  );

  it.each(["invalid_grant", "bad_refresh_token"])("ends when the refresh token is refused with %s", async (error) => {
    const provider = withAnswer(kind, () => Response.json({ error }, { status: 400 }));
    const call = callUpstream(provider, 500, (context) => provider.refresh("provider-refresh-token", context));
    expect((await failureOf(call)).reason).toBe("login-required");
  });

  it("stays when the client secret is refused", async () => {
    const provider = withAnswer(kind, () => Response.json({ error: "invalid_client" }, { status: 401 }));
    const call = callUpstream(provider, 500, (context) => provider.refresh("provider-refresh-token", context));
    expect((await failureOf(call)).reason).toBe("refused");
  });
});

describe("GitHub", () => {
  const logIn = (profile: Answer, token: object = {}): Promise<UpstreamLogin> =>
    finish(
      withAnswer(githubKind, (url, init) =>
        url.pathname === "/user" ? profile(url, init) : Response.json({ ...tokens, token_type: "bearer", ...token }),
      ),
      {},
      30,
    );

  it("reads scopes with commas, and an account by its number", async () => {
    const { user, tokens } = await logIn(() => Response.json({ id: 583_231, login: "octocat" }), {
      scope: "repo,read:org",
      refresh_token: "",
    });
    expect(user).toMatchObject({ issuer: githubKind.issuer, subject: "583231" });
    expect(tokens.scopes).toEqual(["repo", "read:org"]);
    expect(tokens.refreshToken).toBeUndefined();
  });

  it.each([
    ["the requested ones when the response does not name them", undefined, ["repo"]],
    ["none when the user has granted none", "", []],
  ])("reports as scopes %s", async (_name, scope, expected) => {
    const kind = {
      ...githubKind,
      create: (options: ProviderOptions) => github({ ...options, clientSecret, scopes: ["repo"] }),
    };
    const answer = withAnswer(kind, ({ pathname }) =>
      Response.json(pathname === "/user" ? { id: 583_231 } : { ...tokens, token_type: "bearer", scope }),
    );
    expect((await finish(answer, {}, 30)).tokens.scopes).toEqual(expected);
  });

  it.each<readonly [string, Answer, string]>([
    ["has no id", () => Response.json({ login: "octocat" }), "invalid"],
    ["has a text as id", () => Response.json({ id: "583231" }), "invalid"],
    ["has an id beyond safe integers", () => Response.json({ id: 2 ** 60 }), "invalid"],
    ["is a list", () => Response.json([{ id: 1 }]), "invalid"],
    ["is garbage", () => new Response("<html>"), "invalid"],
    ["is refused", () => Response.json({ message: "Bad credentials" }, { status: 401 }), "refused"],
    ["redirects", () => Response.redirect("https://evil.example/user", 301), "invalid"],
    ["never arrives", () => new Promise(() => undefined), "unreachable"],
    ["repeats the token", (_u, { headers }) => Promise.reject(new Error(JSON.stringify(headers))), "unreachable"],
  ])("refuses the log-in when the profile %s", async (_name, profile, reason) => {
    expect((await failureOf(logIn(profile))).reason).toBe(reason);
  });

  it.each([
    [undefined, "https://api.github.com/user"],
    ["https://octocorp.ghe.com", "https://api.octocorp.ghe.com/user"],
    ["https://github.example.com", "https://github.example.com/api/v3/user"],
  ])("asks the API that belongs to the origin %s", async (origin, expected) => {
    const asked: string[] = [];
    const provider = github({
      clientId: "proxy",
      clientSecret,
      ...(origin !== undefined && { origin }),
      fetch: (url) => {
        asked.push(String(url));
        return Promise.resolve(
          Response.json(String(url).endsWith("/user") ? { id: 1 } : { ...tokens, token_type: "bearer" }),
        );
      },
    });
    await finish(provider);
    expect(asked).toEqual([`${origin ?? "https://github.com"}/login/oauth/access_token`, expected]);
  });
});
