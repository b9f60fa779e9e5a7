import { toError } from "../../jsonrpc/error-conversion.js";
import { SdkError } from "../../jsonrpc/errors.js";
import type { ServerContext } from "../../server/contracts.js";
import { timerDelay } from "../../timing/timer-delay.js";
import type { FetchedList, ListName } from "../upstream/catalog.js";
import type { Upstream } from "../upstream/upstream.js";
import type { MissingServer } from "./missing-server.js";

/** The list of one server. */
export interface ServerList<Name extends ListName = ListName> {
  readonly server: string;
  readonly list: FetchedList<Name>;
}

/** The lists of all servers that have responded. */
export interface Gathered<Name extends ListName = ListName> {
  readonly lists: readonly ServerList<Name>[];
  readonly missing: readonly MissingServer[];
}

/** How lists of servers are requested. */
export interface GatherOptions {
  /** The `_meta` of the requests. */
  readonly meta: object;
  /** Called when a list arrives that was missing in a result. */
  readonly onLate: () => void;
  /** Called with the error of a server whose list is missing. */
  readonly onMissing: (server: string, error: Error) => void;
}

/**
 * Returns a list of each server, in the order of the servers. The failure of one does not affect the others.
 * @returns a promise only if a list has to be requested
 */
export function gather<Name extends ListName>(
  upstreams: readonly Upstream[],
  name: Name,
  context: ServerContext,
  options: () => GatherOptions,
): Gathered<Name> | Promise<Gathered<Name>> {
  const lists: ServerList<Name>[] = [];
  for (const upstream of upstreams) {
    const list = upstream.current(context)?.catalog.fresh(name);
    if (!list) return gatherAll(upstreams, name, context, options());
    lists.push({ server: upstream.name, list });
  }
  return { lists, missing: [] };
}

async function gatherAll<Name extends ListName>(
  upstreams: readonly Upstream[],
  name: Name,
  context: ServerContext,
  options: GatherOptions,
): Promise<Gathered<Name>> {
  const outcomes = await Promise.all(
    upstreams.map((upstream) => listOf(upstream, name, context, options).catch((error: unknown) => toError(error))),
  );
  const lists: ServerList<Name>[] = [];
  const missing: MissingServer[] = [];
  for (const [at, outcome] of outcomes.entries()) {
    const server = upstreams[at]?.name ?? "";
    if (!(outcome instanceof Error)) lists.push({ server, list: outcome });
    else if (upstreams[at]?.logIn?.isMissing(outcome))
      missing.push({ server, reason: "the user has to log in first", logIn: true });
    else {
      missing.push({ server, reason: outcome.message });
      // The server has not failed when the client no longer waits.
      if (!context.signal.aborted) options.onMissing(server, outcome);
    }
  }
  return { lists, missing };
}

/** The list of one server, unless it takes too long. */
async function listOf<Name extends ListName>(
  upstream: Upstream,
  name: Name,
  context: ServerContext,
  { meta, onLate }: GatherOptions,
): Promise<FetchedList<Name>> {
  const fetched = upstream.connect(context, false).then(({ catalog }) => catalog.fetch(name, meta));
  return inTime(upstream, fetched, onLate);
}

/** Waits as long as lists wait for a server. @throws SdkError `REQUEST_TIMEOUT` */
export async function inTime<Value>(
  { options: { listTimeoutMs = 10_000 } }: Upstream,
  fetched: Promise<Value>,
  onLate?: () => void,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const expire = (): void => {
      reject(new SdkError("REQUEST_TIMEOUT", `its list did not arrive within ${listTimeoutMs} ms`));
      fetched.then(onLate, () => undefined);
    };
    timer = setTimeout(expire, timerDelay(listTimeoutMs));
  });
  try {
    return await Promise.race([fetched, late]);
  } finally {
    clearTimeout(timer);
  }
}
