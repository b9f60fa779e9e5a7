/** Something that a gateway cannot pass on between a server and clients. */
export interface GatewayLoss {
  readonly server: string;
  /** The revision of the sender; undefined if the loss does not depend on it. */
  readonly from?: string;
  /** The revision of the receiver; undefined if the loss does not depend on it. */
  readonly to?: string;
  readonly direction: "toClient" | "toServer";
  /** The method of the request, of the response, or of the notification. */
  readonly method: string;
  /**
   * `drop`: left out. `change`: replaced by something similar. `refuse`: a message with it fails. `unsupported`: the receiver, or the
   * gateway, has nothing like it.
   */
  readonly kind: "drop" | "change" | "refuse" | "unsupported";
  /** The type and member of the schema, the capability, or the option of the server that is the reason. */
  readonly at: string;
  /** What is lost. */
  readonly text: string;
}
