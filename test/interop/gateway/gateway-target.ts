/** The server behind a gateway: its URL, or the command that starts it. */
export type GatewayTarget =
  | { readonly url: string }
  | {
      readonly command: readonly [program: string, ...args: string[]];
      readonly env: Readonly<Record<string, string>>;
    };

/** The name of the server in the gateway. */
export const serverName = "up";
