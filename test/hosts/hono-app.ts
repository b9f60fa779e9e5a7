/** A Hono application that serves the fetch handler, as `@hono/node-server` gets it. */
import { Hono } from "hono";
import { servedByFetch } from "./served.js";

/** The options that both major versions of `serve` have. */
export interface ServeOptions {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly hostname: string;
  readonly port: number;
}

export function honoOptions(): ServeOptions {
  const { fetch } = servedByFetch();
  const app = new Hono().all("*", (context) => fetch(context.req.raw));
  return { fetch: (request) => app.fetch(request), hostname: "127.0.0.1", port: 0 };
}

export function printUrl({ port }: { readonly port: number }): void {
  process.stdout.write(`http://127.0.0.1:${port}/mcp\n`);
}
