import { exportJWK, generateKeyPair } from "jose";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { ClientIdentityOptions } from "../../../../runtime/src/auth/client-identity/client-identity-options.js";
import { ClientResolver } from "../../../../runtime/src/auth/client-identity/client-resolver.js";
import type { ClientContext } from "../../../../runtime/src/auth/client-identity/client-resolver.js";
import { MemoryCredentialStore } from "../../../../runtime/src/auth/credential-store.js";
import type { DiscoveredServer } from "../../../../runtime/src/auth/discovery/discovered-server.js";
import { StoredRecords } from "../../../../runtime/src/auth/session/stored-records.js";
import { FakeAuthorizationServer } from "../fake-authorization-server.js";
import { FakeNetwork, json } from "../fake-network.js";
import { exampleServer, issuer } from "../grants/example-flow.js";

const redirectUri = "https://app.example.com/callback";
const clientMetadataUrl = "https://app.example.com/client.json";

/** One application and its store, at a fake authorization server. */
class Application {
  readonly network = new FakeNetwork();
  readonly server = new FakeAuthorizationServer(this.network, issuer);
  readonly store = new MemoryCredentialStore();
  readonly reported: Error[] = [];

  resolver(options: Partial<ClientIdentityOptions> = {}): ClientResolver {
    return new ClientResolver({ clientName: "Example", fetch: this.network.fetch, ...options });
  }

  context(metadata: Readonly<Record<string, unknown>> = {}, change: Partial<DiscoveredServer> = {}): ClientContext {
    return {
      server: { ...exampleServer({ ...this.server.metadata, ...metadata }), ...change },
      records: new StoredRecords(this.store, (error) => this.reported.push(error)),
      signal: new AbortController().signal,
    };
  }

  /** The metadata of the registrations so far. */
  get registrations(): readonly Readonly<Record<string, unknown>>[] {
    return this.network.requests("/register").map(({ body }) => JSON.parse(body) as Readonly<Record<string, unknown>>);
  }
}

const documents = { client_id_metadata_document_supported: true };
const preRegistered = { clientId: "by-hand" };
const order = [
  { options: { client: preRegistered, clientMetadataUrl }, metadata: documents, expected: "pre-registered" },
  { options: { clientMetadataUrl }, metadata: documents, expected: "metadata-document" },
  { options: { clientMetadataUrl }, metadata: {}, expected: "dynamic" },
  { options: { clientMetadataUrl }, metadata: { client_id_metadata_document_supported: "true" }, expected: "dynamic" },
  { options: {}, metadata: documents, expected: "dynamic" },
  { options: { registration: false, clientMetadataUrl }, metadata: documents, expected: "metadata-document" },
];

