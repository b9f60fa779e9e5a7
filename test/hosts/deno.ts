/** Serves the fetch handler on Deno. */
import { servedByFetch } from "./served.js";

declare const Deno: {
  serve(
    options: { readonly port: number; readonly hostname: string; readonly onListen: (at: { port: number }) => void },
    handler: (request: Request) => Promise<Response>,
  ): unknown;
};

const onListen = ({ port }: { port: number }): void => void process.stdout.write(`http://127.0.0.1:${port}/mcp\n`);
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, servedByFetch().fetch);
