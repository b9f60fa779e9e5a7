import { afterEach, describe, expect, test, vi } from "vitest";
import { AuthorizationError } from "../../../../runtime/src/auth/auth-errors.js";
import { requestRegistration } from "../../../../runtime/src/auth/client-identity/registration.js";
import type { Registration } from "../../../../runtime/src/auth/client-identity/registration.js";
import type { OAuthOptions } from "../../../../runtime/src/auth/oauth-options.js";
import { down, FakeNetwork, hang, json } from "../fake-network.js";
import type { FakeHost } from "../fake-network.js";
import { exampleServer, issuer } from "../grants/example-flow.js";

const redirectUri = "https://app.example.com/callback";
const metadata = { client_name: "Example", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" };
const initialAccessToken = "initial-access-token";

/** Registers at a server that responds so. */
async function register(
  respond: FakeHost,
  {
    serverMetadata = {},
    options = {},
    signal = new AbortController().signal,
  }: {
    readonly serverMetadata?: Readonly<Record<string, unknown>>;
    readonly options?: OAuthOptions;
    readonly signal?: AbortSignal;
  } = {},
): Promise<{ readonly outcome: Registration | AuthorizationError; readonly network: FakeNetwork }> {
  const network = new FakeNetwork();
  network.add(issuer, respond);
  const outcome = await requestRegistration({
    server: exampleServer(serverMetadata),
    metadata,
    initialAccessToken,
    options: { fetch: network.fetch, ...options },
    signal,
  }).catch((error: unknown) => {
    if (error instanceof AuthorizationError) return error;
    throw error;
  });
  return { outcome, network };
}

const accepted: readonly {
  readonly title: string;
  readonly body: object;
  readonly status?: number;
  readonly expected: object;
}[] = [
  {
    title: "a public client",
    body: { client_id: "c", token_endpoint_auth_method: "none" },
    expected: { clientId: "c", method: "none", redirectUris: [redirectUri] },
  },
  {
    title: "a client with a secret that does not expire",
    body: {
      client_id: "c",
      client_secret: "s",
      client_secret_expires_at: 0,
      token_endpoint_auth_method: "client_secret_post",
    },
    expected: { clientId: "c", clientSecret: "s", method: "client_secret_post", redirectUris: [redirectUri] },
  },
  {
    title: "a secret that expires",
    body: {
      client_id: "c",
      client_secret: "s",
      client_secret_expires_at: 1_900_000_000,
      token_endpoint_auth_method: "client_secret_basic",
    },
    expected: { clientSecret: "s", secretExpiresAt: 1_900_000_000_000 },
  },
  { title: "status 200", status: 200, body: { client_id: "c" }, expected: { clientId: "c", method: "none" } },
  {
    title: "a secret without client_secret_expires_at",
    body: { client_id: "c", client_secret: "s", token_endpoint_auth_method: "client_secret_basic" },
    expected: { clientSecret: "s", method: "client_secret_basic" },
  },
  {
    title: "null in place of missing members",
    body: { client_id: "c", client_secret: null, redirect_uris: null, token_endpoint_auth_method: null },
    expected: { clientId: "c", method: "none", redirectUris: [redirectUri] },
  },
  {
    title: "more redirect URIs",
    body: { client_id: "c", redirect_uris: ["https://other.example/", redirectUri] },
    expected: { redirectUris: ["https://other.example/", redirectUri] },
  },
];

describe("a registration accepts", () => {
  test.each(accepted)("$title", async ({ body, status = 201, expected }) => {
    const { outcome, network } = await register(() => json(body, status));
    expect(outcome).toMatchObject(expected);
    const [request] = network.seen;
    expect(request?.headers.get("content-type")).toBe("application/json");
    expect(request?.headers.get("authorization")).toBe(`Bearer ${initialAccessToken}`);
    expect(JSON.parse(request?.body ?? "")).toEqual(metadata);
  });
});

interface Refusal {
  readonly title: string;
  readonly respond: FakeHost;
  readonly expected: object;
  readonly message?: RegExp;
}

const refused: readonly Refusal[] = [
  {
    title: "an OAuth error",
    respond: () => json({ error: "invalid_redirect_uri", error_description: "only https" }, 400),
    expected: {
      reason: "registration-refused",
      data: { error: "invalid_redirect_uri", errorDescription: "only https", status: 400 },
    },
    message: /invalid_redirect_uri \(only https\).*pass `client`/,
  },
  {
    title: "an error that repeats the token and has control characters",
    respond: () => json({ error: "x", error_description: `\u001b[2J${initialAccessToken}\n` }, 400),
    expected: { reason: "registration-refused" },
    message: /^[^\p{Cc}]+$/u,
  },
  {
    title: "a 401 with a challenge",
    respond: () => new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } }),
    expected: { reason: "registration-refused", data: { status: 401 } },
  },
  {
    title: "a web page",
    respond: () => new Response("<html>", { status: 200, headers: { "content-type": "text/html" } }),
    expected: { reason: "registration-refused" },
    message: /not a JSON object/,
  },
  {
    title: "an error page",
    respond: () => new Response("<html>", { status: 503 }),
    expected: { data: { status: 503 } },
  },
  { title: "a list", respond: () => json([], 201), expected: { reason: "registration-refused" } },
  { title: "no client_id", respond: () => json({}, 201), expected: { reason: "registration-refused" } },
  {
    title: "an empty client_id",
    respond: () => json({ client_id: "" }, 201),
    expected: { reason: "registration-refused" },
  },
  {
    title: "a number as client_id",
    respond: () => json({ client_id: 7 }, 201),
    expected: { reason: "registration-refused" },
  },
  {
    title: "a text as client_secret_expires_at",
    respond: () => json({ client_id: "c", client_secret: "s", client_secret_expires_at: "soon" }, 201),
    expected: { reason: "registration-refused" },
  },
  {
    title: "other redirect URIs",
    respond: () => json({ client_id: "c", redirect_uris: [`${redirectUri}/`] }, 201),
    expected: { reason: "registration-refused" },
    message: /other redirect URIs than https:\/\/app\.example\.com\/callback,/,
  },
  {
    title: "a client without the code grant",
    respond: () => json({ client_id: "c", grant_types: ["client_credentials"] }, 201),
    expected: { reason: "registration-refused" },
  },
  {
    title: "a method that needs a secret, without a secret",
    respond: () => json({ client_id: "c", token_endpoint_auth_method: "client_secret_basic" }, 201),
    expected: { reason: "registration-refused" },
  },
  {
    title: "a huge response",
    respond: () => json({ client_id: "c".repeat(2 ** 20) }, 201),
    expected: { reason: "registration-refused" },
    message: /maxDocumentBytes/,
  },
  {
    title: "a redirect",
    respond: () => new Response(null, { status: 307, headers: { location: "https://evil.example/" } }),
    expected: { reason: "registration-refused", data: { status: 307 } },
  },
  { title: "no connection", respond: down, expected: { reason: "unreachable" } },
];

