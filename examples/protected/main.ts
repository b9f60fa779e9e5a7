/**
 * Starts an authorization server and an MCP server that accepts its tokens; then a client, whose user logs in with headless Chromium:
 * `npx tsx examples/protected/main.ts`.
 */
import { serveHttp } from "@mcpwright/runtime/node";
import { startAuthorizationServer } from "../authorization-server.js";
import { BrowserUser } from "../browser.js";
import { freePort } from "../../scripts/free-port.js";
import { keepDiary } from "./client.js";
import { createAuthorization, createDiaries, scopes } from "./server.js";

const authorizationServer = await startAuthorizationServer({ registration: true, scopes: Object.values(scopes) });
const port = await freePort();
const url = `http://127.0.0.1:${port}/mcp`;
const authorization = createAuthorization(authorizationServer.issuer, url);
const served = await serveHttp(createDiaries(authorization), { port, authorization });

/** Ports differ each time. */
function print(line: string): void {
  console.log(line.replace(new URL(authorizationServer.issuer).host, "the authorization server"));
}

try {
  const { status } = await fetch(url, { method: "POST" });
  print(`A request without a token gets ${status}.`);
  for (const name of ["ada", "grace"]) {
    const user = await BrowserUser.start(name, print);
    try {
      await keepDiary(url, user.open, print);
    } finally {
      await user.close();
    }
  }
} finally {
  await served.close();
  await authorizationServer.close();
}
