import { createRequire } from "node:module";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Running } from "./children.js";
import { built, hostsFolder } from "./paths.js";

/** The part of miniflare's API that is used. It is installed in another package. */
interface Miniflare {
  readonly ready: Promise<URL>;
  dispose(): Promise<void>;
}

interface Worker {
  readonly modules: true;
  readonly scriptPath: string;
  readonly compatibilityDate: string;
  readonly handleRuntimeStdio: (stdout: Readable, stderr: Readable) => void;
  readonly durableObjects?: Readonly<Record<string, string>>;
}

/** Starts a worker without Node's modules, which would need a compatibility flag. */
export async function startWorker(name: string, durableObjects?: Worker["durableObjects"]): Promise<Running> {
  const { Miniflare } = createRequire(join(hostsFolder, "package.json"))("miniflare") as {
    Miniflare: new (worker: Worker) => Miniflare;
  };
  const worker = new Miniflare({
    modules: true,
    scriptPath: built(name),
    compatibilityDate: "2026-04-01",
    // It logs an error for every client that disconnects.
    handleRuntimeStdio: (stdout, stderr) => {
      stdout.resume();
      stderr.resume();
    },
    ...(durableObjects && { durableObjects }),
  });
  return { url: new URL("/mcp", await worker.ready).href, end: () => worker.dispose() };
}
