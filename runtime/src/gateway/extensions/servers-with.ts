import { hasCapability } from "../../connection/capability.js";
import { toError } from "../../jsonrpc/error-conversion.js";
import type { ServerContext } from "../../server/contracts.js";
import { inTime } from "../lists/gather.js";
import type { Upstream } from "../upstream/upstream.js";
import type { ServersWithExtension } from "./gateway-extension.js";

/** Returns the servers that have an extension, and those of which it is not known, because they cannot be reached. */
export async function serversWith(
  upstreams: readonly Upstream[],
  context: ServerContext,
  id: string,
): Promise<ServersWithExtension> {
  const outcomes = await Promise.all(
    upstreams.map(async (upstream) => {
      try {
        const { client } = await inTime(upstream, upstream.connect(context, false));
        return hasCapability(client.getServerCapabilities(), `server.extensions.${id}`);
      } catch (error) {
        return toError(error).message;
      }
    }),
  );
  const names = upstreams.map(({ name }) => name);
  return {
    servers: names.filter((_, at) => outcomes[at] === true),
    missing: names.flatMap((server, at) => {
      const reason = outcomes[at];
      return typeof reason === "string" ? [{ server, reason }] : [];
    }),
  };
}
