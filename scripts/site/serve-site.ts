import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

const mediaTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/** The built site, served on the loopback interface as hosts of static files do. */
export interface ServedSite {
  readonly origin: string;
  /** The files that were requested since the last call, and the sizes of their compressed bodies. */
  takeRequests(): readonly { readonly path: string; readonly size: number }[];
  close(): void;
}

export async function serveSite(folder: string): Promise<ServedSite> {
  let requests: { path: string; size: number }[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    const file = fileAt(folder, path);
    const body = gzipSync(readFileSync(file ?? join(folder, "404.html")));
    requests.push({ path, size: body.byteLength });
    response.writeHead(file === undefined ? 404 : 200, {
      "content-type": mediaTypes[extname(file ?? ".html")] ?? "application/octet-stream",
      "content-encoding": "gzip",
    });
    response.end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function fileAt(folder: string, path: string): string | undefined {
  const found = [path, `${path}.html`, join(path, "index.html")].map((name) => join(folder, name));
  return found.find((file) => file.startsWith(folder) && existsSync(file) && statSync(file).isFile());
}

/** The HTML files of the site, as paths from its root. */
export function htmlFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => `/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".html"))
    .sort();
}
