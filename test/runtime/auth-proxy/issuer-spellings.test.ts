/** Spellings of one issuer: the provider gets the callback that its operator registered, and browsers the cookies of https. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as oauth from "oauth4webapi";
import { expect, onTestFinished, test } from "vitest";
import { createOAuthProxy } from "../../../runtime/src/auth-proxy/create-oauth-proxy.js";
import { fakeUpstream, redirectUri, TestBrowser } from "./started-proxy.js";

/** Opens the page of an authorization and allows it. @returns the names of the pages' cookies, and the callback that the provider gets */
async function allowAt(
  issuer: string | URL,
): Promise<{ readonly names: readonly string[]; readonly callback: string }> {
  let callback = "none";
  const proxy = await createOAuthProxy({
    issuer,
    resource: "https://mcp.example.com/mcp",
    upstream: {
      ...fakeUpstream,
      authorizationUrl: (request) => {
        callback = request.redirectUri;
        return new URL("https://upstream.example/log-in");
      },
    },
    secrets: ["a secret of the tests, which is long enough"],
    clients: [{ clientId: "desktop", redirectUris: [redirectUri] }],
    allowedHosts: "any",
  });
  const server = createServer(proxy.listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { pathname } = new URL(proxy.issuer);
  const browser = new TestBrowser();
  const request = new URLSearchParams({
    client_id: "desktop",
    redirect_uri: redirectUri,
    response_type: "code",
    code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
    code_challenge_method: "S256",
  });
  const began = await browser.load(`${origin}${pathname === "/" ? "" : pathname}/authorize?${request.toString()}`);
  const at = new URL(began.headers.get("location") ?? "", origin);
  const page = await browser.load(`${origin}${at.pathname}`);
  const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  const body = new URLSearchParams({ csrf, decision: "allow" });
  const answered = await browser.load(`${origin}${at.pathname}`, { method: "POST", body });
  const names = [page, answered].flatMap(({ headers }) =>
    headers.getSetCookie().map((cookie) => cookie.replace(/-[\w-]{16}=.*/, "")),
  );
  return { names, callback };
}

test.each<[string | URL, string]>([
  ["https://mcp.example.com", "https://mcp.example.com/callback"],
  ["https://mcp.example.com/", "https://mcp.example.com/callback"],
  ["HTTPS://mcp.example.com", "https://mcp.example.com/callback"],
  ["https://MCP.example.com:443", "https://mcp.example.com/callback"],
  [new URL("https://mcp.example.com"), "https://mcp.example.com/callback"],
  ["https://MCP.example.com/auth", "https://mcp.example.com/auth/callback"],
])("%s", async (issuer, callback) => {
  expect(await allowAt(issuer)).toEqual({ names: ["__Host-mcp-form", "__Host-mcp-login"], callback });
});
