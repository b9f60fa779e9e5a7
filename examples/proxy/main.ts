/**
 * Starts a provider that stands for GitHub or Google, and an MCP server with an OAuth proxy before it; then a client, whose user
 * consents at the proxy and logs in at the provider with headless Chromium: `npx tsx examples/proxy/main.ts`.
 */
import { startAuthorizationServer } from "../authorization-server.js";
import { BrowserUser } from "../browser.js";
import { freePort } from "../../scripts/free-port.js";
import { askForName } from "./client.js";
import { serveProfiles } from "./server.js";

const port = await freePort();
const application = {
  client_id: "profiles",
  client_secret: "secret-of-the-application",
  redirect_uris: [`http://127.0.0.1:${port}/callback`],
};
const provider = await startAuthorizationServer({ clients: [application] });
const { client_id: clientId, client_secret: clientSecret } = application;
const served = await serveProfiles({ issuer: provider.issuer, clientId, clientSecret }, port);

/** Ports differ each time. */
function print(line: string): void {
  console.log(line.replace(new URL(provider.issuer).host, "the provider").replace(served.url.host, "the MCP server"));
}

try {
  const user = await BrowserUser.start("ada", print);
  try {
    // The provider remembers the log-in. The proxy asks again: any program could receive a redirect to this machine.
    for (let times = 1; times <= 2; times++) print(await askForName(served.url.href, user.open));
  } finally {
    await user.close();
  }
} finally {
  await served.close();
  await provider.close();
}
