export interface ToTarget {
  readonly type: "state" | "close";
}

export interface TargetState {
  readonly type: "state";
  readonly heapBytes: number;
  readonly connections: number;
  readonly exchanges: number;
  readonly sockets: number;
}

export type FromTarget = { readonly type: "ready"; readonly port: number } | TargetState;
