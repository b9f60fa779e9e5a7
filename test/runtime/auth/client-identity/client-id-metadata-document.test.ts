import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, test } from "vitest";
import {
  clientIdMetadataDocument,
  serveClientIdMetadataDocument,
} from "../../../../runtime/src/auth/client-identity/client-id-metadata-document.js";
import type { ClientIdMetadataDocumentOptions } from "../../../../runtime/src/auth/client-identity/client-id-metadata-document.js";

const clientId = "https://app.example.com/oauth/client.json";
const options: ClientIdMetadataDocumentOptions = {
  clientId,
  clientName: "Example",
  redirectUris: ["https://app.example.com/callback"],
};

describe("clientIdMetadataDocument", () => {
  test("describes a public client", () => {
    expect(
      clientIdMetadataDocument({ ...options, clientUri: "https://example.com", metadata: { contacts: ["a@b.c"] } }),
    ).toEqual({
      client_id: clientId,
      client_name: "Example",
      client_uri: "https://example.com",
      redirect_uris: ["https://app.example.com/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      application_type: "web",
      token_endpoint_auth_method: "none",
      contacts: ["a@b.c"],
    });
  });

  test("is native with a redirect URI on a loopback address", () => {
    const redirectUris = ["http://127.0.0.1/callback", "https://app.example.com/callback"];
    expect(clientIdMetadataDocument({ ...options, redirectUris }).application_type).toBe("native");
  });

  test("publishes public keys", async () => {
    const { publicKey } = await generateKeyPair("ES256");
    const keys = [await exportJWK(publicKey)];
    const document = clientIdMetadataDocument({ ...options, jwks: { keys } });
    expect(document).toMatchObject({ token_endpoint_auth_method: "private_key_jwt", jwks: { keys } });
  });

  test("rejects private and symmetric keys", async () => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const keys = [await exportJWK(privateKey)];
    expect(() => clientIdMetadataDocument({ ...options, jwks: { keys } })).toThrow(/private member d/);
    const symmetric = [{ kty: "oct", k: "c2VjcmV0" }];
    expect(() => clientIdMetadataDocument({ ...options, jwks: { keys: symmetric } })).toThrow(/private member k/);
  });

  const invalid: readonly { readonly title: string; readonly change: object; readonly message: RegExp }[] = [
    { title: "an http URL", change: { clientId: "http://app.example.com/client.json" }, message: /https/ },
    { title: "a URL without a path", change: { clientId: "https://app.example.com" }, message: /path/ },
    { title: "a URL with a root path", change: { clientId: "https://app.example.com/" }, message: /path/ },
    { title: "a URL with a fragment", change: { clientId: `${clientId}#x` }, message: /fragment/ },
    { title: "a URL with a password", change: { clientId: "https://u:p@app.example.com/c" }, message: /password/ },
    { title: "a URL with dot segments", change: { clientId: "https://app.example.com/a/../c" }, message: /canonical/ },
    { title: "a URL with a default port", change: { clientId: "https://app.example.com:443/c" }, message: /canonical/ },
    { title: "no name", change: { clientName: "" }, message: /clientName/ },
    { title: "no redirect URI", change: { redirectUris: [] }, message: /redirectUris/ },
    {
      title: "an http redirect URI",
      change: { redirectUris: ["http://app.example.com/"] },
      message: /redirectUris\[0\] must be https/,
    },
    { title: "a script as redirect URI", change: { redirectUris: ["javascript:alert(1)"] }, message: /scheme/ },
    {
      title: "a redirect URI with a fragment",
      change: { redirectUris: ["https://a.example/#x"] },
      message: /fragment/,
    },
    { title: "a relative redirect URI", change: { redirectUris: ["/callback"] }, message: /absolute/ },
    { title: "another client_id", change: { metadata: { client_id: "https://x.example/c" } }, message: /client_id/ },
    { title: "a secret", change: { metadata: { client_secret: "s" } }, message: /secret/ },
    {
      title: "a method with a secret",
      change: { metadata: { token_endpoint_auth_method: "client_secret_basic" } },
      message: /secret/,
    },
    {
      title: "a method without keys",
      change: { metadata: { token_endpoint_auth_method: "private_key_jwt" } },
      message: /jwks/,
    },
    { title: "a key that is not a JWK", change: { jwks: { keys: ["x"] } }, message: /JWK/ },
    { title: "no keys", change: { jwks: { keys: [] } }, message: /keys/ },
    { title: "a logo with another scheme", change: { logoUri: "data:image/png;base64,x" }, message: /logo_uri/ },
    { title: "too many contacts", change: { metadata: { contacts: ["x".repeat(5000)] } }, message: /5120 bytes/ },
  ];
  test.each(invalid)("rejects $title", ({ change, message }) => {
    expect(() => clientIdMetadataDocument({ ...options, ...change })).toThrow(
      expect.objectContaining({ code: "INVALID_CONFIGURATION", message: expect.stringMatching(message) as string }),
    );
  });
});

describe("serveClientIdMetadataDocument", () => {
  const document = clientIdMetadataDocument(options);
  const serve = serveClientIdMetadataDocument(document, { maxAgeSeconds: 60 });

  test("responds with the document, its age and a tag", async () => {
    const response = serve(new Request(clientId));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("public, max-age=60");
    expect(await response.json()).toEqual(document);
  });

  test("responds to HEAD without a body, and rejects other methods", async () => {
    expect(await serve(new Request(clientId, { method: "HEAD" })).text()).toBe("");
    const response = serve(new Request(clientId, { method: "POST" }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("responds with 304 to the current tag only", () => {
    const etag = serve(new Request(clientId)).headers.get("etag") ?? "";
    const ask = (tag: string): number => serve(new Request(clientId, { headers: { "if-none-match": tag } })).status;
    expect([etag, `W/${etag}`, `"x", ${etag}`, "*", '"x"'].map(ask)).toEqual([304, 304, 304, 304, 200]);
    const other = serveClientIdMetadataDocument(clientIdMetadataDocument({ ...options, clientName: "Exbmple" }));
    expect(other(new Request(clientId)).headers.get("etag")).not.toBe(etag);
  });
});
