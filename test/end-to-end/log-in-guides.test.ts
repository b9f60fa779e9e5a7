/** The programs of the guides about log-ins run as written, with a real authorization server; documents.test.ts compiles them. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { CredentialStore } from "@mcpwright/runtime/auth";
import type { ClientMetadata, JWK } from "oidc-provider";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type AuthServer, type AuthServerOptions, startAuthServer } from "../auth-server/auth-server.js";
import { type Desktop, startDesktop } from "../auth-server/desktop.js";
import { FormUser } from "../auth-server/form-user.js";
import { type ProtectedServer, startProtectedServer } from "../auth-server/protected-server.js";
import { root } from "../cli/command-line.js";
import { put } from "../generator/shared/files/sandbox.js";
import { type Servers, startServers } from "../log-in/set-up.js";
import { guideFolder, writeProgram } from "./guide-programs.js";
import { freePort } from "../../scripts/free-port.js";

let folder: string;
let auth: AuthServer;
let server: ProtectedServer;
let desktop: Desktop;

beforeAll(async () => {
  folder = guideFolder(["express"]);
  auth = await startAuthServer({ registration: true });
  server = await startProtectedServer(auth, { tokens: "opaque" });
  const user = new FormUser();
  desktop = await startDesktop((url) => void user.visit(url));
});

afterAll(async () => {
  await desktop.close();
  await server.close();
  await auth.close();
});

/** Writes a program of a page, with other values for what differs here. @returns its path */
function program(page: string, name: string, values: Readonly<Record<string, string>> = {}): Promise<string> {
  return writeProgram(folder, page, name, values, { "https://example.com/mcp": server.url.href });
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, BROWSER: desktop.program };
}

async function run(path: string): Promise<string> {
  return (await promisify(execFile)(process.execPath, [path], { cwd: folder, env: environment(), timeout: 60_000 }))
    .stdout;
}

describe("log-in.md", () => {
  test("explains every reason", () => {
    const guide = readFileSync(join(root, "docs/guide/log-in.md"), "utf8");
    const source = readFileSync(join(root, "runtime/src/auth/auth-errors.ts"), "utf8");
    const reasons = [...source.matchAll(/^ {2}\| "([\w-]+)"/gm)].map(([, reason = ""]) => reason);
    expect(reasons).toContain("denied");
    const explained = guide.split("\n").filter((line) => line.startsWith("| `"));
    expect(reasons.filter((reason) => !explained.some((line) => line.includes(`\`${reason}\``)))).toEqual([]);
  });

  test("desk.ts logs in once, until logout.ts logs out", async () => {
    const desk = await program("guide/log-in.md", "desk");
    for (let times = 0; times < 2; times++) expect(await run(desk)).toBe("[ 'read', 'write' ]\n");
    expect(desktop.opened).toHaveLength(1);
    expect(await run(await program("guide/log-in.md", "logout"))).toBe("logged out\n");
    expect(auth.events.at(-1)).toBe("revoked");
    expect(await run(desk)).toBe("[ 'read', 'write' ]\n");
    expect(desktop.opened).toHaveLength(2);
  });

  test("web.ts logs its users in, each on their own", async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const path = await program("guide/log-in-web.md", "web", {
      "https://app.example.com": origin,
      "guardedFetch()": `guardedFetch({ allow: ["127.0.0.1"] })`,
      "3000": String(port),
    });
    const app = spawn(process.execPath, [path], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    onTestFinished(async () => {
      const exit = once(app, "exit");
      app.kill();
      await exit;
    });
    await listening(origin);
    for (const name of ["ada", "grace"]) {
      const get = (url: URL | string): Promise<Response> =>
        fetch(url, { redirect: "manual", headers: { "x-user": name } });
      const first = await get(`${origin}/books`);
      expect(first.status).toBe(302);
      const callback = await new FormUser({ login: name }).authorize(first.headers.get("location") ?? "");
      expect((await get(callback)).headers.get("location")).toBe("/books");
      const books = (await get(`${origin}/books`)).json();
      await expect(books).resolves.toEqual([{ type: "text", text: `read by ${name}` }]);
    }
  });

  test("button.ts starts a log-in", async () => {
    expect(await run(await program("guide/log-in-web.md", "button"))).toBe(`send the user to ${auth.issuer}\n`);
  });

  test("document.ts prints a document that the authorization server accepts", async () => {
    const document = JSON.parse(await run(await program("guide/log-in.md", "document"))) as object;
    const id = "https://desk.example.com/oauth-client.json";
    expect(document).toMatchObject({ client_id: id, client_name: "Library desk", application_type: "native" });
    const accepting = await startAuthServer({ documents: { [id]: document } });
    onTestFinished(() => accepting.close());
    const page = new URL("/auth", accepting.issuer);
    page.search = new URLSearchParams({
      client_id: id,
      redirect_uri: "http://127.0.0.1:40123/callback",
      response_type: "code",
      scope: "openid",
      state: "state",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    }).toString();
    const callback = await new FormUser().authorize(page);
    expect(callback.origin).toBe("http://127.0.0.1:40123");
    expect(callback.searchParams.has("code")).toBe(true);
  });

  test("keyring.ts keeps credentials in entries", async () => {
    const path = await program("guide/log-in.md", "keyring");
    const { keyringStore } = (await import(pathToFileURL(path).href)) as {
      readonly keyringStore: (entryOf: (key: string) => object) => CredentialStore;
    };
    const values = new Map<string, string>();
    const store = keyringStore((key) => ({
      getPassword: () => values.get(key) ?? null,
      setPassword: (value: string) => void values.set(key, value),
      deletePassword: () => values.delete(key),
    }));
    await store.set("one", "value");
    expect([await store.get("one"), await store.get("two")]).toEqual(["value", undefined]);
    await store.delete("one");
    expect(await store.get("one")).toBeUndefined();
  });
});

