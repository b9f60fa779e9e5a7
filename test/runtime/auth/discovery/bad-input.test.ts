import { describe, expect, test } from "vitest";
import { discover } from "../../../../runtime/src/auth/discovery/discover.js";
import type { OAuthOptions } from "../../../../runtime/src/auth/oauth-options.js";
import { fakeNetwork, redirect, type Reply, serverMetadata, status } from "./fake-network.js";

const server = "https://mcp.example/mcp";
const pathForm = "https://mcp.example/.well-known/oauth-protected-resource/mcp";
const rootForm = "https://mcp.example/.well-known/oauth-protected-resource";
const originForm = "https://mcp.example/.well-known/oauth-authorization-server";
const auth = "https://auth.example";
const oauthForm = `${auth}/.well-known/oauth-authorization-server`;
const openidForm = `${auth}/.well-known/openid-configuration`;

interface Given {
  readonly replies?: Readonly<Record<string, Reply>>;
  readonly header?: string;
  readonly url?: string;
  readonly options?: OAuthOptions;
}

interface Outcome {
  /** The reason of the failure, or the issuer. */
  readonly result: string;
  readonly message: string;
  readonly requests: readonly string[];
}

async function outcomeOf({ replies = {}, header, url = server, options }: Given): Promise<Outcome> {
  const network = fakeNetwork(replies);
  const { signal } = new AbortController();
  const outcome = await discover({
    url: new URL(url),
    wwwAuthenticate: header,
    options: { ...options, fetch: network.fetch },
    signal,
  }).then(
    ({ issuer }) => ({ result: issuer, message: "" }),
    (error: unknown) => {
      const { reason, message } = error as { readonly reason: string; readonly message: string };
      return { result: reason, message };
    },
  );
  return { ...outcome, requests: network.requests };
}

/** The outcome for this metadata of the MCP server; its authorization server has valid metadata. */
function withResource(body: object, url = server): Promise<Outcome> {
  return outcomeOf({ url, replies: { [pathForm]: body, [rootForm]: body, [oauthForm]: serverMetadata(auth) } });
}

/** The outcome for this metadata of the authorization server, which the MCP server calls `issuer`. */
function withServer(body: Reply, issuer = auth): Promise<Outcome> {
  const replies = { [pathForm]: { resource: server, authorization_servers: [issuer] }, [oauthForm]: body };
  return outcomeOf({ replies });
}

describe("the URL of the MCP server", () => {
  test.each(["http://mcp.example/mcp", "http://10.0.0.1/mcp", "ws://mcp.example/mcp", "file:///mcp"])(
    "%s is refused before any request",
    async (url) => {
      expect(await outcomeOf({ url })).toMatchObject({ result: "insecure-url", requests: [] });
    },
  );
});

describe("the URL of the resource metadata in the challenge", () => {
  test.each([
    ["http://mcp.example/metadata", "insecure-url"],
    ["http://169.254.169.254/latest/meta-data/", "insecure-url"],
    ["http://localhost:8080/", "insecure-url"],
    ["https://localhost/", "insecure-url"],
    ["https://127.0.0.1/", "insecure-url"],
    ["https://[::1]/", "insecure-url"],
    ["https://app.localhost/", "insecure-url"],
    ["javascript:alert(1)", "insecure-url"],
    ["file:///etc/passwd", "insecure-url"],
    ["data:application/json,{}", "insecure-url"],
    ["https://user:secret@mcp.example/metadata", "insecure-url"],
    ["/metadata", "metadata-invalid"],
    ["mcp.example/metadata", "metadata-invalid"],
    ["https://", "metadata-invalid"],
    ["https://mcp.example/meta data", "metadata-invalid"],
    [`\\\nhttps://mcp.example/metadata`, "metadata-invalid"],
  ])("%j is refused before any request", async (url, reason) => {
    const outcome = await outcomeOf({ header: `Bearer resource_metadata="${url}"` });
    expect(outcome).toMatchObject({ result: reason, requests: [] });
    expect(outcome.message).not.toContain("secret");
  });

  test.each<[string, Reply, string]>([
    ["is not there", status(404), "metadata-not-found"],
    ["is forbidden", status(403), "metadata-not-found"],
    ["is a web page", () => new Response("<html>", { headers: { "content-type": "text/html" } }), "metadata-not-found"],
    ["fails", status(503), "unreachable"],
    ["is not JSON", () => new Response("no"), "metadata-invalid"],
  ])("fails when it %s, without asking elsewhere", async (_case, reply, reason) => {
    const outcome = await outcomeOf({
      header: `Bearer resource_metadata="https://mcp.example/own"`,
      replies: {
        "https://mcp.example/own": reply,
        [pathForm]: { resource: server, authorization_servers: [auth] },
        [oauthForm]: serverMetadata(auth),
        [originForm]: serverMetadata("https://mcp.example"),
      },
    });
    expect(outcome).toMatchObject({ result: reason, requests: ["https://mcp.example/own"] });
  });

  const foreign = "https://metadata.example/mcp.json";
  test.each([
    ["about this server is accepted", server, auth],
    ["about another server is refused", "https://metadata.example/mcp", "resource-mismatch"],
  ])("of another origin %s", async (_case, resource, result) => {
    const outcome = await outcomeOf({
      header: `Bearer resource_metadata="${foreign}"`,
      replies: { [foreign]: { resource, authorization_servers: [auth] }, [oauthForm]: serverMetadata(auth) },
    });
    expect(outcome.result).toBe(result);
  });
});

