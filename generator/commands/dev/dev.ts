import type { DevOptions } from "./dev-options.js";

export type { DevOptions } from "./dev-options.js";

/**
 * Runs a server from its source behind a relay, and restarts it when its files change: the host stays connected, and its session is opened
 * again. Serves the host that started this process, or HTTP clients. Resolves when the host, or `signal`, has ended it and no process of the
 * server is left.
 * @example
 * ```ts
 * await dev({ entry: "src/main.ts", print: (line) => console.error(line) });
 * ```
 * @throws DiagnosticError dev-*
 */
export async function dev(options: DevOptions): Promise<void> {
  const { serveDev } = await import("./serve-dev.js");
  await serveDev(options);
}
