export type ToTarget =
  | { readonly type: "state" | "close" }
  /** Moves the server's clocks forward, so that everything that expires does. */
  | { readonly type: "jump"; readonly ms: number };

export interface TargetState {
  readonly type: "state";
  readonly heapBytes: number;
  readonly connections: number;
  readonly exchanges: number;
  readonly sockets: number;
}

export type FromTarget = { readonly type: "ready"; readonly port: number } | TargetState;
