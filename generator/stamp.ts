import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "./package-root.js";
import { templateFiles } from "./render/render.js";

/**
 * Tells whether the generator itself is the one that last wrote a folder. A published version is told by its
 * number; when the generator runs from its sources, a digest of them is kept in the local cache.
 */
export interface Stamp {
  isCurrent(out: string): boolean;
  keep(out: string): void;
}

export function createStamp(): Stamp {
  const here = fileURLToPath(import.meta.url);
  if (!here.endsWith(".ts")) return { isCurrent: () => true, keep: () => undefined };
  const cache = join(packageRoot().folder, "node_modules/.cache/mcpwright/stamps.json");
  const digest = digestSources(dirname(here));
  const stamps = readStamps(cache);
  return {
    isCurrent: (out) => stamps[resolve(out)] === digest,
    keep: (out) => {
      if (stamps[resolve(out)] === digest) return;
      try {
        mkdirSync(dirname(cache), { recursive: true });
        writeFileSync(cache, JSON.stringify({ ...stamps, [resolve(out)]: digest }));
      } catch {
        // Without a cache the next run does all the work again, which is only slower.
      }
    },
  };
}

function readStamps(cache: string): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(cache, "utf8")) as Record<string, string>;
  } catch {
    return {};
  }
}

function digestSources(folder: string): string {
  const templates = join(packageRoot().folder, "templates");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .sort();
  const hash = createHash("sha256");
  for (const name of sources) hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  for (const name of templateFiles(templates)) hash.update(`${name}\0`).update(readFileSync(join(templates, name)));
  hash.update(readFileSync(join(packageRoot().folder, "package.json")));
  return hash.digest("hex");
}
