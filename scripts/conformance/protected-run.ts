/** Runs the server scenarios once more against the fixture server with authorization on. */
import { join } from "node:path";
import { startFixtureServer } from "./fixture-server.js";
import { startFront } from "./front.js";
import { runServerScenarios, type TogetherSubject } from "./run-together.js";
import { startTokenIssuer } from "./token-issuer.js";

/** The scope that all requests to the protected fixture server need. */
const scope = "fixture:use";

/**
 * Starts the fixture server with authorization, and a front that adds a token.
 * @throws Error when the server accepts requests without a token
 */
export async function startProtectedServer(results: string): Promise<TogetherSubject> {
  const issuer = await startTokenIssuer();
  const front = await startFront();
  const resource = `${front.origin}/mcp`;
  const required = ["--issuer", issuer.issuer, "--resource", resource, "--scope", scope];
  const server = await startFixtureServer(join(results, "protected-server.txt"), required);
  const end = async (): Promise<void> => {
    await server.end();
    await front.end();
    await issuer.end();
  };
  try {
    await assertChallenge(server.url, resource);
    front.passTo({ url: server.url, authorization: `Bearer ${await issuer.issue(resource, scope)}` });
  } catch (error) {
    await end();
    throw error;
  }
  return {
    end,
    run: (suite, revision, jobs) =>
      runServerScenarios(suite, revision, jobs, { url: resource, folder: join(results, `protected-${revision}`) }),
  };
}

/** @throws Error unless the server rejects a request without a token, and names the document of its metadata */
async function assertChallenge(url: string, resource: string): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
  });
  await response.body?.cancel();
  const challenge = response.headers.get("www-authenticate") ?? "";
  const { origin, pathname } = new URL(resource);
  const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource${pathname}"`;
  if (response.status !== 401 || !challenge.startsWith("Bearer ") || !challenge.includes(metadata))
    throw new Error(
      `without a token, the protected fixture server answered ${response.status} with the challenge ${JSON.stringify(challenge)}`,
    );
}
