import type { ReadResourceResult } from "../types/index.js";
import type { CacheableRequestOptions, ClientOptions } from "./options.js";

/** What the extensions of the official client use of a client, which programs do not see. */
export interface ClientInternals {
  readonly options: ClientOptions;
  /** Reads a resource. `isCached` is whether the result comes from the cache. */
  readResource(
    params: { uri: string },
    options: CacheableRequestOptions | undefined,
  ): Promise<{ readonly result: ReadResourceResult; readonly isCached: boolean }>;
}

const known = /* @__PURE__ */ new WeakMap<object, ClientInternals>();

export function setInternals(client: object, internals: ClientInternals): void {
  known.set(client, internals);
}

/** @throws TypeError for something else than a client */
export function internalsOf(client: object): ClientInternals {
  const internals = known.get(client);
  if (internals) return internals;
  throw new TypeError(
    "SkillsClient needs a Client of the package that it comes from: import both from the same package",
  );
}