describe("failures at the well-known URLs of the MCP server", () => {
  test.each<[string, Reply, string]>([
    ["500", status(500), "unreachable"],
    ["503", status(503), "unreachable"],
    ["429, which says nothing about the document", status(429), "unreachable"],
    ["no connection", new TypeError("fetch failed"), "unreachable"],
    ["a document that is not JSON", () => new Response("no"), "metadata-invalid"],
    ["an array", () => Response.json([]), "metadata-invalid"],
    ["a redirect to this machine", redirect("http://127.0.0.1/"), "insecure-url"],
  ])("%s ends the discovery: a server without metadata is not assumed", async (_case, reply, reason) => {
    const replies = { [pathForm]: reply, [originForm]: serverMetadata("https://mcp.example") };
    expect(await outcomeOf({ replies })).toMatchObject({ result: reason, requests: [pathForm] });
  });

  test.each([400, 401, 403, 404, 405, 406, 410])("%d means that there is none", async (code) => {
    const replies = { [pathForm]: status(code), [rootForm]: status(code) };
    expect(await outcomeOf({ replies })).toMatchObject({ result: "https://mcp.example" });
  });
});

describe("a server without resource metadata", () => {
  test.each<[string, Reply, string]>([
    ["fails when its authorization metadata fails", status(500), "unreachable"],
    ["fails when its authorization metadata is not JSON", () => new Response("no"), "metadata-invalid"],
    ["fails when its issuer is another origin", serverMetadata(auth), "issuer-mismatch"],
    ["fails when its issuer has a path", serverMetadata("https://mcp.example/mcp"), "issuer-mismatch"],
    [
      "has default endpoints when its authorization metadata is a web page",
      () => new Response("", { headers: { "content-type": "text/html" } }),
      "https://mcp.example",
    ],
  ])("%s", async (_case, reply, result) => {
    expect(await outcomeOf({ replies: { [originForm]: reply } })).toMatchObject({ result });
  });

  test("has no default endpoints when the application switches them off", async () => {
    const outcome = await outcomeOf({ options: { defaultEndpoints: false } });
    expect(outcome).toMatchObject({ result: "metadata-not-found", requests: [pathForm, rootForm, originForm] });
  });
});