describe("a registration fails with", () => {
  test.each(refused)("$title", async ({ respond, expected, message = /./ }) => {
    const { outcome, network } = await register(respond);
    expect(outcome).toBeInstanceOf(AuthorizationError);
    expect(outcome).toMatchObject(expected);
    if (!(outcome instanceof AuthorizationError)) return;
    expect(outcome.message).toMatch(message);
    expect(JSON.stringify(outcome) + outcome.message).not.toContain(initialAccessToken);
    expect(network.seen).toHaveLength(1);
  });

  const endpoints = [
    "http://auth.example.com/register",
    "javascript:alert(1)",
    "http://127.0.0.1/register",
    "/register",
  ];
  test.each(endpoints)("the endpoint %s, before anything is sent", async (endpoint) => {
    const { outcome, network } = await register(() => json({}), {
      serverMetadata: { registration_endpoint: endpoint },
    });
    expect(outcome).toMatchObject({ reason: endpoint.startsWith("/") ? "metadata-invalid" : "insecure-url" });
    expect(network.seen).toHaveLength(0);
  });
});

describe("a registration ends", () => {
  afterEach(() => vi.useRealTimers());

  test("after timeoutMs", async () => {
    vi.useFakeTimers();
    const registering = register(hang, { options: { timeoutMs: 500 } });
    await vi.advanceTimersByTimeAsync(500);
    expect((await registering).outcome).toMatchObject({ reason: "unreachable" });
  });

  test("when the signal is aborted", async () => {
    const controller = new AbortController();
    const registering = register(hang, { signal: controller.signal });
    controller.abort(new Error("closed"));
    await expect(registering).rejects.toThrow("closed");
  });
});
