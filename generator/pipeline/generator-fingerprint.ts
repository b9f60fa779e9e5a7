import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../shared/package-root.js";
import { templateFiles } from "./render/render.js";

/**
 * Reports whether the running generator is the one that last wrote a folder. A published version is identified by its
 * number; for a generator that runs from its sources, a digest of them is kept in the local cache.
 */
export interface GeneratorFingerprint {
  isCurrent(out: string): boolean;
  remember(out: string): void;
}

export function createGeneratorFingerprint(): GeneratorFingerprint {
  const here = fileURLToPath(import.meta.url);
  if (!here.endsWith(".ts")) return { isCurrent: () => true, remember: () => undefined };
  const cache = join(packageRoot().folder, "node_modules/.cache/mcpwright/fingerprints.txt");
  const digest = digestSources(join(packageRoot().folder, "generator"));
  const fingerprints = readFingerprints(cache);
  return {
    isCurrent: (out) => fingerprints.get(resolve(out)) === digest,
    remember: (out) => {
      if (fingerprints.get(resolve(out)) === digest) return;
      try {
        mkdirSync(dirname(cache), { recursive: true });
        if (fingerprints.size > 100) forgetGone(cache, fingerprints);
        appendFileSync(cache, `${digest} ${resolve(out)}\n`);
      } catch {
        // Without a cache, the next run only repeats the work.
      }
    },
  };
}

/**
 * Digest by folder. Lines are only appended, so that parallel runs do not undo each other's entries; the last one
 * counts.
 */
function readFingerprints(cache: string): ReadonlyMap<string, string> {
  try {
    const lines = readFileSync(cache, "utf8").split("\n");
    return new Map(lines.map((line) => [line.slice(65), line.slice(0, 64)]));
  } catch {
    return new Map();
  }
}

function forgetGone(cache: string, fingerprints: ReadonlyMap<string, string>): void {
  const lines = [...fingerprints].flatMap(([out, digest]) => (existsSync(out) ? [`${digest} ${out}\n`] : []));
  writeFileSync(`${cache}.${process.pid}`, lines.join(""));
  renameSync(`${cache}.${process.pid}`, cache);
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
