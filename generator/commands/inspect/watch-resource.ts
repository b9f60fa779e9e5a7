import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { ServerSession } from "../../shared/sessions/open-session.js";

export interface WatchOptions {
  readonly tell: (line: string) => void;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** Aborted when the server goes away. */
  readonly ended: AbortSignal;
}

/** Tells whenever a resource has changed, until it is called off or the server goes away. */
export async function watchResource(
  { client, run }: ServerSession,
  uri: string,
  { tell, signal, ended }: WatchOptions,
): Promise<void> {
  const what = `watch ${uri}`;
  const isGranted = await run(what, () =>
    client.subscribeResource({ uri }, (changed) => tell(`${changed} has changed`)),
  );
  if (!isGranted) fail("server-lacks", { what, reason: "the server does not tell when it changes" });
  tell(`watching ${uri}; Ctrl-C ends`);
  const over = AbortSignal.any(signal ? [signal, ended] : [ended]);
  await new Promise<void>((resolve) => {
    if (over.aborted) resolve();
    else over.addEventListener("abort", () => resolve(), { once: true });
  });
  if (ended.aborted) await run(what, () => Promise.reject(ended.reason as Error));
}
