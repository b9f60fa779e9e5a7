import type { NativeRequest } from "./protocol-types.js";

/** A received request with a method and params of its own. */
export class NamedRequest implements NativeRequest {
  constructor(
    readonly native: Pick<NativeRequest, "signal">,
    readonly requestId: NativeRequest["requestId"],
    readonly method: string,
    readonly params: NativeRequest["params"],
    readonly principal?: NativeRequest["principal"],
  ) {}

  /** The runtime creates it when it is read. */
  get signal(): AbortSignal {
    return this.native.signal;
  }
}
