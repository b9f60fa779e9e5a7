import { randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { closeServer, isForOrigin, listenOnLoopback, sendReply } from "../../../shared/loopback/loopback-server.js";
import { packageRoot } from "../../../shared/package-root.js";
import { pageHtml } from "./page-html.js";
import { pageStyle } from "./page-style.js";
import { TOKEN_HEADER } from "./page-data.js";

/** What the page may ask for, with its token. */
export interface PageApi {
  /** Serves the stream of events. @param lastEventId the id of the last event that the page has */
  readonly events: (lastEventId: string | undefined, response: ServerResponse) => void;
  /** By path: answers a POST with JSON. @throws the error that the page gets as status 400 */
  readonly posts: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<object>>>;
}

export interface PageServer {
  /** The address of the page, with its token. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; media-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/**
 * Serves the page on the loopback interface only. The page itself contains nothing of servers, and everybody on this machine may load it;
 * what it asks for needs the token. A header carries it: browsers send cookies to every port of a host, and headers of this kind only
 * from the page itself.
 * @param port 0 for any free one
 * @throws the error of the system, such as `EADDRINUSE`
 */
export async function servePage(api: PageApi, port: number): Promise<PageServer> {
  const script = readFileSync(join(packageRoot().folder, "dist/pages/dev.js"));
  const token = randomBytes(24).toString("base64url");
  const files: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
    "/": ["text/html; charset=utf-8", pageHtml],
    "/dev.css": ["text/css; charset=utf-8", pageStyle],
    "/dev.js": ["text/javascript; charset=utf-8", script],
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "" } = request;
    const file = method === "GET" && Object.hasOwn(files, path) ? files[path] : undefined;
    const post = method === "POST" && Object.hasOwn(api.posts, path) ? api.posts[path] : undefined;
    if (!isForOrigin(request, origin)) sendReply(response, 403, "Forbidden: another host or origin");
    else if (file) sendReply(response, 200, file[1], { "content-type": file[0], ...fileHeaders });
    else if (!hasToken(request, token)) sendReply(response, 401, "Open the address that mcpwright dev has printed.");
    else if (method === "GET" && path === "/events") api.events(request.headers["last-event-id"]?.toString(), response);
    else if (post) await answerPost(post(request, response), response);
    else sendReply(response, 404, "Not Found");
  }

  const server = createServer((request, response) => void serve(request, response));
  const origin = await listenOnLoopback(server, port);
  return { url: `${origin}/#${token}`, close: () => closeServer(server) };
}

async function answerPost(answer: Promise<object>, response: ServerResponse): Promise<void> {
  try {
    sendReply(response, 200, JSON.stringify(await answer), { "content-type": "application/json" });
  } catch (error) {
    sendReply(response, 400, (error as Error).message);
  }
}

const fileHeaders = { "content-security-policy": policy, "cross-origin-resource-policy": "same-origin" };

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers[TOKEN_HEADER]?.toString() ?? "");
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
