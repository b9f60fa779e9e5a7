/** Clients that register themselves, many and badly. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { AddressLimits, publicAddress } from "../../../runtime/src/auth-proxy/clients/address-limits.js";
import { logIn, nativeClient, register } from "./log-in.js";
import { startProxy } from "./started-proxy.js";

afterEach(() => {
  vi.useRealTimers();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

async function post(issuer: string, metadata: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${issuer}/register`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

describe("metadata", () => {
  test("the response has what is kept, with cross-origin access", async () => {
    const { issuer } = await startProxy();
    const { status, headers, body } = await post(issuer, {
      ...nativeClient,
      scope: "files:read admin",
      logo_uri: "https://tracker.example/logo.png",
      jwks_uri: "http://169.254.169.254/keys",
      grant_types: ["authorization_code", "refresh_token", "client_credentials"],
      software_id: "x",
    });
    expect(status).toBe(201);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toEqual({
      client_id: expect.stringMatching(/^[\w-]{21,}$/) as string,
      client_id_issued_at: expect.any(Number) as number,
      ...nativeClient,
      application_type: "native",
      id_token_signed_response_alg: "ES256",
      require_auth_time: false,
      subject_type: "public",
      dpop_bound_access_tokens: false,
    });
  });

  test.each<[string, unknown, string, RegExp]>([
    ["no object", "[]", "invalid_client_metadata", /JSON object/],
    ["no JSON", "{", "invalid_client_metadata", /JSON object/],
    ["nothing", "", "invalid_client_metadata", /JSON object/],
    ["no redirect URIs", {}, "invalid_redirect_uri", /at least one/],
    ["an empty list", { redirect_uris: [] }, "invalid_redirect_uri", /at least one/],
    [
      "too many redirect URIs",
      { redirect_uris: Array(21).fill("https://a.example") },
      "invalid_redirect_uri",
      /more than 20/,
    ],
    ["http elsewhere", { redirect_uris: ["http://a.example"] }, "invalid_redirect_uri", /loopback|localhost/],
    ["a secret scheme", { redirect_uris: ["com.example.app:/x"] }, "invalid_redirect_uri", /scheme com.example.app/],
    ["a name that is no text", { ...nativeClient, client_name: 7 }, "invalid_client_metadata", /client_name/],
    ["a long name", { ...nativeClient, client_name: "x".repeat(101) }, "invalid_client_metadata", /client_name/],
    [
      "a name with a line break",
      { ...nativeClient, client_name: "Claude\nAllow" },
      "invalid_client_metadata",
      /client_name/,
    ],
    [
      "a name that runs backwards",
      { ...nativeClient, client_name: "\u202Eedualc" },
      "invalid_client_metadata",
      /client_name/,
    ],
    [
      "an invisible character",
      { ...nativeClient, client_name: "Cla\u200Bude" },
      "invalid_client_metadata",
      /client_name/,
    ],
    [
      "no code grant",
      { ...nativeClient, grant_types: ["client_credentials"] },
      "invalid_client_metadata",
      /grant_types/,
    ],
    ["implicit responses", { ...nativeClient, response_types: ["token"] }, "invalid_client_metadata", /response_types/],
    [
      "grant types as text",
      { ...nativeClient, grant_types: "authorization_code" },
      "invalid_client_metadata",
      /grant_types/,
    ],
    [
      "keys instead of a secret",
      { ...nativeClient, token_endpoint_auth_method: "private_key_jwt" },
      "invalid_client_metadata",
      /token_endpoint_auth_method/,
    ],
    [
      "a number as the method",
      { ...nativeClient, token_endpoint_auth_method: 7 },
      "invalid_client_metadata",
      /token_endpoint_auth_method/,
    ],
    [
      "a text as the wish for bound tokens",
      { ...nativeClient, dpop_bound_access_tokens: "true" },
      "invalid_client_metadata",
      /dpop_bound_access_tokens must be true or false/,
    ],
  ])("%s: refused", async (_name, metadata, error, description) => {
    const { issuer, store } = await startProxy();
    expect(await post(issuer, metadata)).toMatchObject({
      status: 400,
      body: { error, error_description: expect.stringMatching(description) as string },
    });
    expect(await store.count("Client")).toBe(0);
  });

  test("private-use schemes are accepted when the option lists them", async () => {
    const { issuer } = await startProxy({ redirectSchemes: ["com.example.app"] });
    expect(await post(issuer, { ...nativeClient, redirect_uris: ["com.example.app:/x"] })).toMatchObject({
      status: 201,
    });
  });

  test("another content type is refused", async () => {
    const { issuer } = await startProxy();
    expect(await post(issuer, nativeClient, { "content-type": "text/plain" })).toMatchObject({
      status: 400,
      body: { error: "invalid_client_metadata" },
    });
  });

  test("a client cannot choose its id, or take over another", async () => {
    const { issuer } = await startProxy();
    const first = await post(issuer, { ...nativeClient, client_id: "https://evil.example/client", client_secret: "s" });
    expect(first.body["client_id"]).not.toBe("https://evil.example/client");
    expect(first.body).not.toHaveProperty("client_secret");
    const path = `${issuer}/register/${String(first.body["client_id"])}`;
    for (const method of ["GET", "PUT", "DELETE"]) expect((await fetch(path, { method })).status).toBe(404);
  });
});

describe("floods", () => {
  test("of one address are refused; others go on", async () => {
    let address = "192.0.2.1";
    const { issuer } = await startProxy({ registration: { maxPerAddress: 3 }, addressOf: () => address });
    for (let count = 0; count < 3; count++) expect((await post(issuer, nativeClient)).status).toBe(201);
    const refused = await post(issuer, nativeClient);
    expect([refused.status, refused.body["error"]]).toEqual([429, "temporarily_unavailable"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
    address = "192.0.2.2";
    expect((await post(issuer, nativeClient)).status).toBe(201);
  });

  test("of many addresses fill the store to its limit only, and the clients that are there go on", async () => {
    const started = await startProxy({ registration: { maxClients: 2 } });
    const client = await register(started.issuer);
    await register(started.issuer);
    const refused = await post(started.issuer, nativeClient);
    expect([refused.status, refused.body["error"], await started.store.count("Client")]).toEqual([
      503,
      "temporarily_unavailable",
      2,
    ]);
    await logIn(started, client);
  });

  test("unused clients expire; used ones stay", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const started = await startProxy({ registration: { unusedDays: 1, idleDays: 10 } });
    await register(started.issuer);
    const used = await register(started.issuer);
    await logIn(started, used);
    vi.setSystemTime(Date.now() + 2 * 86_400_000);
    expect(await started.store.count("Client")).toBe(1);
    await logIn(started, used);
    vi.setSystemTime(Date.now() + 9 * 86_400_000);
    await logIn(started, used);
    vi.setSystemTime(Date.now() + 11 * 86_400_000);
    expect(await started.store.count("Client")).toBe(0);
    await expect(logIn(started, used)).rejects.toThrow("invalid_client");
  });
});

describe("limits by address", () => {
  const hour = 3_600_000;

  test("count per hour", () => {
    let now = 0;
    const limits = new AddressLimits(2, 5, () => now);
    expect([limits.use("192.0.2.1"), limits.use("192.0.2.1")]).toEqual([undefined, undefined]);
    now = hour / 2;
    expect(limits.use("192.0.2.1")).toBe(1_800);
    now = hour;
    expect(limits.use("192.0.2.1")).toBeUndefined();
  });

  test("do not apply to a reverse proxy, whose address is not public", () => {
    expect(["127.0.0.1", "10.0.0.1", "::1", "fd00::1", "::ffff:10.0.0.1"].map(publicAddress)).toEqual(
      Array(5).fill(undefined),
    );
    expect(publicAddress("203.0.114.1")).toBe("203.0.114.1");
    const limits = new AddressLimits(1, 2, () => 0);
    expect([1, 2, 3].map(() => limits.use(undefined))).toEqual([undefined, undefined, 3_600]);
  });

  test("count all addresses together", () => {
    const limits = new AddressLimits(2, 3, () => 0);
    const waits = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"].map((address) => limits.use(address));
    expect(waits).toEqual([undefined, undefined, undefined, 3_600]);
  });

  test.each([
    ["2001:db8::1", "2001:db8::2", true],
    ["2001:db8:0:0:1::", "2001:DB8::ffff:1", true],
    ["2001:db8::1", "2001:db8:0:1::1", false],
    ["::ffff:192.0.2.1", "192.0.2.1", true],
    ["fe80::1%eth0", "fe80::2%eth1", true],
    ["192.0.2.1", "192.0.2.2", false],
  ])("%s and %s are one network: %s", (first, second, isOne) => {
    const limits = new AddressLimits(1, 10, () => 0);
    limits.use(first);
    expect(limits.use(second) !== undefined).toBe(isOne);
  });

  test("forget addresses rather than grow without limit", () => {
    const limits = new AddressLimits(1, Infinity, () => 0);
    for (let at = 0; at < 30_000; at++) limits.use(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`);
    expect(limits.size).toBeLessThanOrEqual(10_000);
  });
});
