/** A reverse proxy that adds the access token which the suite cannot send. */
import { type Backend, type ReverseProxy, startReverseProxy } from "../reverse-proxy.js";

export interface Front extends ReverseProxy {
  /** From now on, passes requests to this server. */
  passTo(backend: Required<Backend>): void;
}

/** Starts a front on a free loopback port, which closes connections until it has a server. */
export async function startFront(): Promise<Front> {
  let backend: Backend | undefined;
  const proxy = await startReverseProxy(() => backend);
  return { ...proxy, passTo: (next) => void (backend = next) };
}