test("login.ts of the command line's page logs in and out", async () => {
  const before = desktop.opened.length;
  expect(await run(await program("cli/login.md", "login"))).toBe(`${auth.issuer} [ 'files:read' ]\n`);
  expect(auth.events.at(-1)).toBe("revoked");
  expect(desktop.opened).toHaveLength(before + 1);
});

describe("services.md", () => {
  const service = { client_id: "nightly-report", response_types: [], redirect_uris: [] } satisfies ClientMetadata;
  const printed = "[ { type: 'text', text: 'read by nightly-report' } ]\n";

  async function start(client: ClientMetadata, trustedIssuers: readonly string[] = []): Promise<Servers> {
    return startServers({ clients: [client], trustedIssuers });
  }

  async function serviceProgram(name: string, { auth, server }: Servers, more: Readonly<Record<string, string>> = {}) {
    return program("guide/services.md", name, {
      "https://example.com/mcp": server.url.href,
      "https://auth.example.com": auth.issuer,
      ...more,
    });
  }

  async function startOther(options: AuthServerOptions): Promise<AuthServer> {
    const started = await startAuthServer(options);
    onTestFinished(() => started.close());
    return started;
  }

  test("secret.ts", async () => {
    const grants = { grant_types: ["client_credentials"], client_secret: "report-secret" };
    put(folder, { "secrets/client-secret": "report-secret\n" });
    expect(await run(await serviceProgram("secret", await start({ ...service, ...grants })))).toBe(printed);
  });

  test("key.ts, with the key of keys.ts", async () => {
    mkdirSync(join(folder, "secrets"), { recursive: true });
    const key = JSON.parse(await run(await program("guide/services.md", "keys"))) as JWK;
    const client: ClientMetadata = {
      ...service,
      grant_types: ["client_credentials"],
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [{ ...key, alg: "ES256" }] },
    };
    expect(await run(await serviceProgram("key", await start(client)))).toBe(printed);
  });

  test("workload.ts", async () => {
    const platform = await startOther({});
    const client: ClientMetadata = {
      ...service,
      grant_types: ["urn:ietf:params:oauth:grant-type:jwt-bearer"],
      token_endpoint_auth_method: "none",
    };
    const servers = await start(client, [platform.issuer]);
    put(folder, { token: await platform.sign({ sub: "nightly-report", aud: servers.auth.issuer }) });
    const path = { "/var/run/secrets/tokens/mcp": join(folder, "token") };
    expect(await run(await serviceProgram("workload", servers, path))).toBe(printed);
  });

  test("organization.ts", async () => {
    const shared = { response_types: [], redirect_uris: [] };
    const idp = await startOther({
      exchange: { "library-app-at-acme": "library-app" },
      clients: [
        {
          ...shared,
          client_id: "library-app-at-acme",
          client_secret: "acme-secret",
          grant_types: ["urn:ietf:params:oauth:grant-type:token-exchange"],
        },
      ],
    });
    const client: ClientMetadata = {
      ...shared,
      client_id: "library-app",
      client_secret: "library-secret",
      grant_types: ["urn:ietf:params:oauth:grant-type:jwt-bearer"],
    };
    const servers = await startServers({ clients: [client], trustedIssuers: [idp.issuer] });
    const path = await program("guide/services.md", "organization", {
      "https://example.com/mcp": servers.server.url.href,
      "https://acme.idp.example": idp.issuer,
    });
    vi.stubEnv("LIBRARY_SECRET", "library-secret");
    vi.stubEnv("ACME_SECRET", "acme-secret");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { readFor } = (await import(pathToFileURL(path).href)) as {
      readonly readFor: (session: { idToken(): Promise<string> }) => Promise<unknown>;
    };
    const session = { idToken: () => idp.sign({ sub: "grace", aud: "library-app-at-acme" }) };
    await expect(readFor(session)).resolves.toEqual([{ type: "text", text: "read by grace" }]);
  });
});

async function listening(origin: string): Promise<void> {
  for (;;) {
    const answered = await fetch(origin).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
