import { PING } from "@mcpwright/protocol/names";
import { timerMs, unref } from "./timer-ms.js";
import type { Peer } from "./peer.js";

export interface KeepAlive {
  /** Milliseconds between pings. */
  readonly intervalMs: number;
  /** Milliseconds to wait for each answer. Default: the interval. */
  readonly timeoutMs?: number;
  /** The connection is closed after so many missing answers in a row. Default 3. */
  readonly failures?: number;
}

/** Regular pings that are under way. */
export interface KeptAlive {
  /** The peer has sent something, whatever it is: it is alive. */
  heard(): void;
  stop(): void;
}

/** Pings regularly, and closes the connection when too many answers are missing. It does not keep the process alive. */
export function keepAlive(peer: Peer, { intervalMs, timeoutMs = intervalMs, failures = 3 }: KeepAlive): KeptAlive {
  let missed = 0;
  let messages = 0;
  const timer = setInterval(() => {
    // Nobody can expect an answer to what does not get to the peer now.
    if (peer.transport.isReachable === false) return;
    const before = messages;
    peer.request(PING, undefined, { timeoutMs }).catch((error: unknown) => {
      peer.report(error);
      if (messages === before && ++missed >= failures && peer.isOpen)
        peer.close().catch((failure: unknown) => peer.report(failure));
    });
  }, timerMs(intervalMs));
  unref(timer);
  return {
    heard: () => {
      messages++;
      missed = 0;
    },
    stop: () => clearInterval(timer),
  };
}
