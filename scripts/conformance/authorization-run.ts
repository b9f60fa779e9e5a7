/** Runs the scenarios for authorization servers against the OAuth proxy of the example `proxy`. */
import { join } from "node:path";
import { startAuthorizationServer } from "../../examples/authorization-server.js";
import { BrowserUser } from "../../examples/browser.js";
import { freePort } from "../free-port.js";
import { serveProfiles } from "../../examples/proxy/server.js";
import { runTogether, type TogetherSubject } from "./run-together.js";

/** Both scenarios run in one process, because the second one uses the metadata that the first one finds. */
const patienceMs = 60_000;

/** Starts a provider, and an MCP server with the proxy before it. In each run, a user with Chromium follows the URL that the suite prints. */
export async function startOAuthProxy(results: string): Promise<TogetherSubject> {
  const port = await freePort();
  const [clientId, clientSecret] = ["of-the-suite", "secret-of-the-application"];
  const application = {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [`http://127.0.0.1:${port}/callback`],
  };
  const provider = await startAuthorizationServer({ clients: [application] });
  const served = await serveProfiles({ issuer: provider.issuer, clientId, clientSecret }, port);
  const { origin, href: resource } = served.url;
  return {
    async run(suite, revision, jobs) {
      const callbackPort = await freePort();
      const client = await register(origin, callbackPort);
      const options = ["--url", origin, "--resource", resource, "--client-id", client, "--port", String(callbackPort)];
      const problems: string[] = [];
      let isOpen = false;
      // The provider keeps one grant of a client for each session of a user: runs at the same time must not share the session.
      const user = await BrowserUser.start("ada", () => undefined);
      const verdicts = await runTogether(suite, jobs, {
        args: ["authorization", ...options, "--spec-version", revision],
        folder: join(results, `authorization-${revision}`),
        patienceMs,
        onOutput(output) {
          const url = authorizationUrlIn(output, origin);
          if (isOpen || !url) return;
          isOpen = true;
          user.open(url).catch((error: unknown) => problems.push(`the user cannot open ${url.href}: ${String(error)}`));
        },
      }).finally(() => user.close());
      return verdicts.map((verdict) => ({ ...verdict, problems: [...verdict.problems, ...problems] }));
    },
    async end() {
      await served.close();
      await provider.close();
    },
  };
}

/** Registers a client without a secret, as the suite is one. @returns its id */
async function register(origin: string, port: number): Promise<string> {
  const metadata = await fetch(`${origin}/.well-known/oauth-authorization-server`);
  const { registration_endpoint: endpoint } = (await metadata.json()) as { readonly registration_endpoint: string };
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "the suite",
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      token_endpoint_auth_method: "none",
    }),
  });
  const body = await response.text();
  if (response.status !== 201) throw new Error(`the proxy answered the registration with ${response.status}: ${body}`);
  return (JSON.parse(body) as { readonly client_id: string }).client_id;
}

/** The line of the output with the URL that a user has to open. */
function authorizationUrlIn(output: string, origin: string): URL | undefined {
  const line = output
    .split("\n")
    .slice(0, -1)
    .find((one) => one.startsWith(`${origin}/`) && one.includes("response_type=code"));
  return line === undefined ? undefined : new URL(line);
}
