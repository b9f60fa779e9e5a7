import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { root } from "../interop/paths.js";

/** A registry of our packages on the loopback interface, from which npm installs them as if they were published. */
export interface Registry {
  /** The content of an `.npmrc` that selects this registry. */
  readonly npmrc: string;
  /** The tarball of the command line, which npm installs from the file. */
  readonly commandLine: string;
  readonly close: () => void;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** Packs the three packages into `folder`, and serves the two libraries. */
export async function openRegistry(folder: string): Promise<Registry> {
  mkdirSync(folder);
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    const tarball = tarballs.get(path.slice(1));
    const document = documents.get(path.slice(1));
    if (tarball) response.end(tarball);
    else if (document) response.setHeader("content-type", "application/json").end(JSON.stringify(document));
    else response.writeHead(404).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  const tarballs = new Map<string, Buffer>();
  const documents = new Map<string, object>();
  for (const name of ["generated", "runtime"]) {
    const manifest = JSON.parse(readFileSync(join(root, name, "package.json"), "utf8")) as Manifest;
    const file = pack(name, folder);
    const bytes = readFileSync(join(folder, file));
    tarballs.set(file, bytes);
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    const version = { ...manifest, dist: { tarball: url + file, integrity } };
    documents.set(manifest.name, {
      name: manifest.name,
      "dist-tags": { latest: manifest.version },
      versions: { [manifest.version]: version },
    });
  }
  const commandLine = join(folder, pack(".", folder));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { npmrc: `@mcpwright:registry=${url}\nnoproxy=127.0.0.1\n`, commandLine, close };
}

/** @returns the name of the file */
function pack(name: string, folder: string): string {
  const before = new Set(readdirSync(folder));
  const options = ["--ignore-scripts", "--silent", "--pack-destination", folder];
  execFileSync("npm", ["pack", join(root, name), ...options], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const file = readdirSync(folder).find((one) => !before.has(one));
  if (file === undefined) throw new Error(`npm pack wrote no tarball for ${name}`);
  return file;
}
