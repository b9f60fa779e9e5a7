import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { AppClient } from "@mcpwright/runtime/apps/host";
import { sandboxPage } from "@mcpwright/runtime/apps/host";
import { ProtocolError } from "@mcpwright/runtime/errors";
import { closeServer, isForOrigin, listenOnLoopback, sendReply } from "../../../shared/loopback/loopback-server.js";
import { readJson } from "../../../shared/loopback/read-json.js";
import { pageErrorOf } from "../../../shared/loopback/page-error.js";
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
  const hostOrigin = await listenOnLoopback(host);
  const sandbox = createServer((request, response) => {
    try {
      if (!isForOrigin(request, sandboxOrigin) || request.method !== "GET") {
        sendReply(response, 404);
        return;
      }
      const { headers, html } = sandboxPage(new URL(request.url ?? "", sandboxOrigin), { hostOrigins: [hostOrigin] });
      sendReply(response, 200, html, headers);
    } catch (error) {
      sendReply(response, 400, (error as Error).message);
    }
  });
  const sandboxOrigin = await listenOnLoopback(sandbox);
  const whole: PageData = { ...data, version: packageRoot().version, sandboxUrl: `${sandboxOrigin}/` };
  const policy = `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; frame-src ${sandboxOrigin}; frame-ancestors 'none'`;

  async function serveHost(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.startsWith(`/${secret}/`) ? request.url.slice(secret.length + 2) : undefined;
    switch (path !== undefined && isForOrigin(request, hostOrigin) && `${request.method ?? ""} ${path}`) {
      case "GET ":
        sendReply(response, 200, pageHtml, { "content-type": html, "content-security-policy": policy });
        break;
      case "GET host.js":
        sendReply(response, 200, script, { "content-type": "text/javascript; charset=utf-8" });
        break;
      case "GET data.json":
        sendReply(response, 200, JSON.stringify(whole), { "content-type": json });
        break;
      case "POST request":
        sendReply(response, 200, JSON.stringify(await answer(request, response, client)), { "content-type": json });
        break;
      default:
        sendReply(response, 404);
    }
  }

  return {
    url: `${hostOrigin}/${secret}/`,
    close: async () => {
      await Promise.all([host, sandbox].map(closeServer));
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
    const { kind, params } = (await readJson(request, maxBytes)) as ServerRequest;
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
    return { error: pageErrorOf(error) };
  }
}
