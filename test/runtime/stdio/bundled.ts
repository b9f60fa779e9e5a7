import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** The URL of the server's transport, bundled as one module that a child process can import. */
export function bundledServerTransport(): string {
  const outfile = join(temporaryFolder("stdio"), "server-transport.mjs");
  const source = join(import.meta.dirname, "../../../runtime/src/stdio/stdio-server-transport.ts");
  buildSync({ entryPoints: [source], outfile, bundle: true, platform: "node", format: "esm" });
  return pathToFileURL(outfile).href;
}

/** The path of a script that plays the other end. */
export function fixture(name: string): string {
  return join(import.meta.dirname, "fixtures", name);
}
