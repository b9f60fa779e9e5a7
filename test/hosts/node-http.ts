/** Serves on `node:http` directly. Arguments: the allowed origins. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { serveHttp, toNodeHandler } from "@mcpwright/runtime/node";
import { issueToken, protectedServed } from "./protected.js";
import { protectedPath } from "./protected-paths.js";
import { served, servedOptions } from "./served.js";

const allowedOrigins = process.argv.slice(2);
const guarded = toNodeHandler(protectedServed(allowedOrigins));

async function issue(url: URL, response: ServerResponse): Promise<void> {
  const issued = await issueToken(url);
  response.writeHead(issued.status, Object.fromEntries(issued.headers)).end(await issued.text());
}

function fallback(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://localhost");
  if (url.pathname === protectedPath) guarded(request, response);
  else void issue(url, response);
}

const { url } = await serveHttp(served(), { ...servedOptions, allowedOrigins, fallback });
process.stdout.write(`${url.href}\n`);
