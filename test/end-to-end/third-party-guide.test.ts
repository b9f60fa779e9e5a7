/** The programs of the guides about log-ins at a third party run as written; a second authorization server stands for GitHub. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { isBuiltin } from "node:module";
import { pathToFileURL } from "node:url";
import type { UpstreamProvider } from "@mcpwright/runtime/auth/proxy";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startAuthServer } from "../auth-server/auth-server.js";
import { FormUser } from "../auth-server/form-user.js";
import { providerFor } from "../log-in/provider-for.js";
import { guideFolder, writeProgram } from "./guide-programs.js";
import { freePort } from "../../scripts/free-port.js";

const page = "guide/third-party-login.md";
let folder: string;
beforeAll(() => {
  folder = guideFolder([]);
});

test("server.ts lets users log in at the provider, and calls its API with their tokens", async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const application = {
    client_id: "profiles",
    client_secret: "secret-of-the-application",
    redirect_uris: [`${origin}/callback`],
  };
  const provider = await startAuthServer({ clients: [application], userinfo: true });
  onTestFinished(() => provider.close());
  const path = await writeProgram(folder, page, "server", {
    "import { createOAuthProxy, github, ": "import { createOAuthProxy, oidc, ",
    "github({ clientId": `oidc({ issuer: "${provider.issuer}", clientId`,
    '["read:user"]': '["openid"]',
    "https://api.github.com/user": `${provider.issuer}/me`,
    "https://mcp.example.com": origin,
    "mcp.example.com": "127.0.0.1",
    "3000": String(port),
    // Node 20 has no SQLite.
    ...(!isBuiltin("node:sqlite") && { 'await openSqliteStore("proxy.db")': "undefined" }),
  });
  const env = {
    ...process.env,
    GITHUB_CLIENT_ID: application.client_id,
    GITHUB_CLIENT_SECRET: application.client_secret,
    PROXY_SECRET: "a secret that has more than 32 characters",
  };
  const child = spawn(process.execPath, [path], { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
  const exit = once(child, "exit");
  onTestFinished(async () => {
    child.kill();
    await exit;
  });
  await listening(origin, () => child.exitCode);

  const client = new Client({ name: "desk", version: "1.0.0" });
  onTestFinished(() => client.close());
  const authProvider = providerFor(new FormUser());
  await client.connect(new StreamableHTTPClientTransport(`${origin}/mcp`, { authProvider }));
  const profile = await client.callTool({ name: "profile" });
  expect(profile).toMatchObject({ content: [{ text: '{"sub":"ada"}' }] });
});

const providers = "guide/third-party-providers.md";

test.each([
  ["google", providers],
  ["entra", providers],
  ["other", providers],
  ["members", page],
])("%s.ts of %s configures a provider", async (name, page) => {
  for (const prefix of ["GOOGLE", "ENTRA", "LOGIN", "GITHUB"]) {
    vi.stubEnv(`${prefix}_CLIENT_ID`, "client");
    vi.stubEnv(`${prefix}_CLIENT_SECRET`, "secret");
  }
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = await writeProgram(folder, page, name);
  const { upstream } = (await import(pathToFileURL(path).href)) as { readonly upstream: UpstreamProvider };
  expect(upstream.issuer).toMatch(/^https:/);
});

async function listening(origin: string, exitCode: () => number | null): Promise<void> {
  for (;;) {
    const answered = await fetch(origin).then(
      () => true,
      () => false,
    );
    if (answered) return;
    if (exitCode() !== null) throw new Error(`the server ended with ${exitCode()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
