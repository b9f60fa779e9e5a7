/** Serves the fetch handler on Bun. */
import { servedByFetch } from "./served.js";

declare const Bun: {
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    readonly fetch: (request: Request) => Promise<Response>;
  }): { readonly url: URL };
};

const { url } = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: servedByFetch().fetch });
process.stdout.write(`${new URL("/mcp", url).href}\n`);