describe("the resource in the metadata", () => {
  test.each([
    ["itself", server],
    ["itself with a slash", `${server}/`],
    ["the origin", "https://mcp.example"],
    ["the origin with a slash", "https://mcp.example/"],
    ["an upper-case scheme and host", "HTTPS://MCP.Example/mcp"],
    ["the default port", "https://mcp.example:443/mcp"],
  ])("may be %s", async (_case, resource) => {
    expect(await withResource({ resource, authorization_servers: [auth] })).toMatchObject({ result: auth });
  });

  test.each([
    ["a shorter path", "https://mcp.example/a/b", "https://mcp.example/a", auth],
    ["a shorter path with a slash", "https://mcp.example/a/b", "https://mcp.example/a/", auth],
    ["the query of the URL", `${server}?t=1`, `${server}?t=1`, auth],
    ["no query", `${server}?t=1`, server, auth],
    ["another query", `${server}?t=1`, `${server}?t=2`, "resource-mismatch"],
    ["a query for a longer path", `${server}/a?t=1`, `${server}?t=1`, "resource-mismatch"],
  ])("with %s", async (_case, url, resource, result) => {
    const document = { resource, authorization_servers: [auth] };
    const { pathname, search } = new URL(url);
    const replies = {
      [`https://mcp.example/.well-known/oauth-protected-resource${pathname}${search}`]: document,
      [oauthForm]: serverMetadata(auth),
    };
    expect(await outcomeOf({ url, replies })).toMatchObject({ result });
  });

  test.each([
    ["another host", "https://evil.example/mcp"],
    ["a host below", "https://evil.mcp.example/mcp"],
    ["a host above", "https://example/mcp"],
    ["another port", "https://mcp.example:8443/mcp"],
    ["another scheme", "http://mcp.example/mcp"],
    ["this machine", "http://localhost/mcp"],
    ["a longer path", "https://mcp.example/mcp/admin"],
    ["another path", "https://mcp.example/other"],
    ["the start of a path segment", "https://mcp.example/mc"],
    ["another case of the path", "https://mcp.example/MCP"],
    ["a query that the URL lacks", `${server}?tenant=1`],
    ["a URN", "urn:example:mcp"],
  ])("must not be %s", async (_case, resource) => {
    const outcome = await withResource({ resource, authorization_servers: [auth] });
    expect(outcome).toMatchObject({ result: "resource-mismatch", requests: [pathForm] });
  });

  test.each<[string, unknown]>([
    ["absent", undefined],
    ["empty", ""],
    ["null", null],
    ["a number", 7],
    ["a list", [server]],
    ["a relative URL", "/mcp"],
    ["a URL with a space", `${server} `],
    ["a URL with a line break", `\n${server}`],
    ["a URL with a fragment", `${server}#a`],
    ["a URL with a user name", "https://user@mcp.example/mcp"],
    ["a URL with this host as a user name", "https://mcp.example@evil.example/mcp"],
  ])("must not be %s", async (_case, resource) => {
    const outcome = await withResource({ resource, authorization_servers: [auth] });
    expect(outcome).toMatchObject({ result: "metadata-invalid", requests: [pathForm] });
  });
});

describe("authorization_servers", () => {
  test.each<[string, unknown]>([
    ["absent", undefined],
    ["null", null],
    ["empty", []],
    ["a string", auth],
    ["an object", { issuer: auth }],
    ["a list of numbers", [1]],
    ["a list of empty strings", [""]],
    ["a list of lists", [[auth]]],
  ])("must not be %s", async (_case, servers) => {
    const outcome = await withResource({ resource: server, authorization_servers: servers });
    expect(outcome).toMatchObject({ result: "metadata-invalid", requests: [pathForm] });
  });

  test("may have 10,000 entries, of which one is used", async () => {
    const servers = Array.from({ length: 10_000 }, (_, at) => (at === 0 ? auth : `https://${at}.example`));
    const body = { resource: server, authorization_servers: servers };
    expect(await withResource(body)).toMatchObject({ result: auth, requests: [pathForm, oauthForm] });
  });

  test.each([
    ["http://auth.example", "insecure-url"],
    ["http://10.0.0.1", "insecure-url"],
    ["http://169.254.169.254", "insecure-url"],
    ["http://localhost:8080", "insecure-url"],
    ["https://localhost", "insecure-url"],
    ["https://127.1", "insecure-url"],
    ["javascript:alert(1)", "insecure-url"],
    ["file:///etc", "insecure-url"],
    ["https://user:secret@auth.example", "insecure-url"],
    ["auth.example", "metadata-invalid"],
    ["https://auth.example?tenant=1", "metadata-invalid"],
    ["https://auth.example?", "metadata-invalid"],
    ["https://auth.example#a", "metadata-invalid"],
    ["https://auth.example#", "metadata-invalid"],
    [" https://auth.example", "metadata-invalid"],
    ["https://auth.example/\u001b[2J", "metadata-invalid"],
  ])("must not contain the issuer %j", async (issuer, reason) => {
    const outcome = await withResource({ resource: server, authorization_servers: [issuer] });
    expect(outcome).toMatchObject({ result: reason, requests: [pathForm] });
    expect(outcome.message).toMatch(/^[ -~]*$/);
    expect(outcome.message).not.toContain("secret");
  });
});

