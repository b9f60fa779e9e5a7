import type { Conversions, Convert, ConvertedPart, Side } from "@mcpwright/protocol/contract";
import { authoringRevision } from "../authoring.js";

/** One kind of message, between the revision in which authors write and those that peers speak. */
export class Converted {
  readonly #known = new Map<Side, Map<string, Convert | undefined>>();

  /** @param conversions absent: nothing is converted */
  constructor(
    readonly conversions: Conversions | undefined,
    readonly direction: "toPeer" | "fromPeer",
    readonly sender: Side["side"],
    readonly part: ConvertedPart,
  ) {}

  /** @throws ConversionError when the other revision has no such thing */
  convert(side: Side, method: string, value: object): object {
    let known = this.#known.get(side);
    if (!known) this.#known.set(side, (known = new Map<string, Convert | undefined>()));
    let convert = known.get(method);
    if (!convert && !known.has(method)) {
      convert = this.#compose(side.revision, method);
      known.set(method, convert);
    }
    return convert ? (convert(value) as object) : value;
  }

  #compose(peer: string, method: string): Convert | undefined {
    const [from, to] = this.direction === "toPeer" ? [authoringRevision, peer] : [peer, authoringRevision];
    return this.conversions?.between(from, to)?.(this.sender, this.part, method);
  }
}
