import type { Conversions, Convert, ConvertedPart, Side } from "@mcpwright/protocol/contract";
import { authoringRevision } from "../authoring.js";
import { SdkError } from "../jsonrpc/errors.js";

const same: Convert = (value) => value;

/** Converts one kind of message between the authoring revision and the revisions of peers. */
export class MessageConverter {
  readonly #known = new Map<Side, Map<string, Convert>>();

  /** @param conversions if undefined, messages are not converted */
  constructor(
    readonly conversions: Conversions | undefined,
    readonly direction: "toPeer" | "fromPeer",
    readonly senderRole: Side["role"],
    readonly part: ConvertedPart,
  ) {}

  /** @throws SdkError `CANNOT_ASK` (params) or `INVALID_RESULT` (result) when the other revision cannot express the value */
  convert(side: Side, method: string, value: object): object {
    let converters = this.#known.get(side);
    if (!converters) this.#known.set(side, (converters = new Map<string, Convert>()));
    let convert = converters.get(method);
    if (!convert) converters.set(method, (convert = this.#compose(side.revision, method)));
    try {
      return convert(value) as object;
    } catch (error) {
      const code = this.part === "params" ? "CANNOT_ASK" : "INVALID_RESULT";
      throw new SdkError(code, (error as Error).message, value, { cause: error });
    }
  }

  #compose(peer: string, method: string): Convert {
    const [from, to] = this.direction === "toPeer" ? [authoringRevision, peer] : [peer, authoringRevision];
    return this.conversions?.between(from, to)?.(this.senderRole, this.part, method) ?? same;
  }
}
