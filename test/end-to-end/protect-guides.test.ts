/** The programs of the guides about protected servers run as written, with a real authorization server; documents.test.ts compiles them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BearerAuth } from "@mcpwright/runtime/auth/server";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { McpServer } from "@mcpwright/runtime/server";
import { createMcpHandler } from "@mcpwright/runtime/server/http";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../scripts/free-port.js";
import { type AuthServer, startAuthServer } from "../auth-server/auth-server.js";
import { FormUser } from "../auth-server/form-user.js";
import { root } from "../cli/command-line.js";
import { providerFor } from "../log-in/provider-for.js";
import { guideFolder, writeProgram } from "./guide-programs.js";
import { startProgram } from "./start-program.js";

const page = "guide/protect.md";
let folder: string;
let auth: AuthServer;

beforeAll(async () => {
  folder = guideFolder(["express", "zod"]);
  auth = await startAuthServer({ registration: true });
});
afterAll(() => auth.close());

/** Starts a server of the guide on a free port. @returns its URL */
async function start(name: string): Promise<URL> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  auth.resources.set(`${origin}/mcp`, { scopes: ["files:read", "files:write"], tokens: "jwt" });
  const path = await writeProgram(folder, page, name, {
    "https://mcp.example.com": origin,
    "mcp.example.com": "127.0.0.1",
    "https://auth.example.com": auth.issuer,
    "3000": String(port),
  });
  await startProgram(path, new URL(origin));
  return new URL("/mcp", origin);
}

test("server.ts serves users who have logged in, and asks for another scope when a tool needs it", async () => {
  const url = await start("server");
  const client = new Client({ name: "desk", version: "1.0.0" });
  onTestFinished(() => client.close());
  const authProvider = providerFor(new FormUser());
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
  expect(await client.callTool({ name: "read" })).toMatchObject({ content: [{ text: "read by ada" }] });
  const write = { name: "write", arguments: { text: "tea" } };
  expect(await client.callTool(write)).toMatchObject({ content: [{ text: "written" }] });
  expect(auth.events.filter((event) => event === "page")).toHaveLength(2);
});

test("server.ts answers a request without a token as the guide shows", async () => {
  const url = await start("server");
  const guide = readFileSync(join(root, "docs", page), "utf8");
  const [, shown = ""] = /^HTTP\/1\.1 401 Unauthorized\nwww-authenticate: (.*)$/m.exec(guide) ?? [];
  const response = await fetch(url, { method: "POST" });
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toBe(shown.replace("https://mcp.example.com", url.origin));
});

test("express.ts serves the metadata beside the endpoint", async () => {
  const url = await start("express");
  expect((await fetch(url, { method: "POST" })).status).toBe(401);
  for (const suffix of ["", "/mcp"]) {
    const metadata = await fetch(new URL(`/.well-known/oauth-protected-resource${suffix}`, url));
    expect(await metadata.json()).toMatchObject({ resource: url.href, resource_name: "Files" });
  }
});

/** The challenges of the other programs, which export an authorization, to a request without a token. */
const challenges: readonly (readonly [name: string, page: string, challenge: RegExp])[] = [
  ["opaque", "guide/protect-tokens.md", /^Bearer /],
  ["several", "guide/protect-tokens.md", /^Bearer /],
  ["keys", "guide/protect-tokens.md", /^Bearer /],
  ["scopes", "guide/protect-scopes.md", /^Bearer .*scope="files:read"/],
  ["claims", "guide/protect-scopes.md", /^Bearer /],
  ["dpop", page, /^DPoP .*algs="/],
  ["log", page, /^Bearer /],
];

test.each(challenges)("%s.ts of %s rejects requests without a token", async (name, page, challenge) => {
  vi.stubEnv("INTROSPECTION_SECRET", "secret");
  vi.stubEnv("NONCE_SECRET", "n".repeat(32));
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = await writeProgram(folder, page, name);
  const { authorization } = (await import(pathToFileURL(path).href)) as { readonly authorization: BearerAuth };
  const handler = createMcpHandler(new McpServer({ name: "files", version: "1.0.0" }), {
    allowedHosts: ["mcp.example.com"],
    authorization,
  });
  onTestFinished(() => handler.close(0));
  const response = await handler.fetch(new Request("https://mcp.example.com/mcp", { method: "POST" }));
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toMatch(challenge);
});

test("dpop.ts does not start without its secret", async () => {
  vi.stubEnv("NONCE_SECRET", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  // A folder of its own: modules of one path are evaluated once.
  const path = await writeProgram(guideFolder([]), page, "dpop");
  await expect(import(pathToFileURL(path).href)).rejects.toThrow("dpop.nonces.secret");
});
