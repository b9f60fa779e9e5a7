/**
 * Starts an authorization server, an MCP server that accepts only tokens bound to a key, and a service that uses it:
 * `npx tsx examples/service/main.ts`.
 */
import { serveHttp } from "@mcpwright/runtime/node";
import { startAuthorizationServer } from "../authorization-server.js";
import { freePort } from "../../scripts/free-port.js";
import { createAuthorization, createSales, scopes } from "./server.js";
import { createProvider, reportSales } from "./service.js";

const port = await freePort();
const url = `http://127.0.0.1:${port}/mcp`;
const service = { clientId: "till-7", clientSecret: "secret-of-till-7" };
const authorizationServer = await startAuthorizationServer({
  scopes: Object.values(scopes),
  clients: [
    {
      client_id: service.clientId,
      client_secret: service.clientSecret,
      grant_types: ["client_credentials"],
      response_types: [],
      redirect_uris: [],
    },
  ],
  dpop: true,
});
const authorization = createAuthorization(authorizationServer.issuer, url);
const served = await serveHttp(createSales(authorization), { port, authorization });

try {
  const authProvider = createProvider(service, authorizationServer.issuer);
  for (const line of await reportSales(url, authProvider, [30, 12])) console.log(line);

  const token = (await authProvider.token({ url: new URL(url) })) ?? "";
  for (const scheme of ["Bearer", "DPoP"]) {
    const { status } = await fetch(url, { method: "POST", headers: { authorization: `${scheme} ${token}` } });
    console.log(`A thief with the token, but without the key, gets ${status} with the scheme ${scheme}.`);
  }
} finally {
  await served.close();
  await authorizationServer.close();
}