describe("the identity is", () => {
  test.each(order)("$expected with $options at $metadata", async ({ options, metadata, expected }) => {
    const application = new Application();
    const client = await application.resolver(options).resolve(application.context(metadata), redirectUri);
    expect(client.source).toBe(expected);
    expect(application.registrations).toHaveLength(expected === "dynamic" ? 1 : 0);
    if (expected === "metadata-document") expect(client.clientId).toBe(clientMetadataUrl);
  });

  test("not a metadata document where the rules have none", async () => {
    const application = new Application();
    const { rules } = exampleServer({}, false);
    const context = application.context(documents, { rules });
    expect((await application.resolver({ clientMetadataUrl }).resolve(context, redirectUri)).source).toBe("dynamic");
  });

  const none = [
    {
      options: {},
      metadata: { registration_endpoint: undefined },
      message: /offers no dynamic registration.*pass `client/,
    },
    { options: { registration: false }, metadata: {}, message: /`registration` is false/ },
    {
      options: { clientMetadataUrl },
      metadata: { registration_endpoint: undefined },
      message: /does not accept client-id metadata documents/,
    },
    {
      options: {},
      metadata: { token_endpoint_auth_methods_supported: ["tls_client_auth"] },
      message: /tls_client_auth/,
    },
  ];
  test.each(none)("missing with $options at $metadata", async ({ options, metadata, message }) => {
    const application = new Application();
    await expect(
      application.resolver(options).resolve(application.context(metadata), redirectUri),
    ).rejects.toMatchObject({
      reason: "no-client",
      message: expect.stringMatching(message) as string,
      data: { issuer },
    });
    expect(application.network.seen).toHaveLength(0);
  });
});

describe("a pre-registered client", () => {
  const other = { issuer: "https://other.example" };

  test("is never used at another issuer than its own", async () => {
    const application = new Application();
    for (const own of [other.issuer, `${issuer}/`, issuer.toUpperCase()]) {
      const resolver = application.resolver({ client: { ...preRegistered, clientSecret: "s", issuer: own } });
      await expect(resolver.resolve(application.context(), redirectUri)).rejects.toMatchObject({
        reason: "no-client",
        message: expect.stringContaining(own) as string,
      });
    }
  });

  test("without an issuer belongs to the first one, also after a restart", async () => {
    const application = new Application();
    const client = { ...preRegistered, clientSecret: "s" };
    await application.resolver({ client }).resolve(application.context(), redirectUri);
    for (const resolver of [application.resolver({ client }), application.resolver({ client, clientMetadataUrl })])
      await expect(resolver.known(application.context({}, other))).rejects.toMatchObject({ reason: "no-client" });
    // Naming the issuer moves it.
    const moved = application.resolver({ client: { ...client, ...other } });
    expect(await moved.known(application.context({}, other))).toMatchObject({ clientId: "by-hand", ...other });
  });
});

describe("a metadata document", () => {
  test("can have a key", async () => {
    const application = new Application();
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const resolver = application.resolver({
      clientMetadataUrl,
      clientMetadataKey: await exportJWK(privateKey),
    });
    const client = await resolver.resolve(application.context(documents), redirectUri);
    application.server.addClient({
      clientId: clientMetadataUrl,
      method: "private_key_jwt",
      publicJwk: await exportJWK(publicKey),
    });
    const body = new URLSearchParams();
    await client.authentication(
      application.context().server.metadata,
      { client_id: client.clientId },
      body,
      new Headers(),
    );
    expect(body.get("client_assertion")).toMatch(/^ey/);
  });

  test.each(["http://app.example.com/c", "https://app.example.com", "c"])("cannot be at %s", (url) => {
    expect(() => new Application().resolver({ clientMetadataUrl: url })).toThrow(/clientMetadataUrl/);
  });
});

describe("a dynamic registration", () => {
  afterEach(() => vi.useRealTimers());

  const types = [
    { uri: "http://127.0.0.1:4000/callback", type: "native", method: "none" },
    { uri: "http://localhost/callback", type: "native", method: "none" },
    { uri: "http://[::1]:4000/callback", type: "native", method: "none" },
    { uri: "com.example.app:/callback", type: "native", method: "none" },
    { uri: "https://app.example.com/callback", type: "web", method: "client_secret_basic" },
    { uri: "https://localhost/callback", type: "native", method: "none" },
  ];
  test.each(types)("for $uri is $type and uses $method", async ({ uri, type, method }) => {
    const application = new Application();
    await application.resolver({ clientUri: "https://example.com" }).resolve(application.context(), uri);
    expect(application.registrations).toEqual([
      {
        client_name: "Example",
        client_uri: "https://example.com",
        redirect_uris: [uri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        application_type: type,
        token_endpoint_auth_method: method,
      },
    ]);
  });

  const methods = [
    { listed: ["client_secret_post"], uri: "http://127.0.0.1/callback", method: "client_secret_post" },
    { listed: ["none"], uri: redirectUri, method: "none" },
    { listed: undefined, uri: "http://127.0.0.1/callback", method: "client_secret_basic" },
  ];
  test.each(methods)("uses $method where $listed are listed", async ({ listed, uri, method }) => {
    const application = new Application();
    const context = application.context({ token_endpoint_auth_methods_supported: listed });
    await application.resolver().resolve(context, uri);
    expect(application.registrations[0]).toMatchObject({ token_endpoint_auth_method: method });
  });

  test("takes type and more members from the options", async () => {
    const application = new Application();
    const resolver = application.resolver({ applicationType: "native", registrationMetadata: { contacts: ["a@b.c"] } });
    await resolver.resolve(application.context(), redirectUri);
    expect(application.registrations[0]).toMatchObject({ application_type: "native", contacts: ["a@b.c"] });
  });

  test("is used again by others with the same store, for the same redirect URI", async () => {
    const application = new Application();
    const first = await application.resolver().resolve(application.context(), redirectUri);
    const second = await application.resolver().resolve(application.context(), redirectUri);
    expect(second.clientId).toBe(first.clientId);
    const third = await application.resolver().resolve(application.context(), `${redirectUri}2`);
    expect(third.clientId).not.toBe(first.clientId);
    expect(application.registrations).toHaveLength(2);
  });

  test("happens once for requests at the same time", async () => {
    const application = new Application();
    const resolver = application.resolver();
    const clients = await Promise.all([1, 2, 3].map(() => resolver.resolve(application.context(), redirectUri)));
    expect(new Set(clients.map(({ clientId }) => clientId)).size).toBe(1);
    expect(application.registrations).toHaveLength(1);
  });

  test("belongs to one issuer", async () => {
    const application = new Application();
    const first = await application.resolver().resolve(application.context(), redirectUri);
    const other = new FakeAuthorizationServer(application.network, "https://other.example");
    const context = application.context(other.metadata, { issuer: other.issuer });
    const second = await application.resolver().resolve(context, redirectUri);
    expect(second.clientId).not.toBe(first.clientId);
    expect(other.clients.has(first.clientId)).toBe(false);
  });

  test("is repeated when its secret has expired", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const application = new Application();
    const expiresAt = Math.floor(Date.now() / 1000) + 100;
    application.network.fail({
      at: "/register",
      times: 1,
      respond: () => json({ client_id: "short", client_secret: "s", client_secret_expires_at: expiresAt }, 201),
    });
    const resolver = application.resolver();
    expect((await resolver.resolve(application.context(), redirectUri)).clientId).toBe("short");
    expect((await resolver.known(application.context()))?.clientId).toBe("short");
    vi.setSystemTime(Date.now() + 101_000);
    expect(await resolver.known(application.context())).toBeUndefined();
    expect((await resolver.resolve(application.context(), redirectUri)).clientId).not.toBe("short");
  });

  test("is repeated when a log-in with it was not finished within a minute", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const application = new Application();
    const resolver = application.resolver();
    const first = await resolver.resolve(application.context(), redirectUri);
    vi.setSystemTime(Date.now() + 59_000);
    expect((await resolver.resolve(application.context(), redirectUri)).clientId).toBe(first.clientId);
    vi.setSystemTime(Date.now() + 59_000);
    const second = await resolver.resolve(application.context(), redirectUri);
    expect(second.clientId).not.toBe(first.clientId);
    await resolver.keep(second, application.context());
    vi.setSystemTime(Date.now() + 3_600_000);
    expect((await resolver.resolve(application.context(), redirectUri)).clientId).toBe(second.clientId);
  });

  test("is repeated when the record cannot be read, which is reported", async () => {
    const application = new Application();
    application.store.set(`client ${issuer}`, '{"clientId":7}');
    const client = await application.resolver().resolve(application.context(), redirectUri);
    expect(client.source).toBe("dynamic");
    expect(application.reported.length).toBeGreaterThan(0);
    expect(await application.resolver().known(application.context())).toMatchObject({ clientId: client.clientId });
  });

  test("is tried again with the other application_type when the redirect URI is refused", async () => {
    const application = new Application();
    application.network.fail({
      at: "/register",
      times: 1,
      respond: () => json({ error: "invalid_redirect_uri" }, 400),
    });
    await application.resolver().resolve(application.context(), redirectUri);
    expect(application.registrations.map((one) => one["application_type"])).toEqual(["web", "native"]);
  });

  test("surfaces the first refusal when the other application_type is refused, too", async () => {
    const application = new Application();
    const descriptions = ["first", "second"];
    application.network.fail({
      at: "/register",
      respond: () => json({ error: "invalid_redirect_uri", error_description: descriptions.shift() }, 400),
    });
    await expect(application.resolver().resolve(application.context(), redirectUri)).rejects.toMatchObject({
      reason: "registration-refused",
      data: { error: "invalid_redirect_uri", errorDescription: "first" },
    });
    expect(application.registrations).toHaveLength(2);
  });

  test.each([
    { options: { applicationType: "web" as const }, error: "invalid_redirect_uri" },
    { options: {}, error: "invalid_client_metadata" },
    { options: {}, error: "unapproved_software_statement" },
  ])("is not tried again with $options after $error", async ({ options, error }) => {
    const application = new Application();
    application.network.fail({ at: "/register", respond: () => json({ error }, 400) });
    await expect(application.resolver(options).resolve(application.context(), redirectUri)).rejects.toThrow(error);
    expect(application.registrations).toHaveLength(1);
  });
});

describe("the registrations at one authorization server", () => {
  test("keep the clients of earlier tokens", async () => {
    const application = new Application();
    const resolver = application.resolver();
    const first = await resolver.resolve(application.context(), redirectUri);
    await resolver.keep(first, application.context());
    const second = await resolver.resolve(application.context(), `${redirectUri}2`);
    expect((await resolver.known(application.context()))?.clientId).toBe(second.clientId);
    expect((await resolver.known(application.context(), first.clientId))?.clientId).toBe(first.clientId);
    await resolver.forget(first, application.context());
    expect(await resolver.known(application.context(), first.clientId)).toBeUndefined();
    expect((await resolver.known(application.context()))?.clientId).toBe(second.clientId);
  });

  test("are at most 20", async () => {
    const application = new Application();
    const resolver = application.resolver();
    const clients = [];
    for (let index = 0; index < 22; index++)
      clients.push(await resolver.resolve(application.context(), `${redirectUri}${index}`));
    const known = await Promise.all(clients.map(({ clientId }) => resolver.known(application.context(), clientId)));
    expect(known.map((client) => client !== undefined)).toEqual(clients.map((_client, index) => index >= 2));
  });

  test("are shared by the users of a registration store, also when they start at the same time", async () => {
    const application = new Application();
    const registrationStore = new MemoryCredentialStore();
    const users = [1, 2, 3, 4].map(() => application.resolver({ registrationStore }));
    const clients = await Promise.all(
      users.map((resolver) => {
        const records = new StoredRecords(new MemoryCredentialStore());
        return resolver.resolve({ ...application.context(), records }, redirectUri);
      }),
    );
    expect(new Set(clients.map(({ clientId }) => clientId)).size).toBe(1);
    expect(application.registrations).toHaveLength(1);
  });
});
