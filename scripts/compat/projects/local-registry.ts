import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join, resolve } from "node:path";
import { pack, packageFolders } from "../../packages.js";

const root = resolve(import.meta.dirname, "../../..");

/** An npm registry on this machine that has our packages, as they would be published. */
export interface LocalRegistry {
  /** The lines of `.npmrc` with which npm takes our packages from this registry, and all others from its usual one. */
  readonly npmrc: string;
  readonly close: () => Promise<void>;
}

/**
 * Packs all built packages and serves them.
 * @param folder receives the tarballs
 */
export async function startLocalRegistry(folder: string): Promise<LocalRegistry> {
  const tarballs = pack(folder, packageFolders);
  const packages = packageFolders.map((path, index) => {
    const manifest = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")) as Manifest;
    const data = readFileSync(tarballs[index] ?? "");
    return { manifest, data, file: basename(tarballs[index] ?? "") };
  });
  const server = createServer(({ url = "", headers }, response) => {
    const name = decodeURIComponent(url.slice(1));
    const found = packages.find(({ manifest, file }) => name === manifest.name || name === file);
    if (!found) response.writeHead(404).end("{}");
    else if (name === found.file) response.end(found.data);
    else response.end(JSON.stringify(documentOf(found, `http://${headers.host ?? ""}/${found.file}`)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    npmrc: `@mcpwright:registry=http://127.0.0.1:${port}/\n`,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

interface Manifest {
  readonly name: string;
  readonly version: string;
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