describe("the issuer in the metadata of the authorization server", () => {
  test.each([
    ["with a slash", `${auth}/`],
    ["in upper case", "HTTPS://AUTH.EXAMPLE"],
    ["with the default port", `${auth}:443`],
  ])("is compared byte for byte: %s", async (_case, issuer) => {
    expect(await withServer(serverMetadata(auth), issuer)).toMatchObject({ result: "issuer-mismatch" });
    expect(await withServer(serverMetadata(issuer), issuer)).toMatchObject({ result: issuer });
  });

  test.each<[string, unknown, string]>([
    ["another host", "https://evil.example", "issuer-mismatch"],
    ["a path", `${auth}/tenant`, "issuer-mismatch"],
    ["characters that control terminals", `${auth}\u001b[2J`, "issuer-mismatch"],
    ["absent", undefined, "metadata-invalid"],
    ["null", null, "metadata-invalid"],
    ["a list", [auth], "metadata-invalid"],
  ])("must not be %s", async (_case, issuer, reason) => {
    const outcome = await withServer({ ...serverMetadata(auth), issuer });
    expect(outcome).toMatchObject({ result: reason, requests: [pathForm, oauthForm, openidForm] });
    expect(outcome.message).not.toContain("\u001b");
  });
});

describe("the members of the metadata of the authorization server", () => {
  const endpoints = [
    "authorization_endpoint",
    "token_endpoint",
    "registration_endpoint",
    "revocation_endpoint",
    "introspection_endpoint",
    "userinfo_endpoint",
    "pushed_authorization_request_endpoint",
    "jwks_uri",
  ];
  test.each(
    endpoints.flatMap((name) => [
      [name, "http://auth.example/x"],
      [name, "http://127.0.0.1/x"],
      [name, "https://localhost/x"],
      [name, "javascript:alert(1)"],
      [name, "file:///x"],
      [name, "https://user:secret@auth.example/x"],
    ]),
  )("%s must not be %s", async (name, value) => {
    expect(await withServer(serverMetadata(auth, { [name]: value }))).toMatchObject({
      result: "insecure-url",
      requests: [pathForm, oauthForm],
    });
  });

  test.each<[string, object]>([
    ["no token endpoint", { token_endpoint: undefined }],
    ["null as token endpoint", { token_endpoint: null }],
    ["a relative endpoint", { token_endpoint: "/token" }],
    ["an endpoint that is not a string", { authorization_endpoint: [`${auth}/authorize`] }],
    ["an endpoint with a line break", { token_endpoint: `${auth}/token\n` }],
    ["a string instead of a list", { code_challenge_methods_supported: "S256" }],
    ["numbers instead of strings", { scopes_supported: [1] }],
    ["a string instead of true", { authorization_response_iss_parameter_supported: "true" }],
    ["a number instead of true", { client_id_metadata_document_supported: 1 }],
  ])("must not be: %s", async (_case, more) => {
    expect(await withServer(serverMetadata(auth, more))).toMatchObject({ result: "metadata-invalid" });
  });

  test("an endpoint for certificates is checked, too", async () => {
    const aliases = { mtls_endpoint_aliases: { token_endpoint: "http://auth.example/token" } };
    expect(await withServer(serverMetadata(auth, aliases))).toMatchObject({ result: "insecure-url" });
  });

  test.each<[string, object]>([
    ["null counts as absent", { registration_endpoint: null, scopes_supported: null }],
    ["unknown members are accepted", { claims_parameter_supported: 7, x: { y: [{}] } }],
    ["no authorization endpoint, for servers without users", { authorization_endpoint: undefined }],
    ["endpoints of other hosts", { token_endpoint: "https://tokens.example/t" }],
  ])("%s", async (_case, more) => {
    expect(await withServer(serverMetadata(auth, more))).toMatchObject({ result: auth });
  });

  test.each<[string, Reply, string]>([
    ["the first of several failures", () => new Response("no"), "metadata-invalid"],
    ["a server that fails", status(500), "unreachable"],
    ["a server that is down", new TypeError("fetch failed"), "unreachable"],
    ["no metadata", status(404), "metadata-not-found"],
    ["a redirect to this machine", redirect("http://localhost/"), "insecure-url"],
  ])("%s is the reason", async (_case, reply, reason) => {
    expect(await withServer(reply)).toMatchObject({ result: reason });
  });
});
