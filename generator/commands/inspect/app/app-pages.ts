import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { AppClient } from "@mcpwright/runtime/apps/host";
import { sandboxPage } from "@mcpwright/runtime/apps/host";
import { McpError, ProtocolError } from "@mcpwright/runtime/errors";
import { packageRoot } from "../../../shared/package-root.js";
import type { PageData, ServerRequest, ServerResponse as Answer } from "./page-data.js";
import { pageHtml } from "./page-html.js";

/** Bytes of a request of the page. */
const maxBytes = 10_000_000;

export interface AppPages {
  /** The page that shows the app. Its path has a secret, so that other programs and pages cannot call tools. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves the page of a host and, from another origin, that of the sandbox; both on the loopback interface only. */
export async function serveAppPages(
  data: Omit<PageData, "sandboxUrl" | "version">,
  client: AppClient,
): Promise<AppPages> {
  const script = readFileSync(join(packageRoot().folder, "dist/pages/app-host.js"));
  const secret = randomBytes(16).toString("hex");
  const host = createServer((request, response) => void serveHost(request, response));
  const hostOrigin = await listen(host);
  const sandbox = createServer((request, response) => {
    try {
      if (!isFor(request, sandboxOrigin) || request.method !== "GET") {
        send(response, 404);
        return;
      }
      const { headers, html } = sandboxPage(new URL(request.url ?? "", sandboxOrigin), { hostOrigins: [hostOrigin] });
      send(response, 200, html, headers);
    } catch (error) {
      send(response, 400, (error as Error).message);
    }
  });
  const sandboxOrigin = await listen(sandbox);
  const whole: PageData = { ...data, version: packageRoot().version, sandboxUrl: `${sandboxOrigin}/` };
  const policy = `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; frame-src ${sandboxOrigin}; frame-ancestors 'none'`;

  async function serveHost(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.startsWith(`/${secret}/`) ? request.url.slice(secret.length + 2) : undefined;
    switch (path !== undefined && isFor(request, hostOrigin) && `${request.method ?? ""} ${path}`) {
      case "GET ":
        send(response, 200, pageHtml, { "content-type": html, "content-security-policy": policy });
        break;
      case "GET host.js":
        send(response, 200, script, { "content-type": "text/javascript; charset=utf-8" });
        break;
      case "GET data.json":
        send(response, 200, JSON.stringify(whole), { "content-type": json });
        break;
      case "POST request":
        send(response, 200, JSON.stringify(await answer(request, response, client)), { "content-type": json });
        break;
      default:
        send(response, 404);
    }
  }

  return {
    url: `${hostOrigin}/${secret}/`,
    close: async () => {
      await Promise.all([host, sandbox].map(end));
    },
  };
}

const html = "text/html; charset=utf-8";
const json = "application/json";

/** Sends a request of the app to its server; it is cancelled when the page does not wait for the response any more. */
async function answer(request: IncomingMessage, response: ServerResponse, client: AppClient): Promise<Answer> {
  const aborted = new AbortController();
  // Not of the socket, which further requests use.
  response.once("close", () => aborted.abort());
  const { signal } = aborted;
  try {
    if (Number(request.headers["content-length"] ?? Infinity) > maxBytes)
      throw new ProtocolError(-32600, `The request of the app is longer than ${maxBytes} bytes`);
    const { kind, params } = JSON.parse(await text(request)) as ServerRequest;
    switch (kind) {
      case "listTools":
        return { result: await client.listTools() };
      case "callTool":
        return { result: await client.callTool(params as never, { signal }) };
      case "readResource":
        return { result: await client.readResource(params as never, { signal }) };
      default:
        throw new ProtocolError(-32600, `The page cannot ask for ${String(kind)}`);
    }
  } catch (error) {
    const { code } = error as { code?: unknown };
    const { data } = error instanceof McpError ? error : {};
    return {
      error: {
        code: typeof code === "number" ? code : -32603,
        message: (error as Error).message,
        ...(data !== undefined && { data }),
      },
    };
  }
}

/** A page of another site can make a browser send requests here, but not with this name and origin. */
function isFor({ headers: { host, origin } }: IncomingMessage, own: string): boolean {
  return `http://${String(host)}` === own && (origin === undefined || origin === own);
}

function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer = "",
  headers: Readonly<Record<string, string>> = {},
): void {
  const { "content-type": type = "text/plain; charset=utf-8" } = headers;
  response.writeHead(status, {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    ...headers,
    "content-type": type,
  });
  response.end(body);
}

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function end(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
