import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join, resolve } from "node:path";
import { pack } from "./packages.js";

const root = resolve(import.meta.dirname, "..");

/** An npm registry on the loopback interface that has our packages, as they would be published. */
export interface LocalRegistry {
  /** The lines of `.npmrc` with which npm takes our packages from this registry, and all others from its usual one. */
  readonly npmrc: string;
  /** The paths of the tarballs, in the order of the folders. */
  readonly tarballs: readonly string[];
  readonly close: () => void;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/**
 * Packs built packages and serves them.
 * @param destination the folder that receives the tarballs
 * @param folders those of the packages, relative to the root
 */
export async function startLocalRegistry(destination: string, folders: readonly string[]): Promise<LocalRegistry> {
  mkdirSync(destination, { recursive: true });
  const tarballs = pack(destination, folders);
  const packages = tarballs.map((path, index) => {
    const manifest = JSON.parse(readFileSync(join(root, folders[index] ?? "", "package.json"), "utf8")) as Manifest;
    return { manifest, data: readFileSync(path), file: basename(path) };
  });
  const server = createServer(({ url = "", headers }, response) => {
    const name = decodeURIComponent(url.slice(1));
    const found = packages.find(({ manifest, file }) => name === manifest.name || name === file);
    if (!found) {
      response.writeHead(404).end("{}");
    } else if (name === found.file) {
      response.end(found.data);
    } else {
      const document = documentOf(found, `http://${headers.host ?? ""}/${found.file}`);
      response.setHeader("content-type", "application/json").end(JSON.stringify(document));
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    npmrc: `@mcpwright:registry=http://127.0.0.1:${port}/\nnoproxy=127.0.0.1\n`,
    tarballs,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What a registry answers about a package. */
function documentOf(
  { manifest, data }: { readonly manifest: Manifest; readonly data: Buffer },
  tarball: string,
): object {
  const { name, version } = manifest;
  const dist = { tarball, integrity: `sha512-${createHash("sha512").update(data).digest("base64")}` };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
