/**
 * Starts an authorization server and a protected MCP server until it is stopped, and prints the URL of the MCP server:
 * `npx tsx test/auth-server/main.ts [--opaque] [--dpop]`. Clients may register. The service `report` has the secret `report-secret`.
 */
import { parseArgs } from "node:util";
import { startAuthServer } from "./auth-server.js";
import { startProtectedServer } from "./protected-server.js";

const { values } = parseArgs({ options: { opaque: { type: "boolean" }, dpop: { type: "boolean" } } });
const auth = await startAuthServer({
  registration: true,
  clients: [
    {
      client_id: "report",
      client_secret: "report-secret",
      grant_types: ["client_credentials"],
      response_types: [],
      redirect_uris: [],
    },
  ],
});
const server = await startProtectedServer(auth, {
  tokens: values.opaque === true ? "opaque" : "jwt",
  dpop: values.dpop === true,
});
process.stdout.write(`${server.url.href}\n`);
