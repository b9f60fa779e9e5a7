import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { ServerSession } from "../../shared/sessions/open-session.js";

export interface WatchOptions {
  readonly tell: (line: string) => void;
  /** Stops watching. */
  readonly signal?: AbortSignal;
  /** Aborted when the connection closes. */
  readonly ended: AbortSignal;
}

/** Prints each change of a resource until the signal is aborted or the connection closes. */
export async function watchResource(
  { client, run }: ServerSession,
  uri: string,
  { tell, signal, ended }: WatchOptions,
): Promise<void> {
  const what = `watch ${uri}`;
  const isGranted = await run(what, () =>
    client.subscribeResource({ uri }, (changed) => tell(`${changed} has changed`)),
  );
  if (!isGranted) fail("server-lacks", { what, reason: "the server does not report its changes" });
  tell(`watching ${uri}; press Ctrl-C to stop`);
  const over = AbortSignal.any(signal ? [signal, ended] : [ended]);
  await new Promise<void>((resolve) => {
    if (over.aborted) resolve();
    else over.addEventListener("abort", () => resolve(), { once: true });
  });
  if (ended.aborted) await run(what, () => Promise.reject(ended.reason as Error));
}
